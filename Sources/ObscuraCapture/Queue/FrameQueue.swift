// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
package import ObscuraMedia

/// The mailbox of one reader: what waits for it, what it holds, and the account of both.
///
/// ```
///            offer            take              hand over          finish
///   source ────────► waiting ──────► in hand ─────────────► leased ───────► delivered
///               │        │               │                    (until the reader lets go
///               ▼        ▼               ▼                     of the frame's memory)
///            dropped  dropped         dropped
/// ```
///
/// One source's thread offers; one consumer takes. Everything else may be called from any thread. All
/// counts change under one lock, so that ``ledger`` is exact at every moment.
package final class FrameQueue<Element: Sendable>: Sendable {
    /// What became of an offered frame.
    package enum Outcome: Sendable {
        case accepted
        /// The frame waits; this older one was dropped for it, as `late`.
        case acceptedInPlaceOf(Element)
        /// The frame was not taken.
        case dropped(DropReason)
        /// The frame was not taken, and these, which waited, were dropped for the same reason: the reader
        /// that holds its limit is not to get an old frame first when it lets go.
        case droppedWithWaiting(DropReason, [Element])
        /// The queue is closed and keeps no account any more.
        case closed
    }

    /// How a queue ended.
    fileprivate enum Ending {
        case finished((any Error)?)
        case closed
    }

    fileprivate struct State {
        var waiting: [Element] = []
        var ledger = ReaderLedger()
        /// Since when each held frame is held.
        var leases: [UInt64: HostTime] = [:]
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

    /// What happens to a frame that comes while the reader is busy.
    package let policy: LateFramePolicy
    /// How many frames the reader may hold.
    package let leaseLimit: Int
    private let state: Lock<State>
    private let onChange: @Sendable () -> Void

    /// - Parameters:
    ///   - policy: what happens to a frame that comes while the reader is busy.
    ///   - leaseLimit: how many frames the reader may hold at once.
    ///   - onChange: called, without any lock held, when there may be something to take: a frame came, a
    ///     lease ended, the queue ended. On the thread that did it; must not block.
    package init(policy: LateFramePolicy, leaseLimit: Int = 8, onChange: @escaping @Sendable () -> Void = {}) {
        self.policy = policy
        self.leaseLimit = max(1, leaseLimit)
        self.onChange = onChange
        state = Lock(State())
    }

    // MARK: The source's side

    /// Offers a frame. With the lossless policy it blocks while the queue is full and not ended.
    ///
    /// - Parameter epoch: the timeline of the frame, if it has one; see ``begin(epoch:)``.
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

    /// From now on only frames of this epoch are let in; what waits is dropped as `discontinuity`, and so is
    /// a frame of another epoch whose source is blocked in its offer.
    ///
    /// - Returns: what waited.
    package func begin(epoch: UInt64) -> [Element] {
        state.withLockSignalling { state in
            state.epoch = epoch
            return state.drain(.discontinuity)
        }
    }

    /// Accounts for a frame that the reader asked not to get.
    package func skip() {
        state.withLock { state in
            guard state.ending == nil else { return }
            state.ledger.skip()
        }
    }

    /// Accounts for a frame that never came into the queue.
    package func drop(_ reason: DropReason) {
        state.withLock { state in
            guard state.ending == nil else { return }
            state.ledger.refuse(reason)
        }
    }

    /// No more frames will come: what waits is still delivered, then the queue is at its end.
    package func finish(throwing error: (any Error)? = nil) {
        state.withLockSignalling { state in
            if state.ending == nil { state.ending = .finished(error) }
        }
        onChange()
    }

    /// The source begins again before anything of it was offered: what was told of its end does not count.
    package func revive() {
        state.withLock { state in
            if case .finished = state.ending, state.ledger.offered == 0 { state.ending = nil }
        }
    }

    // MARK: The reader's side

    /// What there is to take.
    package enum Take: Sendable {
        case element(Element)
        /// Nothing yet; `onChange` will tell.
        case nothing
        /// All has been taken; the error is why it ended early.
        case ended((any Error)?)
    }

    /// Takes the oldest waiting frame in hand. Does not wait.
    ///
    /// - Parameter condition: leaves the frame where it is, as `nothing`, if it returns false. Called with
    ///   the lock held.
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

    /// What ``take(where:)`` would give, left where it is.
    package func peek() -> Take {
        state.withLock { $0.first }
    }

    /// The token of a frame that the reader is about to be given; the frame counts as held until the
    /// token is gone. Nil when the reader holds as many as it may; `onChange` tells when it lets go of one.
    package func lease() -> FrameLease? {
        let id = state.withLock { state -> UInt64? in
            guard state.leases.count < leaseLimit else { return nil }
            defer { state.nextLease += 1 }
            state.leases[state.nextLease] = .now
            return state.nextLease
        }
        guard let id else { return nil }
        return FrameLease { [weak self] in self?.endLease(id) }
    }

    /// The reader is done with a frame in hand.
    package func finishInHand() {
        state.withLock { state in
            state.ledger.deliver()
        }
    }

    /// A frame in hand does not reach the reader.
    package func dropInHand(_ reason: DropReason) {
        state.withLock { state in
            state.ledger.dropInHand(reason)
        }
    }

    // MARK: Both

    /// Drops what waits, and goes on.
    package func flush(_ reason: DropReason) {
        let waiting = state.withLockSignalling { $0.drain(reason) }
        withExtendedLifetime(waiting) {}
    }

    /// Accounts for what waits as frames that the reader does not ask for any more, and goes on.
    package func skipWaiting() {
        let waiting = state.withLockSignalling { state in
            let waiting = state.waiting
            state.waiting.removeAll()
            state.ledger.skipWaiting(waiting.count)
            return waiting
        }
        withExtendedLifetime(waiting) {}
    }

    /// Ends the queue at once: what waits is dropped as `stopped`, and no more is offered.
    package func close() {
        let waiting = state.withLockSignalling { state in
            if case .closed = state.ending { return [Element]() }
            state.ending = .closed
            return state.drain(.stopped)
        }
        withExtendedLifetime(waiting) {}
        onChange()
    }

    /// The account of this moment.
    package var ledger: ReaderLedger { state.withLock { $0.ledger } }

    /// Whether no more frames are taken in; some may still wait.
    package var hasEnded: Bool { state.withLock { $0.ending != nil } }

    /// How many frames the reader holds, and since when it holds the oldest.
    package var holdings: (count: Int, oldest: HostTime?) {
        state.withLock { ($0.leases.count, $0.leases.values.min()) }
    }

    private func endLease(_ id: UInt64) {
        state.withLockSignalling { _ = $0.leases.removeValue(forKey: id) }
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

/// A reader's hold on one frame. It ends when the last copy of the frame's picture is gone.
package final class FrameLease: Sendable {
    private let onEnd: @Sendable () -> Void

    init(onEnd: @escaping @Sendable () -> Void) {
        self.onEnd = onEnd
    }

    deinit {
        onEnd()
    }
}
