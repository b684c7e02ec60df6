// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraCapture
public import ObscuraMedia

/// Records a running session to a movie.
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
/// A switch of cameras, another preset, or a camera that drops out for a while do not end a movie: later pictures are
/// fitted to the size of the first, and where none came the last one stays. Without a microphone in the session the
/// movie is silent, without a camera it is sound alone; a ``CaptureConnection`` that is disabled when the recording
/// starts is left out as well.
///
/// Stop the recording before the session: a session that stops drops what waits for the encoder.
///
/// Live sources are placed by their ``VideoFrame/hostTime``, so that picture and sound belong together; a film that is
/// read as fast as it goes by its own times. Thread-safe.
///
/// `Sendable` is proved by the properties: constants and a lock.
public final class MovieFileOutput: CaptureOutput, @unchecked Sendable {
    private struct State {
        var video: VideoSettings?
        var audio: AudioSettings?
        var limits = RecordingLimits()
        var run: RecordingRun?
        var last: RecordingResult?
    }

    private let outputs: SampleOutputs
    private let state: Lock<State>
    private let listeners = EventListeners<RecordingEvent>()

    /// - Parameters:
    ///   - name: for accounts and messages.
    ///   - video: how pictures are made; nil records none.
    ///   - audio: how sound is made; nil records none.
    public init(
        name: String = "movie", video: VideoSettings? = VideoSettings(), audio: AudioSettings? = AudioSettings()
    ) {
        outputs = SampleOutputs(name: name)
        state = Lock(State(video: video, audio: audio))
        super.init(name: name, parts: outputs.all)
    }

    // MARK: How it records

    /// How pictures are made; for the next recording. Nil records none.
    public var videoSettings: VideoSettings? {
        get { state.withLock { $0.video } }
        set { state.withLock { $0.video = newValue } }
    }

    /// How sound is made; for the next recording. Nil records none.
    public var audioSettings: AudioSettings? {
        get { state.withLock { $0.audio } }
        set { state.withLock { $0.audio = newValue } }
    }

    /// How long a recording may become, without its pauses; nil for any length. For the next recording.
    public var maxRecordedDuration: MediaTime? {
        get { state.withLock { $0.limits.duration } }
        set { state.withLock { $0.limits.duration = newValue } }
    }

    /// How many bytes a file may have, at least ``smallestFileSize``; nil for any size. The file never has more: the
    /// recording ends before a picture for which there may be no room. For the next recording.
    public var maxRecordedFileSize: Int64? {
        get { state.withLock { $0.limits.fileSize } }
        set { state.withLock { $0.limits.fileSize = newValue } }
    }

    /// What ``maxRecordedFileSize`` must be at least, in bytes: less has no room for a head and a small picture.
    public static let smallestFileSize: Int64 = 16_000

    /// How many bytes of the disk are left to others; 64 MB (64,000,000 bytes) without a word of yours. A recording is
    /// refused where fewer are free, and ends as ``RecordingResult/Reason/diskFull`` when fewer are. For the next one.
    public var minFreeDiskSpace: Int64 {
        get { state.withLock { $0.limits.freeSpace } }
        set { state.withLock { $0.limits.freeSpace = max(0, newValue) } }
    }

    // MARK: Recording

    /// Whether a recording is under way, paused or not.
    public var isRecording: Bool { state.withLock { $0.run != nil } }
    /// How much has been recorded, without pauses.
    public var recordedDuration: MediaTime { state.withLock { $0.run }?.duration ?? .zero }
    /// How many bytes the present file has.
    public var recordedFileSize: Int64 { state.withLock { $0.run }?.byteCount ?? 0 }

    /// What happens to recordings, from now on. Each loop gets all of it; one that is more than 64 events behind loses
    /// the oldest.
    public var events: AsyncStream<RecordingEvent> { listeners.makeStream() }

    /// Begins a recording. Returns when the file is there; the movie begins with the next frame that comes.
    ///
    /// - Parameters:
    ///   - path: of the movie; its ending says what kind it is.
    ///   - options: whether a file may be replaced, and what the movie says of itself.
    /// - Throws: ``ObscuraError``: `invalidState` while one is under way, or if the session gives neither pictures
    ///   nor sound to this output; and what ``AssetWriter`` says.
    nonisolated(nonsending) public func startRecording(
        to path: String, options: AssetWriter.Options = AssetWriter.Options()
    ) async throws(ObscuraError) {
        try await RecordingRun.preparing.run { [self] in
            Result { () throws(ObscuraError) in try start(path, options) }
        }.get()
    }

    /// Leaves out what comes from now on, until ``resumeRecording()``. The movie goes on there without a gap.
    public func pauseRecording() {
        state.withLock { $0.run }?.pause()
    }

    /// Goes on after ``pauseRecording()``, with the next frame.
    public func resumeRecording() {
        state.withLock { $0.run }?.resume()
    }

    /// The next frame begins a new file, with a key frame; none is lost and none comes twice.
    ///
    /// May be called at any moment of a recording, also before its first frame and in a pause. Each file has a frame at
    /// least: before the first one, that one goes to the present file, and the next one begins the new. If the
    /// recording ends before such a frame comes, there is no such file: ``RecordingResult/omittedParts``.
    ///
    /// - Throws: ``ObscuraError``: `invalidState` if there is no recording, and what the name says.
    public func splitRecording(to path: String, metadata: Metadata = Metadata()) throws(ObscuraError) {
        guard let run = state.withLock({ $0.run }) else { throw .notRecording(name) }
        try run.split(to: path, metadata: metadata)
    }

    /// Ends the recording with what was taken up to now, and waits until the file is whole.
    ///
    /// - Returns: how it ended, also if it had ended by itself before; nil if there was none.
    @discardableResult
    nonisolated(nonsending) public func stopRecording() async -> RecordingResult? {
        guard let run = state.withLock({ $0.run }) else { return state.withLock { $0.last } }
        run.stop(for: .stopped)
        return await run.result()
    }

    // MARK: Parts

    private func start(_ path: String, _ options: AssetWriter.Options) throws(ObscuraError) {
        let (video, audio, limits, isBusy) = state.withLock { ($0.video, $0.audio, $0.limits, $0.run != nil) }
        guard !isBusy else {
            throw ObscuraError(
                .recording, .invalidState, subject: name, reason: "a recording is under way", advice: "Stop it first.")
        }
        let source = try outputs.source(video: video != nil, audio: audio != nil, for: .recording)
        if let size = limits.fileSize, size < Self.smallestFileSize {
            throw .invalidSettings(
                .recording, path, "a file of \(size) bytes has no room for a movie",
                "Allow \(Self.smallestFileSize) bytes at least.")
        }
        if let free = DiskRoom.freeSpace(of: path), free < limits.freeSpace {
            throw ObscuraError(
                .recording, .diskFull, subject: path,
                reason: "less than \(RecordingLimits.text(limits.freeSpace)) of the disk are free, which are to stay "
                    + "free: it has \(RecordingLimits.text(free))",
                remedy: .reduceDiskReserve)
        }
        var options = options
        options.maximumFileSize = limits.fileSize
        options.minFreeDiskSpace = limits.freeSpace
        options.queueDepth = max(options.queueDepth, 4)
        let parts = Lock<[AssetWriter.Report]>([])
        options.onPart = { [listeners] part in
            switch part {
            case .success(let report):
                parts.withLock { $0.append(report) }
                listeners.send(.finishedPart(report))
            case .failure(let error): listeners.send(.failedPart(error))
            }
        }
        let writer = try AssetWriter(
            path: path, video: source.hasVideo ? video : nil, audio: source.hasAudio ? audio : nil, options: options)
        let run = RecordingRun(
            writer, source, limits: limits, parts: parts, onEvent: { [weak self] in self?.note($0) })
        state.withLock { $0.run = run }
        run.begin()
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

// MARK: - The session's side

extension MovieFileOutput: CompositeOutput {
    // What the encoder has is written; what still waits for it is dropped, as at every reader of the session.
    package func partsWillStop() { state.withLock { $0.run }?.stop(for: .sessionStopped) }

    package func partsDidStop() { state.withLock { $0.run }?.endNow() }
}

extension ObscuraError {
    static func notRecording(_ name: String) -> ObscuraError {
        ObscuraError(.recording, .invalidState, subject: name, reason: "nothing is being recorded")
    }
}
