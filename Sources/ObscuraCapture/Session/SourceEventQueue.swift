// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// A queue of a source's events until its session has announced its start; then they are delivered in order.
///
/// A device that is not available yet is interrupted from the start, but listeners must first get the start of the
/// session. Never holds more than one interruption and one end.
final class SourceEventQueue: Sendable {
    fileprivate struct State {
        var events: [SourceEvent] = []
        var isAnnounced = false
        var isClosed = false
        /// Whether a thread is delivering events, so that there is at most one.
        var isTelling = false
    }

    private let state = Lock(State())

    /// Delivers the event after those queued before it, or queues it. `tell` is called without a lock held.
    func send(_ event: SourceEvent, _ tell: (SourceEvent) -> Void) {
        state.withLock { $0.add(event) }
        drain(tell)
    }

    /// Waits until the session has announced its start and all earlier events were delivered, and then delivers the event.
    ///
    /// For a source that is not live: it can wait, so that its events are the same each time. Ends without the event if the
    /// queue is closed.
    func sendInTurn(_ event: SourceEvent, _ tell: (SourceEvent) -> Void) {
        let isTurn = state.wait { state -> Bool? in
            if state.isClosed { return false }
            return state.isAnnounced && !state.isTelling && state.events.isEmpty ? true : nil
        }
        if isTurn == true { send(event, tell) }
    }

    /// Delivers the queued events; later events are delivered at once.
    func announce(_ tell: (SourceEvent) -> Void) {
        state.withLockSignalling { $0.isAnnounced = true }
        drain(tell)
    }

    /// Ends all waits.
    func close() {
        state.withLockSignalling { $0.isClosed = true }
    }

    private func drain(_ tell: (SourceEvent) -> Void) {
        let isFirst = state.withLock { state in
            guard state.isAnnounced, !state.isTelling else { return false }
            state.isTelling = true
            return true
        }
        guard isFirst else { return }
        while let event = state.withLockSignalling({ $0.next() }) { tell(event) }
    }
}

extension SourceEventQueue.State {
    /// Queues an event, merging it with a queued interruption or its end.
    fileprivate mutating func add(_ event: SourceEvent) {
        switch (events.last, event) {
        case (.interrupted, .resumed): events.removeLast()
        case (.interrupted, .interrupted), (.resumed, .resumed): events[events.count - 1] = event
        case (.resumed, .interrupted):
            // Only the new interruption is reported, since the previous one already was.
            events[events.count - 1] = event
        case (.ended, _): break
        case (nil, _), (_, .ended): events.append(event)
        }
    }

    fileprivate mutating func next() -> SourceEvent? {
        guard events.isEmpty else { return events.removeFirst() }
        isTelling = false
        return nil
    }
}
