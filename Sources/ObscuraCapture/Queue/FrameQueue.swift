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
    /// The kind of end of a queue.
    fileprivate enum Ending {
        case finished((any Error)?)
        case closed
    }

    fileprivate struct State {
        var waiting: [Element] = []
        var ledger = ReaderLedger()
        /// The leases of the frames that the reader holds, oldest first; usually few.
        var leases: [(number: UInt64, begin: HostTime)] = []
        var observer: (any LedgerObserver)?
        var nextLease: UInt64 = 0
        // Weak, since the listener owns the queue, and a lease may outlive it.
        weak var listener: (any FrameQueueListener)?
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

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - policy: The handling of frames that arrive while the reader is busy.
    ///   - leaseLimit: Number of frames that the reader may hold at once.
    package init(policy: LateFramePolicy, leaseLimit: Int = 8) {
        self.policy = policy
        self.leaseLimit = max(1, leaseLimit)
        state = Lock(State())
    }

    /// Tells `listener` from now on when there may be something to take: a frame was queued, the reader holds fewer
    /// frames than its limit again, or the queue ended.
    package func tell(_ listener: any FrameQueueListener) {
        state.withLock { $0.listener = listener }
    }

    /// Reports all changes of the counts from now on.
    package func report(to observer: any LedgerObserver) {
        state.withLock { $0.observer = observer }
    }

    // MARK: The source's side

    /// Enqueues a frame. With a lossless policy, blocks while the queue is full, until it ends.
    ///
    /// - Parameters:
    ///   - epoch: The timeline of the frame, if it has one; see ``begin(epoch:)``.
    ///   - waits: Whether a lossless queue that is full blocks. Otherwise it takes the frame beyond its capacity; for the
    ///     last frame of a source.
    package func enqueue(_ element: Element, epoch: UInt64? = nil, waits: Bool = true) -> Outcome {
        var listener: (any FrameQueueListener)?
        let outcome = state.wait { [policy, leaseLimit] state -> Outcome? in
            guard state.ending == nil else { return .closed }
            if let epoch, epoch != state.epoch {
                state.refuse(.discontinuity)
                return .dropped(.discontinuity)
            }
            if policy.isLossless {
                if waits, state.waiting.count >= policy.capacity { return nil }
            } else if state.leases.count >= leaseLimit {
                state.refuse(.outOfBuffers)
                let waiting = state.drain(.outOfBuffers)
                return waiting.isEmpty ? .dropped(.outOfBuffers) : .droppedWithWaiting(.outOfBuffers, waiting)
            }
            var outcome = Outcome.accepted
            if !policy.isLossless, state.waiting.count >= policy.capacity {
                outcome = .acceptedInPlaceOf(state.waiting.removeFirst())
                state.dropWaiting(1, .late)
            }
            state.waiting.append(element)
            state.ledger.accept()
            listener = state.listener
            return outcome
        }
        listener?.queueChanged()
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
            state.skip()
        }
    }

    /// Counts a frame that was dropped before it was enqueued.
    package func drop(_ reason: DropReason) {
        state.withLock { state in
            guard state.ending == nil else { return }
            state.refuse(reason)
        }
    }

    /// Ends the input: queued frames are still delivered, then the queue ends.
    package func finish(throwing error: (any Error)? = nil) {
        let listener = state.withLockSignalling { state in
            if state.ending == nil { state.ending = .finished(error) }
            return state.listener
        }
        listener?.queueChanged()
    }

    /// Clears the end when the source restarts, if no frame has been offered yet.
    package func revive() {
        state.withLock { state in
            if case .finished = state.ending, state.ledger.offered == 0 { state.ending = nil }
        }
    }

    // MARK: The reader's side

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

    /// Takes the oldest queued frame in hand together with a lease for it. Does not block. At the reader's limit of
    /// frames, a frame stays queued with a lossless policy.
    ///
    /// - Parameter condition: Whether to take the frame; if not, it stays queued. Called with the lock held.
    package func takeLeased(where condition: (Element) -> Bool) -> LeasedTake {
        state.withLockSignalling { state in
            guard let first = state.waiting.first else { return .nothing(state.outlook(leaseLimit)) }
            guard condition(first) else { return .unwanted }
            let hasRoom = state.leases.count < leaseLimit
            guard hasRoom || !policy.isLossless else { return .nothing(state.outlook(leaseLimit)) }
            state.waiting.remove(at: 0)
            state.ledger.take()
            return .element(first, hasRoom ? FrameLease(owner: self, number: state.beginLease()) : nil)
        }
    }

    /// Returns the result of ``take(where:)`` without taking the frame.
    package func peek() -> Take {
        state.withLock { $0.first }
    }

    /// What ``peek()`` would return, and whether the reader holds its limit of frames.
    package var outlook: Outlook {
        state.withLock { $0.outlook(leaseLimit) }
    }

    /// Returns a token for a frame about to be delivered; the frame counts as held until the token is released. Nil
    /// when the reader holds its limit; see ``tell(_:)``.
    package func lease() -> FrameLease? {
        state.withLock { state in
            guard state.leases.count < leaseLimit else { return nil }
            return FrameLease(owner: self, number: state.beginLease())
        }
    }

    /// Counts a frame in hand as delivered.
    package func finishInHand() {
        state.withLock { state in
            state.deliver()
        }
    }

    /// Counts a frame in hand as dropped.
    package func dropInHand(_ reason: DropReason) {
        state.withLock { state in
            state.dropInHand(reason)
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
            state.dropWaiting(count, reason)
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
            state.skipWaiting(waiting.count)
            return waiting
        }
        withExtendedLifetime(waiting) {}
    }

    /// Ends the queue at once: queued frames are dropped as `stopped`, and no more are accepted.
    package func close() {
        let (waiting, listener) = state.withLockSignalling { state in
            if case .closed = state.ending { return ([Element](), state.listener) }
            state.ending = .closed
            return (state.drain(.stopped), state.listener)
        }
        withExtendedLifetime(waiting) {}
        listener?.queueChanged()
    }

    /// The current counts.
    package var ledger: ReaderLedger { state.withLock { $0.ledger } }

    /// Whether the queue accepts no more frames; some may still be queued.
    package var hasEnded: Bool { state.withLock { $0.ending != nil } }

    /// Number of frames held by the reader, and the time since which it has held the oldest.
    package var holdings: (count: Int, oldest: HostTime?) {
        state.withLock { ($0.leases.count, $0.leases.first?.begin) }
    }
}

extension FrameQueue: FrameLeaseOwner {
    func endLease(_ number: UInt64) {
        let listener = state.withLock { state -> (any FrameQueueListener)? in
            guard let index = state.leases.firstIndex(where: { $0.number == number }) else { return nil }
            // Below the limit, the end of a lease makes nothing available.
            let listener = state.leases.count >= leaseLimit ? state.listener : nil
            state.leases.remove(at: index)
            state.observer?.holdingsChanged(by: -1)
            return listener
        }
        listener?.queueChanged()
    }
}

extension FrameQueue.State {
    // Transitions of the ledger that leave the queue, with their report.

    fileprivate mutating func refuse(_ reason: DropReason) {
        ledger.refuse(reason)
        observer?.dropped(1, reason)
    }

    fileprivate mutating func dropWaiting(_ count: Int, _ reason: DropReason) {
        ledger.dropWaiting(count, reason)
        if count > 0 { observer?.dropped(count, reason) }
    }

    fileprivate mutating func skip() {
        ledger.skip()
        observer?.skipped(1)
    }

    fileprivate mutating func skipWaiting(_ count: Int) {
        ledger.skipWaiting(count)
        if count > 0 { observer?.skipped(count) }
    }

    fileprivate mutating func deliver() {
        if ledger.deliver() { observer?.delivered() }
    }

    fileprivate mutating func dropInHand(_ reason: DropReason) {
        if ledger.dropInHand(reason) { observer?.dropped(1, reason) }
    }

    fileprivate func outlook(_ leaseLimit: Int) -> FrameQueue.Outlook {
        FrameQueue.Outlook(
            hasElement: !waiting.isEmpty, hasEnded: ending != nil, isAtLimit: leases.count >= leaseLimit)
    }

    /// Begins a lease, and returns its number.
    fileprivate mutating func beginLease() -> UInt64 {
        defer { nextLease += 1 }
        leases.append((nextLease, .now))
        observer?.holdingsChanged(by: 1)
        return nextLease
    }

    fileprivate mutating func drain(_ reason: DropReason) -> [Element] {
        let drained = waiting
        waiting.removeAll()
        dropWaiting(drained.count, reason)
        return drained
    }
}
