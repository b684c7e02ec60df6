// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraCapture
public import ObscuraMedia
internal import ObscuraMovies

/// An output that broadcasts the video and audio of a running session: to servers by RTMP, RTSP, SRT and UDP, as HLS to
/// a folder, and to a movie.
///
/// ```swift
/// let broadcast = BroadcastOutput()
/// try await session.configure { configuration in
///     try configuration.addInput(CaptureDeviceInput(device: camera))
///     try configuration.addInput(CaptureDeviceInput(device: microphone))
///     try configuration.addOutput(broadcast)
/// }
/// try await session.start()
/// let events = broadcast.events
/// try broadcast.startBroadcast(to: [BroadcastDestination("rtmp://live.example.com/app/key")])
/// for await event in events {
///     print(event)
///     if case .finished = event { break }    // the session has stopped, or stopBroadcast() was called
/// }
/// ```
///
/// Frames are encoded once for all destinations. A slow or lost destination does not affect the camera, the other
/// outputs of the session or the other destinations; see ``BroadcastWriter``. The broadcast continues if you switch
/// cameras, if you change the preset, or if a camera is temporarily lost. All frames are fitted to the size of the
/// first frame.
///
/// Thread-safe.
public final class BroadcastOutput: CaptureOutput, @unchecked Sendable {  // Its properties are constants and a lock.
    private struct State {
        var settings: BroadcastSettings
        var run: BroadcastRun?
        /// A start is in progress, which may take a while because it searches for an encoder.
        var isStarting = false
        var last: BroadcastStatistics?
    }

    private let outputs: SampleOutputs
    private let metrics: DeliveryMetrics
    private let state: Lock<State>
    private let listeners = EventListeners<BroadcastEvent>()

    /// Creates an output.
    ///
    /// - Parameters:
    ///   - name: name in statistics and error messages.
    ///   - settings: settings for encoding and sending.
    public init(name: String = "broadcast", settings: BroadcastSettings = BroadcastSettings()) {
        outputs = SampleOutputs(name: name)
        state = Lock(State(settings: settings))
        metrics = DeliveryMetrics(output: name)
        super.init(name: name, parts: outputs.all)
    }

    /// Settings for encoding and sending; used for the next broadcast.
    public var settings: BroadcastSettings {
        get { state.withLock { $0.settings } }
        set { state.withLock { $0.settings = newValue } }
    }

    /// Whether a broadcast is running.
    public var isBroadcasting: Bool { state.withLock { $0.run != nil } }

    /// Statistics of the current or the last broadcast; nil before the first broadcast.
    public var statistics: BroadcastStatistics? {
        let (run, last) = state.withLock { ($0.run, $0.last) }
        return run?.statistics ?? last
    }

    /// A new stream of the events of all broadcasts of this output, beginning at the time of access. The stream buffers
    /// 64 unread events; if there are more, the oldest are lost.
    public var events: AsyncStream<BroadcastEvent> { listeners.makeStream() }

    /// Starts a broadcast, which begins with the next frame. Each destination is connected independently of the other
    /// destinations; ``events`` reports the progress.
    ///
    /// - Throws: ``ObscuraError``: `invalidState` if a broadcast is already running, or if the session connects neither
    ///   video nor audio to this output; `unsupportedFormat` if the frames of the source cannot be copied
    ///   (``BroadcastSettings/copiesVideo``); `invalidSettings`; `encoderUnavailable` if no audio encoder is available;
    ///   `fileExists` if a movie or its partial file (`movie.recording.mp4`) already exists; `notWritable` if a movie
    ///   or a playlist cannot be created under its name; `libraryMissing` without FFmpeg.
    public func startBroadcast(to destinations: [BroadcastDestination]) throws(ObscuraError) {
        let settings = state.withLock { state -> BroadcastSettings? in
            guard state.run == nil, !state.isStarting else { return nil }
            state.isStarting = true
            return state.settings
        }
        guard let settings else {
            throw ObscuraError(
                .broadcast, .invalidState, subject: name, reason: "a broadcast is already running",
                advice: "Stop the broadcast first.")
        }
        defer {
            outputs.holdsSources = false
            state.withLock { $0.isStarting = false }
        }
        let source = try outputs.source(video: true, audio: settings.audio != nil, for: .broadcast)
        var used = settings
        if !source.hasAudio { used.audio = nil }
        var copied = CopiedMedia()
        if settings.copiesVideo {
            copied = try source.copiedMedia(
                for: .broadcast, subject: name, takesVideo: { settings.supports($0, for: destinations) },
                takesAudio: { $0 == .aac })
            used.copiesVideo = !copied.video.isEmpty
        }
        used.copiedAudio = copied.audio.values.first
        let writer = try BroadcastWriter(
            to: destinations, settings: used, hasVideo: source.hasVideo, metrics: metrics, listeners: listeners,
            announce: { [weak self] in self?.note($0) })
        let run = BroadcastRun(writer, source, copying: copied)
        state.withLock { $0.run = run }
        run.begin()
    }

    /// Keeps the sources from delivering anything, from the start of the session until a broadcast has begun or could not
    /// begin. That broadcast misses nothing, so that a copy begins with the first key frame of a camera.
    package func holdSources() { outputs.holdsSources = true }

    /// Ends the broadcast with the frames received so far; see ``BroadcastWriter/finish()``.
    ///
    /// - Returns: the final statistics, also if the broadcast had already ended by itself; nil if there was no
    ///   broadcast.
    @discardableResult
    nonisolated(nonsending) public func stopBroadcast() async -> BroadcastStatistics? {
        guard let run = state.withLock({ $0.run }) else { return state.withLock { $0.last } }
        return await run.stop()
    }

    private func note(_ event: BroadcastEvent) {
        if case .finished = event, let run = state.withLock({ $0.run }) {
            run.source.end()
            let statistics = run.statistics
            state.withLock { state in
                state.last = statistics
                state.run = nil
            }
        }
        listeners.send(event)
    }
}

// MARK: - Session

extension BroadcastOutput: CompositeOutput {
    package func partsDidStop() { state.withLock { $0.run }?.sessionStopped() }

    package var destinations: [SessionLedger.Destination] {
        let isActive = isBroadcasting
        return (statistics?.destinations ?? []).map {
            SessionLedger.Destination(name: $0.name, output: name, isActive: isActive, delivery: $0.delivery)
        }
    }
}
