// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraCapture
internal import ObscuraMedia

/// The player of an ``AudioPreviewOutput``: a queue, and a thread that writes from it to the playback device.
///
/// The thread and the open device exist while audio arrives: from the first buffer until the session stops, or no audio
/// has arrived for a while.
final class AudioPlayer: AudioDataOutputDelegate {
    struct State {
        var queue: PlaybackQueue
        var volume: Float = 1
        var playedFrames: UInt64 = 0
        /// The duration of the audio in the device.
        var inDevice = Duration.zero
        /// Signals the end to the thread; nil while no thread runs.
        var end: EventFD?
        /// The failure that was last reported.
        var failure: ObscuraError.Code?
    }

    /// The time limits of a player.
    struct Limits: Sendable {
        /// The time without audio after which the device is closed.
        var idle = Duration.seconds(3)
        /// The time without room after which a device counts as stalled.
        var stall = Duration.seconds(3)
        /// The interval of attempts to open a device that failed.
        var retry = Duration.seconds(1)
    }

    let name: String
    let device: String
    let limits: Limits
    /// Opens the device.
    let open: @Sendable (String) throws(ObscuraError) -> any PlaybackPCM
    let latency: Duration
    let onEvent: @Sendable (AudioPreviewEvent) -> Void
    /// Sets the format that the source must convert to; nil for its own.
    let onFormat: @Sendable (AudioFormat?) -> Void
    let state: Lock<State>
    /// A single thread, so that a device is closed before it is opened again.
    private let thread = WorkerPool(name: "playback", threads: 1)

    /// Creates a player.
    ///
    /// - Parameters:
    ///   - name: the name of the output.
    ///   - device: the name of the device.
    ///   - latency: the requested latency.
    ///   - open: opens the device.
    ///   - onEvent: called on any thread; must not block.
    ///   - onFormat: sets the format that the source must convert to; nil for its own.
    init(
        name: String, device: String, latency: Duration, limits: Limits = Limits(),
        open: @escaping @Sendable (String) throws(ObscuraError) -> any PlaybackPCM = { device throws(ObscuraError) in
            try ALSAPlaybackPCM(opening: device)
        },
        onEvent: @escaping @Sendable (AudioPreviewEvent) -> Void,
        onFormat: @escaping @Sendable (AudioFormat?) -> Void
    ) {
        self.name = name
        self.device = device
        self.latency = latency
        self.limits = limits
        self.open = open
        self.onEvent = onEvent
        self.onFormat = onFormat
        state = Lock(State(queue: PlaybackQueue(latency: latency)))
    }

    var volume: Float {
        get { state.withLock { $0.volume } }
        set { state.withLock { $0.volume = newValue.isNaN ? 0 : min(max(0, newValue), 1) } }
    }

    var statistics: AudioPreviewStatistics {
        state.withLock { state in
            AudioPreviewStatistics(
                playedFrames: state.playedFrames, droppedFrames: state.queue.droppedFrames,
                underruns: state.queue.underruns, latency: state.queue.duration + state.inDevice)
        }
    }

    /// Whether a thread runs.
    var isRunning: Bool { state.withLock { $0.end != nil } }

    // MARK: The source's side

    func output(_ output: AudioDataOutput, didOutput sound: AudioBuffer, from connection: CaptureConnection) {
        play(sound)
    }

    func output(_ output: AudioDataOutput, didFinishWith error: ObscuraError?) {
        if let error { report(error) }
        finish()
    }

    /// Queues audio, and starts the thread if none runs.
    func play(_ sound: AudioBuffer) {
        do throws(ObscuraError) {
            let end = try state.withLockSignalling { state throws(ObscuraError) -> EventFD? in
                state.queue.append(sound)
                guard state.end == nil else { return nil }
                state.end = try EventFD(name)
                return state.end
            }
            if let end { thread.async { [self] in run(until: end) } }
        } catch {
            report(error)
        }
    }

    /// Plays the remaining audio, and ends.
    func finish() {
        state.withLockSignalling { $0.queue.end() }
    }

    /// Stops at once, without waiting for the thread.
    func stop() {
        let end = state.withLockSignalling { state in
            state.queue.clear()
            state.failure = nil
            defer { state.end = nil }
            return state.end
        }
        end?.signal()
        onFormat(nil)
    }

    /// Reports a failure, unless it was reported already.
    ///
    /// - Parameter end: that of the thread that failed; nothing is reported if it was signaled. Nil for other failures.
    func report(_ error: ObscuraError, from end: EventFD? = nil) {
        let isNew = state.withLock { state in
            if let end, state.end !== end { return false }
            defer { state.failure = error.code }
            return state.failure != error.code
        }
        if isNew { onEvent(.failed(error)) }
    }
}
