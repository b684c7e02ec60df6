// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Dispatch
internal import ObscuraBase
internal import ObscuraMedia

/// Reports when no frames arrive at a recording, and when they arrive again; see ``ArrivalWatch``.
final class ArrivalReporter: Sendable {
    private struct State {
        var watch: ArrivalWatch
        var gaps: [RecordingResult.Gap] = []
    }

    /// The time without frames that is reported.
    static let usualPatience = Duration.seconds(2)
    /// Number of gaps that the result lists.
    private static let mostGaps = 1000

    private let state: Lock<State>
    private let timers = DispatchQueue(label: "obscura.arrivals")
    private let onEvent: @Sendable (RecordingEvent) -> Void

    init(patience: Duration, onEvent: @escaping @Sendable (RecordingEvent) -> Void) {
        state = Lock(State(watch: ArrivalWatch(patience: patience)))
        self.onEvent = onEvent
    }

    /// The gaps so far.
    var gaps: [RecordingResult.Gap] { state.withLock { $0.gaps } }

    /// Notes a frame.
    func note(at arrival: HostTime) {
        let gap = state.withLock { state -> RecordingResult.Gap? in
            guard let gap = state.watch.arrive(at: arrival) else { return nil }
            if state.gaps.count < Self.mostGaps { state.gaps.append(gap) }
            return gap
        }
        if let gap { onEvent(.framesResumed(gap)) }
    }

    /// Looks for gaps from now on, as long as the recording runs.
    ///
    /// - Parameter recording: returns the phase of the recording and its duration; nil when it is gone.
    func watch(_ recording: @escaping @Sendable () -> (phase: RecordingGate.Phase, duration: MediaTime)?) {
        let delay = state.withLock { $0.watch.delay(at: .now) }
        timers.asyncAfter(deadline: .now() + .nanoseconds(Int(delay.wholeNanoseconds))) { [weak self] in
            guard let self, let (phase, duration) = recording() else { return }
            let hasStopped = state.withLock { state in
                // A paused recording expects none.
                if phase != .recording { state.watch.forget() }
                return state.watch.beginsGap(at: .now, recorded: duration)
            }
            if hasStopped { onEvent(.framesStopped) }
            if phase != .ended { watch(recording) }
        }
    }
}
