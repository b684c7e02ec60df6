// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// Keeps what a source tells until its session has announced that it runs, and hands it on in order.
///
/// A device that is waited for is interrupted from its first moment on; whoever listens hears first that the
/// session runs. Never holds more than an interruption and an end.
final class SourceEventQueue: Sendable {
    fileprivate struct State {
        var events: [SourceEvent] = []
        var isAnnounced = false
        /// Whether a thread is handing events on, so that there is never more than one.
        var isTelling = false
    }

    private let state = Lock(State())

    /// Hands the event on, and what waits before it; or keeps it. `tell` is called without a lock held.
    func send(_ event: SourceEvent, _ tell: (SourceEvent) -> Void) {
        state.withLock { $0.add(event) }
        drain(tell)
    }

    /// From now on nothing waits.
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
    /// An interruption that is over, or has another reason by now, before anybody heard of it is not told.
    fileprivate mutating func add(_ event: SourceEvent) {
        switch (events.last, event) {
        case (.interrupted, .resumed): events.removeLast()
        case (.interrupted, .interrupted), (.resumed, .resumed): events[events.count - 1] = event
        case (.resumed, .interrupted):
            // It is told of the new interruption only: the one before it has been heard of.
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
