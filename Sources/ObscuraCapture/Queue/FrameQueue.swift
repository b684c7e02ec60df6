// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
package import ObscuraMedia

/// The queue of one reader: waiting frames, held frames, and the counts of both.
///
/// ```
///           enqueue           take                lease            finish
///   source ────────► waiting ──────► in hand ─────────────► leased ───────► delivered
///               │        │               │                    (until the reader releases
///               ▼        ▼               ▼                     the frame's memory)
///            dropped  dropped         dropped
/// ```
///
/// One source thread enqueues, and one consumer takes. All other methods may be called from any thread. All counts
/// change under one lock, so ``ledger`` is exact at every moment.
package final class FrameQueue<Element: Sendable>: Sendable {
    /// The result of enqueueing a frame.
    package enum Outcome: Sendable {
        case accepted
        /// The frame was queued. To make room, this older frame was dropped with the reason `late`.
        case acceptedInPlaceOf(Element)
        /// The frame was dropped.
        case dropped(DropReason)
        /// The frame and these queued frames were dropped for this reason, since the reader holds the maximum number of
        /// frames. After releasing a frame, the reader therefore gets a new frame instead of an old frame.
        case droppedWithWaiting(DropReason, [Element])
        /// The queue has ended. The frame was not queued, and is not counted.
        case closed
    }

    /// The kind of end of a queue.
    fileprivate enum Ending {
        case finished((any Error)?)
        case closed
    }

    fileprivate struct State {
        var waiting: [Element] = []
        var ledger = ReaderLedger() {
            didSet { observer?.ledgerChanged(from: oldValue, to: ledger) }
        }
        /// The start time of each lease.
        var leases: [UInt64: HostTime] = [:]
        var observer: (any LedgerObserver)?
        var nextLease: UInt64 = 0
        var ending: Ending?
        var epoch: UInt64 = 0

        var first: Take {
            switch (ending, waiting.first) {
            case (.closed, _): .ended(nil)
            case (_, let element?): .element(element)
            case (.finished(let error), nil): .ended(error)
            case (nil, nil): .nothing
            }
        }
    }

    /// The handling of frames that arrive while the reader is busy.
    package let policy: LateFramePolicy
    /// Number of frames that the reader may hold.
    package let leaseLimit: Int
    private let state: Lock<State>
    private let onChange: @Sendable () -> Void

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - policy: The handling of frames that arrive while the reader is busy.
    ///   - leaseLimit: Number of frames that the reader may hold at once.
    ///   - onChange: Called without a lock held when there may be something to take: a frame was queued, a lease
    ///     ended, or the queue ended. Runs on the thread that caused the change; must not block.
    package init(policy: LateFramePolicy, leaseLimit: Int = 8, onChange: @escaping @Sendable () -> Void = {}) {
        self.policy = policy
        self.leaseLimit = max(1, leaseLimit)
        self.onChange = onChange
        state = Lock(State())
    }

    deinit {
        // Frames that outlive their reader are not counted any more.
        state.withLock { $0.observer?.holdingsChanged(by: -$0.leases.count) }
    }

    /// Reports all changes of the counts from now on.
    package func report(to observer: any LedgerObserver) {
        state.withLock { $0.observer = observer }
    }

    // MARK: The source's side

    /// Enqueues a frame. With a lossless policy, blocks while the queue is full, until it ends.
    ///
    /// - Parameter epoch: The timeline of the frame, if it has one; see ``begin(epoch:)``.
    package func enqueue(_ element: Element, epoch: UInt64? = nil) -> Outcome {
        let outcome = state.wait { [policy, leaseLimit] state -> Outcome? in
            guard state.ending == nil else { return .closed }
            if let epoch, epoch != state.epoch {
                state.ledger.refuse(.discontinuity)
                return .dropped(.discontinuity)
            }
            if policy.isLossless {
                if state.waiting.count >= policy.capacity { return nil }
            } else if state.leases.count >= leaseLimit {
                state.ledger.refuse(.outOfBuffers)
                let waiting = state.drain(.outOfBuffers)
                return waiting.isEmpty
                    ? .dropped(.outOfBuffers) : .droppedWithWaiting(.outOfBuffers, waiting)
            }
            var outcome = Outcome.accepted
            if state.waiting.count >= policy.capacity {
                outcome = .acceptedInPlaceOf(state.waiting.removeFirst())
                state.ledger.dropWaiting(1, .late)
            }
            state.waiting.append(element)
            state.ledger.accept()
            return outcome
        }
        switch outcome {
        case .accepted, .acceptedInPlaceOf: onChange()
        default: break
        }
        return outcome ?? .closed
    }

    /// Accepts only frames of this epoch from now on. Queued frames are dropped as `discontinuity`, and so is a
    /// frame of another epoch whose source is blocked in ``enqueue(_:epoch:)``.
    ///
    /// - Returns: The frames that were queued.
    package func begin(epoch: UInt64) -> [Element] {
        state.withLockSignalling { state in
            state.epoch = epoch
            return state.drain(.discontinuity)
        }
    }

    /// Counts a frame that is skipped by the settings of the reader or its connection.
    package func skip() {
        state.withLock { state in
            guard state.ending == nil else { return }
            state.ledger.skip()
        }
    }

    /// Counts a frame that was dropped before it was enqueued.
    package func drop(_ reason: DropReason) {
        state.withLock { state in
            guard state.ending == nil else { return }
            state.ledger.refuse(reason)
        }
    }

    /// Ends the input: queued frames are still delivered, then the queue ends.
    package func finish(throwing error: (any Error)? = nil) {
        state.withLockSignalling { state in
            if state.ending == nil { state.ending = .finished(error) }
        }
        onChange()
    }

    /// Clears the end when the source restarts, if no frame has been offered yet.
    package func revive() {
        state.withLock { state in
            if case .finished = state.ending, state.ledger.offered == 0 { state.ending = nil }
        }
    }

    // MARK: The reader's side

    /// The result of taking a frame.
    package enum Take: Sendable {
        case element(Element)
        /// No frame can be taken yet. The queue calls `onChange` when a frame may be available.
        case nothing
        /// All frames have been taken, and the queue has ended. The value is the error of the source; nil if no error
        /// occurred.
        case ended((any Error)?)
    }

    /// Takes the oldest queued frame in hand. Does not block.
    ///
    /// - Parameter condition: Whether to take the frame; if not, it stays queued and the result is `nothing`.
    ///   Called with the lock held.
    package func take(where condition: (Element) -> Bool = { _ in true }) -> Take {
        state.withLockSignalling { state in
            let first = state.first
            guard case .element(let element) = first else { return first }
            guard condition(element) else { return .nothing }
            state.waiting.removeFirst()
            state.ledger.take()
            return first
        }
    }

    /// Returns the result of ``take(where:)`` without taking the frame.
    package func peek() -> Take {
        state.withLock { $0.first }
    }

    /// Returns a token for a frame about to be delivered; the frame counts as held until the token is released. Nil
    /// when the reader holds its limit; `onChange` is called when it releases a frame.
    package func lease() -> FrameLease? {
        let id = state.withLock { state -> UInt64? in
            guard state.leases.count < leaseLimit else { return nil }
            defer { state.nextLease += 1 }
            state.observer?.holdingsChanged(by: 1)
            state.leases[state.nextLease] = .now
            return state.nextLease
        }
        guard let id else { return nil }
        return FrameLease { [weak self] in self?.endLease(id) }
    }

    /// Counts a frame in hand as delivered.
    package func finishInHand() {
        state.withLock { state in
            state.ledger.deliver()
        }
    }

    /// Counts a frame in hand as dropped.
    package func dropInHand(_ reason: DropReason) {
        state.withLock { state in
            state.ledger.dropInHand(reason)
        }
    }

    // MARK: Either side

    /// Drops the queued frames, and continues.
    package func flush(_ reason: DropReason) {
        let waiting = state.withLockSignalling { $0.drain(reason) }
        withExtendedLifetime(waiting) {}
    }

    /// Drops the oldest queued frame, and those after it up to one that starts a group, unless the queue has another
    /// epoch by now.
    ///
    /// - Returns: The dropped frames.
    package func dropFirst(_ reason: DropReason, epoch: UInt64, until startsGroup: (Element) -> Bool) -> [Element] {
        state.withLockSignalling { state in
            guard state.epoch == epoch else { return [] }
            let count = state.waiting.dropFirst().firstIndex(where: startsGroup) ?? state.waiting.count
            let dropped = Array(state.waiting.prefix(count))
            state.waiting.removeFirst(count)
            state.ledger.dropWaiting(count, reason)
            return dropped
        }
    }

    /// Whether no other frame can be queued.
    package var isFull: Bool { state.withLock { $0.waiting.count >= policy.capacity } }

    /// Counts the queued frames as skipped, removes them, and continues.
    package func skipWaiting() {
        let waiting = state.withLockSignalling { state in
            let waiting = state.waiting
            state.waiting.removeAll()
            state.ledger.skipWaiting(waiting.count)
            return waiting
        }
        withExtendedLifetime(waiting) {}
    }

    /// Ends the queue at once: queued frames are dropped as `stopped`, and no more are accepted.
    package func close() {
        let waiting = state.withLockSignalling { state in
            if case .closed = state.ending { return [Element]() }
            state.ending = .closed
            return state.drain(.stopped)
        }
        withExtendedLifetime(waiting) {}
        onChange()
    }

    /// The current counts.
    package var ledger: ReaderLedger { state.withLock { $0.ledger } }

    /// Whether the queue accepts no more frames; some may still be queued.
    package var hasEnded: Bool { state.withLock { $0.ending != nil } }

    /// Number of frames held by the reader, and the time since which it has held the oldest.
    package var holdings: (count: Int, oldest: HostTime?) {
        state.withLock { ($0.leases.count, $0.leases.values.min()) }
    }

    private func endLease(_ id: UInt64) {
        state.withLockSignalling { state in
            if state.leases.removeValue(forKey: id) != nil { state.observer?.holdingsChanged(by: -1) }
        }
        onChange()
    }
}

extension FrameQueue.State {
    fileprivate mutating func drain(_ reason: DropReason) -> [Element] {
        let drained = waiting
        waiting.removeAll()
        ledger.dropWaiting(drained.count, reason)
        return drained
    }
}

/// A reader's hold on one frame. It ends when the last copy of the frame's image is released.
package final class FrameLease: Sendable {
    private let onEnd: @Sendable () -> Void

    init(onEnd: @escaping @Sendable () -> Void) {
        self.onEnd = onEnd
    }

    deinit {
        onEnd()
    }
}
