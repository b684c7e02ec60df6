// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraCapture
internal import ObscuraMedia

/// The timer at which a recording gets the copied samples of a live source, many at once.
final class SampleGathering: Sendable {
    private struct State {
        var timer: GatheringTimer?
        var pace = GatheringPace()
        var isUrgent = true

        /// Called after a change of the other values.
        func setInterval() {
            let interval = isUrgent ? SampleGathering.urgentInterval : pace.interval
            if let timer, timer.interval != interval { timer.interval = interval }
        }
    }

    /// The interval while the beginning or the end of a segment waits for samples.
    static let urgentInterval = Duration.milliseconds(20)

    /// Maximum time that the last delivery waits for a slow encoder or disk: part of the time in which a session stops.
    private static let flushPatience = Duration.milliseconds(500)

    private let state = Lock(State())

    /// Starts the timer; nil if the system cannot start more threads.
    func begin() -> GatheringTimer? {
        let timer = GatheringTimer(interval: Self.urgentInterval)
        state.withLock { $0.timer = timer }
        return timer
    }

    /// Whether the beginning or the end of a segment waits for samples.
    var isUrgent: Bool {
        get { state.withLock { $0.isUrgent } }
        set {
            state.withLock { state in
                guard state.isUrgent != newValue else { return }
                state.isUrgent = newValue
                state.setInterval()
            }
        }
    }

    /// The time between two deliveries; nil before the begin and after the end.
    var interval: Duration? { state.withLock { $0.timer?.interval } }

    /// Adapts the interval to the bit rate.
    func note(_ sample: MediaSample, of track: SampleTrack) {
        guard let byteCount = sample.encodedByteCount else { return }
        state.withLock { state in
            let before = state.pace.interval
            state.pace.note(byteCount, of: track, at: sample.hostTime)
            if state.pace.interval != before { state.setInterval() }
        }
    }

    /// Delivers the samples gathered so far, before they are discarded.
    func flush() {
        state.withLock { $0.timer }?.flush(until: .now + Self.flushPatience)
    }

    /// Ends the timer, which the readers of the samples may still own.
    func end() {
        let timer = state.withLock { state in
            defer { state.timer = nil }
            return state.timer
        }
        timer?.end()
    }
}
