// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase

/// A bounded pool of reusable memory for pixel buffers.
///
/// The memory of a buffer returns to the pool when the last reference to the buffer is released, and is reused for a
/// buffer of the same size. If the pool is full, idle memory of other sizes is freed for a new buffer. Thread-safe.
public final class PixelBufferPool: Sendable {
    /// Statistics of a pool.
    public struct Counts: Sendable, Hashable {
        /// The number of buffers that are not yet released.
        public var inUse = 0
        /// The number of idle blocks of memory, available for reuse.
        public var idle = 0
        /// The number of blocks of memory that were allocated from the system.
        public var allocations = 0
        /// The number of times that a block of memory was reused.
        public var reuses = 0
        /// The number of requests that failed because ``PixelBufferPool/capacity`` buffers were in use.
        public var refusals = 0
    }

    private struct State {
        var capacity: Int
        var counts = Counts()
        var idle: [PixelMemory] = []
    }

    private let state: Lock<State>
    private let isElastic: Bool
    /// The pool for copies of a buffer that is written to while it has other references.
    let copies: PixelBufferPool?

    /// Creates a pool.
    ///
    /// - Parameter capacity: the maximum number of buffers that exist at the same time.
    public convenience init(capacity: Int) {
        self.init(capacity: capacity, isElastic: false)
    }

    /// - Parameter copies: the pool for copies that writing needs; this pool is reserved for one purpose.
    package convenience init(capacity: Int, copies: PixelBufferPool) {
        self.init(capacity: capacity, isElastic: false, copies: copies)
    }

    /// - Parameter isElastic: whether the pool allocates more memory when `capacity` buffers are in use; it keeps at
    ///   most `capacity` blocks. Only for uses in which something else limits the number of buffers.
    package init(capacity: Int, isElastic: Bool, copies: PixelBufferPool? = nil) {
        self.isElastic = isElastic
        self.copies = copies
        state = Lock(State(capacity: max(1, capacity)))
    }

    deinit {
        state.withLock { state in state.idle.forEach { $0.deallocate() } }
    }

    /// The maximum number of buffers that exist at the same time. A smaller value takes effect as buffers are released.
    public var capacity: Int {
        get { state.withLock { $0.capacity } }
        set { fit(to: max(1, newValue)) }
    }

    /// Frees idle memory now, and other memory when its buffer is released. Only an elastic pool still provides buffers
    /// afterwards.
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

    /// The current statistics.
    public var counts: Counts {
        state.withLock { state in
            var counts = state.counts
            counts.idle = state.idle.count
            return counts
        }
    }

    /// Returns memory for a buffer; return it with ``giveBack(_:)``.
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
