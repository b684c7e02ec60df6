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
        var ledger = ReaderLedger()
        /// The leases of the frames that the reader holds, oldest first; usually few.
        var leases: [(number: UInt64, begin: HostTime)] = []
        var observer: (any LedgerObserver)?
        var nextLease: UInt64 = 0
        var onChange: @Sendable () -> Void = {}
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

    /// Calls `body` from now on, without a lock held, when there may be something to take: a frame was queued, a lease
    /// ended, or the queue ended. Runs on the thread that caused the change; must not block.
    package func whenChanged(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.onChange = body }
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
        let result = state.wait { [policy, leaseLimit] state -> (Outcome, onChange: (@Sendable () -> Void)?)? in
            guard state.ending == nil else { return (.closed, nil) }
            if let epoch, epoch != state.epoch {
                state.count { $0.refuse(.discontinuity) }
                return (.dropped(.discontinuity), nil)
            }
            if policy.isLossless {
                if state.waiting.count >= policy.capacity { return nil }
            } else if state.leases.count >= leaseLimit {
                state.count { $0.refuse(.outOfBuffers) }
                let waiting = state.drain(.outOfBuffers)
                return (
                    waiting.isEmpty ? .dropped(.outOfBuffers) : .droppedWithWaiting(.outOfBuffers, waiting), nil
                )
            }
            var outcome = Outcome.accepted
            if state.waiting.count >= policy.capacity {
                outcome = .acceptedInPlaceOf(state.waiting.removeFirst())
                state.count { $0.dropWaiting(1, .late) }
            }
            state.waiting.append(element)
            state.ledger.accept()
            return (outcome, state.onChange)
        }
        guard let (outcome, onChange) = result else { return .closed }
        onChange?()
        return outcome
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
            state.count { $0.skip() }
        }
    }

    /// Counts a frame that was dropped before it was enqueued.
    package func drop(_ reason: DropReason) {
        state.withLock { state in
            guard state.ending == nil else { return }
            state.count { $0.refuse(reason) }
        }
    }

    /// Ends the input: queued frames are still delivered, then the queue ends.
    package func finish(throwing error: (any Error)? = nil) {
        let onChange = state.withLockSignalling { state in
            if state.ending == nil { state.ending = .finished(error) }
            return state.onChange
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
        /// No frame can be taken yet. See ``FrameQueue/whenChanged(_:)``.
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

    /// Takes the oldest queued frame in hand together with a lease for it. Does not block.
    ///
    /// - Parameter condition: Whether to take the frame; if not, it stays queued. Called with the lock held.
    /// - Returns: The frame; nil if none is queued, or if it was not taken. At the reader's limit of frames the lease is
    ///   nil, and with a lossless policy the frame stays queued.
    package func takeLeased(where condition: (Element) -> Bool) -> (element: Element, lease: FrameLease?)? {
        state.withLockSignalling { state in
            guard let first = state.waiting.first, condition(first) else { return nil }
            let hasRoom = state.leases.count < leaseLimit
            guard hasRoom || !policy.isLossless else { return nil }
            state.waiting.removeFirst()
            state.ledger.take()
            return (first, hasRoom ? FrameLease(owner: self, number: state.beginLease()) : nil)
        }
    }

    /// Returns the result of ``take(where:)`` without taking the frame.
    package func peek() -> Take {
        state.withLock { $0.first }
    }

    /// What ``peek()`` would return, and whether the reader holds its limit of frames.
    package var outlook: Outlook {
        state.withLock { state in
            Outlook(
                hasElement: !state.waiting.isEmpty, hasEnded: state.ending != nil,
                isAtLimit: state.leases.count >= leaseLimit)
        }
    }

    /// What a queue has to take.
    package struct Outlook: Sendable {
        /// Whether there is a frame.
        package let hasElement: Bool
        /// Whether the end comes after the frames, if any.
        package let hasEnded: Bool
        /// Whether the reader holds its limit of frames.
        package let isAtLimit: Bool

        /// Whether there is a frame or the end.
        package var hasSomething: Bool { hasElement || hasEnded }
    }

    /// Returns a token for a frame about to be delivered; the frame counts as held until the token is released. Nil
    /// when the reader holds its limit; see ``whenChanged(_:)``.
    package func lease() -> FrameLease? {
        state.withLock { state in
            guard state.leases.count < leaseLimit else { return nil }
            return FrameLease(owner: self, number: state.beginLease())
        }
    }

    /// Counts a frame in hand as delivered.
    package func finishInHand() {
        state.withLock { state in
            state.count { $0.deliver() }
        }
    }

    /// Counts a frame in hand as dropped.
    package func dropInHand(_ reason: DropReason) {
        state.withLock { state in
            state.count { $0.dropInHand(reason) }
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
            state.count { $0.dropWaiting(count, reason) }
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
            state.count { $0.skipWaiting(waiting.count) }
            return waiting
        }
        withExtendedLifetime(waiting) {}
    }

    /// Ends the queue at once: queued frames are dropped as `stopped`, and no more are accepted.
    package func close() {
        let (waiting, onChange) = state.withLockSignalling { state in
            if case .closed = state.ending { return ([Element](), state.onChange) }
            state.ending = .closed
            return (state.drain(.stopped), state.onChange)
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
        state.withLock { ($0.leases.count, $0.leases.first?.begin) }
    }
}

extension FrameQueue: FrameLeaseOwner {
    func endLease(_ number: UInt64) {
        let onChange = state.withLockSignalling { state in
            if let index = state.leases.firstIndex(where: { $0.number == number }) {
                state.leases.remove(at: index)
                state.observer?.holdingsChanged(by: -1)
            }
            return state.onChange
        }
        onChange()
    }
}

extension FrameQueue.State {
    /// Changes the ledger by frames that have left the queue, and reports the change. Frames that only move on within it
    /// are not reported.
    fileprivate mutating func count(_ change: (inout ReaderLedger) -> Void) {
        let old = ledger
        change(&ledger)
        observer?.ledgerChanged(from: old, to: ledger)
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
        count { $0.dropWaiting(drained.count, reason) }
        return drained
    }
}
