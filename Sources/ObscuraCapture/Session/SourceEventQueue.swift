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
        /// Whether a thread is delivering events, so that there is at most one.
        var isTelling = false
    }

    private let state = Lock(State())

    /// Delivers the event after those queued before it, or queues it. `tell` is called without a lock held.
    func send(_ event: SourceEvent, _ tell: (SourceEvent) -> Void) {
        state.withLock { $0.add(event) }
        drain(tell)
    }

    /// Delivers the queued events; later events are delivered at once.
    func announce(_ tell: (SourceEvent) -> Void) {
        state.withLock { $0.isAnnounced = true }
        drain(tell)
    }

    private func drain(_ tell: (SourceEvent) -> Void) {
        let isFirst = state.withLock { state in
            guard state.isAnnounced, !state.isTelling else { return false }
            state.isTelling = true
            return true
        }
        guard isFirst else { return }
        while let event = state.withLock({ $0.next() }) { tell(event) }
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
