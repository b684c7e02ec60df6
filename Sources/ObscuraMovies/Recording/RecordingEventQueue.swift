// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase

/// Delivers the events of a recording one at a time, in the order in which they were added.
///
/// Several threads decide about a recording. Each adds its event under the lock that orders the decisions, and delivers it
/// afterwards, without a lock. Otherwise another thread could overtake it, and `paused` would follow `resumed`.
final class RecordingEventQueue: Sendable {
    fileprivate struct State {
        var events: [RecordingEvent] = []
        /// Whether a thread is delivering events, so that there is at most one.
        var isDelivering = false
    }

    private let receive: @Sendable (RecordingEvent) -> Void
    private let state = Lock(State())

    init(receive: @escaping @Sendable (RecordingEvent) -> Void) {
        self.receive = receive
    }

    func add(_ event: RecordingEvent) {
        state.withLock { $0.events.append(event) }
    }

    /// Delivers the added events, unless another thread is doing so.
    func deliver() {
        let isFirst = state.withLock { state in
            defer { state.isDelivering = true }
            return !state.isDelivering
        }
        guard isFirst else { return }
        while let event = state.withLock({ $0.next() }) { receive(event) }
    }

    func send(_ event: RecordingEvent) {
        add(event)
        deliver()
    }
}

extension RecordingEventQueue.State {
    fileprivate mutating func next() -> RecordingEvent? {
        guard events.isEmpty else { return events.removeFirst() }
        isDelivering = false
        return nil
    }
}
