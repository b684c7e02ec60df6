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

    /// Notes a sample that is being handled from now on.
    ///
    /// - Parameter arrival: the time at which the driver received it, if it is a frame that is watched for.
    func begin(_ arrival: HostTime?, at now: HostTime) {
        let gap = state.withLock { state -> RecordingResult.Gap? in
            state.watch.beginHandling()
            guard let arrival, let gap = state.watch.arrive(at: arrival, noted: now) else { return nil }
            // The frame may have waited for its thread on a busy machine.
            let isListed = gap.duration >= state.watch.patience && state.gaps.count < Self.mostGaps
            if isListed { state.gaps.append(gap) }
            return gap
        }
        if let gap { onEvent(.framesResumed(gap)) }
    }

    /// Notes that a sample was handled, for which ``begin(_:at:)`` was called at `begin`.
    func end(since begin: HostTime) {
        let now = HostTime.now
        state.withLock { $0.watch.endHandling(after: now - begin, at: now) }
    }

    /// Looks for gaps from now on, as long as the recording runs.
    ///
    /// - Parameter recording: returns the phase of the recording, its duration, and the time for which frames are gathered; nil
    ///   when it is gone.
    func watch(
        _ recording:
            @escaping @Sendable () -> (phase: RecordingGate.Phase, duration: MediaTime, gathering: Duration)?
    ) {
        let delay = state.withLock { $0.watch.delay(at: .now) }
        timers.asyncAfter(deadline: .now() + .nanoseconds(Int(delay.wholeNanoseconds))) { [weak self] in
            guard let self, let (phase, duration, gathering) = recording() else { return }
            let hasStopped = state.withLock { state in
                state.watch.gathering = gathering
                // A paused recording expects none.
                if phase != .recording { state.watch.forget() }
                return state.watch.beginsGap(at: .now, recorded: duration)
            }
            if hasStopped { onEvent(.framesStopped) }
            if phase != .ended { watch(recording) }
        }
    }
}
