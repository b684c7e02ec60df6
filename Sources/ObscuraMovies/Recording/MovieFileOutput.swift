// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraCapture
public import ObscuraMedia

/// An output that records a running session to a movie.
///
/// ```swift
/// let movie = MovieFileOutput()
/// try await session.configure { configuration in
///     try configuration.addInput(CaptureDeviceInput(device: camera))
///     try configuration.addInput(CaptureDeviceInput(device: microphone))
///     try configuration.addOutput(movie)
/// }
/// try await session.start()
/// try await movie.startRecording(to: "movie.mp4")
/// …
/// let result = await movie.stopRecording()
/// ```
///
/// A movie continues when you switch cameras or change the preset, and when a camera is temporarily lost. Later frames
/// are fitted to the size of the first frame. During a gap, the last frame is shown. The movie has audio only if the
/// session has a microphone, and video only if the session has a camera. Audio or video whose ``CaptureConnection`` is
/// disabled when the recording starts is left out.
///
/// Stop the recording before you stop the session: stopping a session drops the frames that wait for the encoder.
///
/// In the movie, samples of live sources are placed by their ``VideoFrame/hostTime``, so that video and audio are in
/// sync. Samples of a movie that is read as fast as possible (``MovieReadingOptions/Pace/lossless``) are placed by
/// their presentation times.
///
/// Thread-safe.
public final class MovieFileOutput: CaptureOutput, @unchecked Sendable {  // Its properties are constants and a lock.
    private struct State {
        var video: VideoSettings?
        var audio: AudioSettings?
        var limits = RecordingLimits()
        var run: RecordingRun?
        var last: RecordingResult?
        var arrivalPatience = ArrivalReporter.usualPatience
        var beforeFrame: (@Sendable (MediaTime) -> Void)?
    }

    /// The tracks of each movie. If nil, a movie has one video track and one audio track, if the session delivers them.
    public let tracks: [MovieTrack]?
    private let outputs: SampleOutputs
    private let metrics: DeliveryMetrics
    private let state: Lock<State>
    private let listeners = EventListeners<RecordingEvent>()

    /// Creates an output.
    ///
    /// - Parameters:
    ///   - name: name in statistics and error messages.
    ///   - video: settings for video; nil records no video.
    ///   - audio: settings for audio; nil records no audio.
    public init(
        name: String = "movie", video: VideoSettings? = VideoSettings(), audio: AudioSettings? = AudioSettings()
    ) {
        tracks = nil
        outputs = SampleOutputs(name: name)
        state = Lock(State(video: video, audio: audio))
        metrics = DeliveryMetrics(output: name)
        super.init(name: name, parts: outputs.all)
    }

    /// Creates an output that records several cameras or microphones into one movie, one track each.
    ///
    ///     let movie = MovieFileOutput(tracks: [
    ///         MovieTrack(.video(VideoSettings()), title: "Front"),
    ///         MovieTrack(.video(VideoSettings()), title: "Back"),
    ///         MovieTrack(.audio(AudioSettings()), title: "Driver", language: "eng"),
    ///         MovieTrack(.subtitles, language: "eng"),
    ///     ])
    ///
    /// The ``CaptureOutput/connections`` are those of the video and audio tracks, in their order. The first video track is
    /// connected to the first camera of the session, the second one to the second camera, and so on; likewise for audio.
    /// Use ``CaptureSession/Configuration/connect(_:to:)-(CaptureConnection,_)`` to choose another input. Texts and
    /// locations are appended with ``append(_:to:)-(TimedText,_)``.
    ///
    /// The first video track determines where a recording begins and ends; the others begin with their next frame. A camera
    /// or a microphone that is permanently lost ends the recording. ``RecordingEvent/framesStopped``, the gaps and the
    /// report are about the first video track.
    ///
    /// - Parameters:
    ///   - name: name in statistics and error messages.
    ///   - tracks: the tracks, at least one of video or audio. To write compressed frames unchanged, use
    ///     ``AssetWriter/Options/copiesVideo`` instead of ``MovieTrack/Content/copiedVideo``.
    public init(name: String = "movie", tracks: [MovieTrack]) {
        self.tracks = tracks
        outputs = SampleOutputs(
            name: name,
            tracks: tracks.indices.compactMap { index in
                let content = tracks[index].content
                if content.isVideo { return SampleTrack(index, .video) }
                return content.isAudio ? SampleTrack(index, .audio) : nil
            })
        state = Lock(State())
        metrics = DeliveryMetrics(output: name)
        super.init(name: name, parts: outputs.all)
    }

    // MARK: Settings

    /// Settings for the video of the next recording; nil records no video. No effect if the output has ``tracks``.
    public var videoSettings: VideoSettings? {
        get { state.withLock { $0.video } }
        set { state.withLock { $0.video = newValue } }
    }

    /// Settings for the audio of the next recording; nil records no audio. No effect if the output has ``tracks``.
    public var audioSettings: AudioSettings? {
        get { state.withLock { $0.audio } }
        set { state.withLock { $0.audio = newValue } }
    }

    /// Maximum duration of the next recording, not counting pauses; nil for unlimited.
    public var maxRecordedDuration: MediaTime? {
        get { state.withLock { $0.limits.duration } }
        set { state.withLock { $0.limits.duration = newValue } }
    }

    /// Maximum size of each file of the next recording in bytes, at least ``smallestFileSize``; nil for unlimited. The
    /// recording ends before a frame that could exceed the limit.
    public var maxRecordedFileSize: Int64? {
        get { state.withLock { $0.limits.fileSize } }
        set { state.withLock { $0.limits.fileSize = newValue } }
    }

    /// Minimum value of ``maxRecordedFileSize`` in bytes: a smaller file has no room for a header and a small frame.
    public static let smallestFileSize: Int64 = 16_000

    /// Disk space to keep free during the next recording, in bytes (default: 64,000,000). If less is free, a recording
    /// does not start, or ends with ``RecordingResult/Reason/diskFull``.
    public var minFreeDiskSpace: Int64 {
        get { state.withLock { $0.limits.freeSpace } }
        set { state.withLock { $0.limits.freeSpace = max(0, newValue) } }
    }

    /// The time without frames after which ``RecordingEvent/framesStopped`` is sent, for recordings that begin later.
    package var arrivalPatience: Duration {
        get { state.withLock { $0.arrivalPatience } }
        set { state.withLock { $0.arrivalPatience = newValue } }
    }

    /// Called before each frame of recordings that begin later, with the duration recorded until then: before each key frame if
    /// frames are copied, before each audio buffer without video. ``splitRecording(to:metadata:)`` then splits before this
    /// frame, also in a movie that is read as fast as possible. The frame waits meanwhile.
    package var beforeFrame: (@Sendable (MediaTime) -> Void)? {
        get { state.withLock { $0.beforeFrame } }
        set { state.withLock { $0.beforeFrame = newValue } }
    }

    // MARK: Recording

    /// Whether a recording is running or paused.
    public var isRecording: Bool { state.withLock { $0.run != nil } }
    /// Duration of the current recording, not counting pauses; zero if no recording is running.
    public var recordedDuration: MediaTime { state.withLock { $0.run }?.duration ?? .zero }
    /// Size of the current file in bytes; 0 if no recording is running.
    public var recordedFileSize: Int64 { state.withLock { $0.run }?.byteCount ?? 0 }

    /// A new stream of the events of all recordings of this output, beginning at the time of access. The stream buffers
    /// 64 unread events; if there are more, the oldest are lost.
    public var events: AsyncStream<RecordingEvent> { listeners.makeStream() }

    /// Starts a recording, and returns when the file has been created. The movie begins with the next frame.
    ///
    /// With ``AssetWriter/Options/copiesVideo``, the compressed frames of an H.264 or JPEG camera, a file or a network
    /// address are written unchanged. The movie, its continuation after a pause and the parts of a split movie then
    /// begin with the next key frame (``RecordingResult/keyFrameWaits``). Audio is also copied if it is compressed and
    /// the container supports its codec; other audio is encoded.
    ///
    /// - Parameters:
    ///   - path: path of the movie; its extension selects the container.
    ///   - options: whether an existing file is replaced, the metadata, and the length of the queue.
    /// - Throws: ``ObscuraError``: `invalidState` if a recording is running, if the session connects neither video nor
    ///   audio to this output, or if it does not connect all of the ``tracks``; `unsupportedFormat` if the frames
    ///   cannot be copied; and the errors of ``AssetWriter``.
    nonisolated(nonsending) public func startRecording(
        to path: String, options: AssetWriter.Options = AssetWriter.Options()
    ) async throws(ObscuraError) {
        try await startRecording(to: path, options: options, onEvent: { _ in })
    }

    /// Starts a recording, as ``startRecording(to:options:)-(String,_)`` does.
    ///
    /// - Parameter onEvent: receives the events of this recording only, in their order, on the thread that causes them.
    nonisolated(nonsending) package func startRecording(
        to path: String, options: AssetWriter.Options, onEvent: @escaping @Sendable (RecordingEvent) -> Void
    ) async throws(ObscuraError) {
        try await RecordingRun.preparing.run { [self] in
            Result { () throws(ObscuraError) in try start(path, options, onEvent) }
        }.get()
    }

    /// Keeps the sources from delivering anything, from the start of the session until a recording has begun or could not
    /// begin. That recording misses nothing, so that a copy begins with the first key frame of a camera.
    package func holdSources() { outputs.holdsSources = true }

    /// Pauses the recording until ``resumeRecording()``. The pause leaves no gap in the movie.
    public func pauseRecording() {
        state.withLock { $0.run }?.pause()
    }

    /// Resumes a paused recording with the next frame.
    public func resumeRecording() {
        state.withLock { $0.run }?.resume()
    }

    /// Starts a new file with the next frame, which becomes a key frame; no frame is lost or duplicated.
    ///
    /// Can be called at any time during a recording, including before its first frame and during a pause. Each file has
    /// at least one frame: if the current file has no frame yet, the next frame goes to the current file, and the frame
    /// after it starts the new file. If the recording ends before a new file has a frame, the file is not created; its
    /// path is in ``RecordingResult/omittedParts``.
    ///
    /// - Throws: ``ObscuraError``: `invalidState` if no recording is running, or if 64 earlier splits still wait for
    ///   their first frame; `fileExists` and `notWritable` for the path.
    public func splitRecording(to path: String, metadata: Metadata = Metadata()) throws(ObscuraError) {
        try runningRecording().split(to: path, metadata: metadata)
    }

    /// Ends the recording with the frames received so far, and waits until the file is complete.
    ///
    /// - Returns: the result, also if the recording had already ended by itself; nil if there was no recording.
    @discardableResult
    nonisolated(nonsending) public func stopRecording() async -> RecordingResult? {
        guard let run = state.withLock({ $0.run }) else { return state.withLock { $0.last } }
        run.stop(for: .stopped)
        return await run.result()
    }

    /// Ends the recording with the frames received so far. Does not wait until the file is complete.
    package func endRecording() {
        state.withLock { $0.run }?.stop(for: .stopped)
    }

    // MARK: Parts

    private func start(
        _ path: String, _ options: AssetWriter.Options, _ onEvent: @escaping @Sendable (RecordingEvent) -> Void
    ) throws(ObscuraError) {
        defer { outputs.holdsSources = false }
        let (video, audio, limits, isBusy) = state.withLock { ($0.video, $0.audio, $0.limits, $0.run != nil) }
        guard !isBusy else {
            throw ObscuraError(
                .recording, .invalidState, subject: name, reason: "a recording is already running",
                advice: "Stop the recording first.")
        }
        for (index, track) in (tracks ?? []).enumerated() {
            switch track.content {
            case .copiedVideo, .copiedAudio:
                throw .invalidSettings(
                    .recording, path, "\(track.name(index)) is a copied track, which this output does not support",
                    "To copy compressed frames and audio, set AssetWriter.Options.copiesVideo.")
            default: break
            }
        }
        let source =
            try tracks == nil
            ? outputs.source(video: video != nil, audio: audio != nil, for: .recording)
            : outputs.source(for: .recording)
        if let size = limits.fileSize, size < Self.smallestFileSize {
            throw .invalidSettings(
                .recording, path, "a maximum file size of \(size) bytes is too small for a movie",
                "Allow at least \(Self.smallestFileSize) bytes.")
        }
        if !DiskRoom.shared.keepsFree(limits.freeSpace, of: path), let free = DiskRoom.freeSpace(of: path) {
            throw ObscuraError(
                .recording, .diskFull, subject: path,
                reason: "less than \(RecordingLimits.text(limits.freeSpace)) of disk space is free: "
                    + "only \(RecordingLimits.text(free))",
                remedy: .reduceDiskReserve)
        }
        var options = options
        options.maximumFileSize = limits.fileSize
        options.minFreeDiskSpace = limits.freeSpace
        options.queueDepth = max(options.queueDepth, 4)
        options.camera = source.camera?.cameraMetadata ?? Metadata()
        options.dateSource = source.isLive ? .hostTime : .none
        var copied = CopiedMedia()
        if options.copiesVideo, let container = MovieContainer(path: path) {
            copied = try source.copiedMedia(
                for: .recording, subject: path, takesVideo: container.takes, takesAudio: container.takes)
        }
        let waits = Lock<[KeyFrameWait]>([])
        options.onKeyFrameWait = { wait in
            waits.withLock { if $0.count < KeyFrameWait.mostListed { $0.append(wait) } }
        }
        let delivery = DeliveryRecorder(metrics)
        options.delivery = delivery
        let parts = Lock<[AssetWriter.Report]>([])
        options.onPart = { [listeners] part in
            switch part {
            case .success(let report):
                parts.withLock { $0.append(report) }
                listeners.send(.finishedPart(report))
            case .failure(let error): listeners.send(.failedPart(error))
            }
        }
        let usual = source.tracks.compactMap { track in
            track.isVideo
                ? video.map { MovieTrack(.video($0)) } : audio.map { MovieTrack(.audio($0)) }
        }
        let writer = try AssetWriter(
            path: path, tracks: (tracks ?? usual).replacing(copied), options: options)
        let run = RecordingRun(
            writer, source, copying: copied, limits: limits, parts: parts, waits: waits, delivery: delivery,
            arrivalPatience: state.withLock { $0.arrivalPatience }, beforeFrame: beforeFrame,
            onEvent: { [weak self] event in
                self?.note(event)
                onEvent(event)
            })
        state.withLock { $0.run = run }
        run.begin()
    }

    /// The recording that is running or paused.
    ///
    /// - Throws: `invalidState` if there is none.
    func runningRecording() throws(ObscuraError) -> RecordingRun {
        guard let run = state.withLock({ $0.run }) else { throw .notRecording(name) }
        return run
    }

    private func note(_ event: RecordingEvent) {
        if case .finished(let result) = event {
            state.withLock { state in
                state.run = nil
                state.last = result
            }
        }
        listeners.send(event)
    }
}

// MARK: - Session

extension MovieFileOutput: CompositeOutput {
    // Frames in the encoder are written; those that wait for it are dropped, as for all readers of the session.
    package func partsWillStop() {
        guard let run = state.withLock({ $0.run }) else { return }
        run.stop(for: .sessionStopped)
        run.takeGathered()
    }

    package func takeGathered() { state.withLock { $0.run }?.takeGathered() }

    package func partsDidStop() { state.withLock { $0.run }?.endNow() }

    package var destinations: [SessionLedger.Destination] {
        let (run, last) = state.withLock { ($0.run, $0.last) }
        if let run {
            return [.init(name: run.path, output: name, isActive: true, delivery: run.deliveryStatistics)]
        }
        return last.map { [.init(name: $0.path, output: name, isActive: false, delivery: $0.delivery)] } ?? []
    }
}

extension ObscuraError {
    static func notRecording(_ name: String) -> ObscuraError {
        ObscuraError(.recording, .invalidState, subject: name, reason: "no recording is running")
    }
}
