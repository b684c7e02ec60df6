// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase

/// Memory for pictures, bounded and used again.
///
/// A buffer goes back to its pool by itself when its last reference is gone. Blocks of another size
/// than what is being asked for are freed first when the pool is full. Thread-safe.
public final class PixelBufferPool: Sendable {
    /// What the pool holds at a moment.
    public struct Counts: Sendable, Hashable {
        /// Buffers that somebody holds.
        public var inUse = 0
        /// Blocks that wait to be used again.
        public var idle = 0
        /// How often memory was taken from the system.
        public var allocations = 0
        /// How often a block was used again.
        public var reuses = 0
        /// How often a buffer was asked for while all were in use.
        public var refusals = 0
    }

    private struct State {
        var capacity: Int
        var counts = Counts()
        var idle: [PixelMemory] = []
    }

    private let state: Lock<State>
    private let isElastic: Bool
    /// Where a picture of this pool is copied to when somebody writes to it who is not its only holder.
    let copies: PixelBufferPool?

    /// - Parameter capacity: how many buffers may be in use at once.
    public convenience init(capacity: Int) {
        self.init(capacity: capacity, isElastic: false)
    }

    /// - Parameter copies: where copies are made for those who write; this pool is for one purpose only.
    package convenience init(capacity: Int, copies: PixelBufferPool) {
        self.init(capacity: capacity, isElastic: false, copies: copies)
    }

    /// - Parameter isElastic: gives new memory when `capacity` buffers are in use, and keeps no more than
    ///   `capacity`. Only where something else bounds how many buffers are asked for.
    package init(capacity: Int, isElastic: Bool, copies: PixelBufferPool? = nil) {
        self.isElastic = isElastic
        self.copies = copies
        state = Lock(State(capacity: max(1, capacity)))
    }

    deinit {
        state.withLock { state in state.idle.forEach { $0.deallocate() } }
    }

    /// How many buffers may be in use at once. A smaller number takes effect as buffers come home.
    public var capacity: Int {
        get { state.withLock { $0.capacity } }
        set { fit(to: max(1, newValue)) }
    }

    /// Keeps no memory any more: what is idle is freed, and what is in use when it comes home. Only an
    /// elastic pool still gives buffers.
    package func retire() {
        fit(to: 0)
    }

    private func fit(to capacity: Int) {
        state.withLock { state in
            state.capacity = capacity
            let spare = min(max(0, state.idle.count + state.counts.inUse - capacity), state.idle.count)
            for memory in state.idle.prefix(spare) { memory.deallocate() }
            state.idle.removeFirst(spare)
        }
    }

    /// What the pool holds at this moment.
    public var counts: Counts {
        state.withLock { state in
            var counts = state.counts
            counts.idle = state.idle.count
            return counts
        }
    }

    /// Memory for a picture; ``giveBack(_:)`` returns it.
    func take(byteCount: Int) throws(ObscuraError) -> PixelMemory {
        try state.withLock { state throws(ObscuraError) in
            guard isElastic || state.counts.inUse < state.capacity else {
                state.counts.refusals += 1
                throw .poolExhausted(capacity: state.capacity)
            }
            if let index = state.idle.lastIndex(where: { $0.byteCount == byteCount }) {
                state.counts.inUse += 1
                state.counts.reuses += 1
                return state.idle.remove(at: index)
            }
            if state.idle.count + state.counts.inUse >= state.capacity {
                state.idle.forEach { $0.deallocate() }
                state.idle.removeAll()
            }
            guard let memory = PixelMemory(byteCount: byteCount) else {
                throw .outOfMemory(byteCount: byteCount)
            }
            state.counts.inUse += 1
            state.counts.allocations += 1
            return memory
        }
    }

    func giveBack(_ memory: PixelMemory) {
        let isKept = state.withLock { state in
            state.counts.inUse -= 1
            guard state.counts.inUse + state.idle.count < state.capacity else { return false }
            state.idle.append(memory)
            return true
        }
        if !isKept { memory.deallocate() }
    }
}
