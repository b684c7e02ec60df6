// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraCapture
public import ObscuraMedia

/// A writer that creates a movie frame by frame, from any source: a session, rendered frames, a decoder.
///
///     let writer = try AssetWriter(path: "movie.mp4", video: VideoSettings(), audio: AudioSettings())
///     try writer.startSession(at: first.presentationTime)
///     for frame in frames { try await writer.append(frame) }
///     let report = try await writer.finish()
///
/// Movie times are the presentation times of the appended samples, relative to ``startSession(at:)``; the intervals
/// need not be regular. A movie can have several segments, each from ``startSession(at:)`` to ``endSession(at:)``.
/// Nothing is recorded between two segments, and the movie has no gap there.
///
/// A movie with several cameras, microphones or languages, with subtitles, chapters or locations, is made with
/// ``init(path:container:tracks:options:)``.
///
/// Until ``finish()``, the movie is written to `movie.recording.mp4` in the same folder. This file is always playable.
/// If the process or the machine crashes, at most the last second of the movie is lost (``MovieRecovery``). Existing
/// files are replaced only with ``Options/overwrites``.
///
/// Thread-safe. Encoding and writing run on the writer's own thread; see ``MediaWriter`` for the ways to append.
public final class AssetWriter: MediaWriter {
    /// The result of writing a movie.
    public typealias Report = WriterReport
    /// The progress of a movie.
    public typealias Progress = WriterProgress

    /// Options in addition to the encoder settings.
    public struct Options: Sendable {
        /// Whether an existing movie of the same name is replaced when the new movie is complete.
        public var overwrites = false
        /// The metadata of the movie.
        public var metadata = Metadata()
        /// Whether the start date of the movie and the name of the software are added to ``metadata`` if it lacks them.
        /// For a copy of an older movie, set the date of that movie, or set this property to false.
        public var fillsMetadata = true
        /// Maximum number of frames that wait for the encoder. For compressed frames, the maximum is at least 64. For
        /// audio buffers, it is eight times as high.
        public var queueDepth = 4
        /// Called with each compressed frame of the first video track, in order, on the writer's thread. The second
        /// argument contains the parameters of the video. Must not block.
        public var onEncodedFrame: (@Sendable (EncodedFrame, VideoParameters) -> Void)?
        /// Whether you append compressed frames (``EncodedFrame``), which are written unchanged. The video settings
        /// then have no effect.
        ///
        /// The first frame must be a key frame. Parts of a split movie also begin with key frames. The codec, the size and
        /// the parameter sets must not change.
        public var copiesVideo = false
        /// The parameters of the compressed audio (``EncodedAudio``) that you append, which is written unchanged; the
        /// audio settings then have no effect. Nil if you append audio buffers, which are encoded.
        public var copiedAudio: AudioParameters?
        /// The make and the model of the camera, which are filled in.
        package var camera = Metadata()
        /// The source of the date that is filled in.
        package var dateSource = DateSource.now
        /// Maximum size of each file in bytes; samples that exceed it are not written. Nil: unlimited.
        package var maximumFileSize: Int64?
        /// Disk space to keep free, in bytes. If rewriting the movie would use it, the movie stays fragmented.
        package var minFreeDiskSpace: Int64 = 0
        /// Called with the result of each part of a split recording, except the last.
        package var onPart: (@Sendable (Result<Report, ObscuraError>) -> Void)?
        /// Called when a part begins with a key frame that it had to wait for.
        package var onKeyFrameWait: (@Sendable (KeyFrameWait) -> Void)?
        /// Counts the delays of what is written.
        package var delivery: DeliveryRecorder?

        /// The source of the date of a movie.
        package enum DateSource: Sendable {
            /// The time at which the file begins.
            case now
            /// The host time of the first sample: for live sources.
            case hostTime
            /// No date is filled in: for a source with an unknown time of capture, such as a file.
            case none
        }

        /// Default options: no overwriting; the date and the software as metadata.
        public init() {}
    }

    /// The path passed to the initializer.
    public let path: String
    /// The container format.
    public let container: MovieContainer

    let worker: WriterWorker
    private let rules: TrackRules
    private let request: MovieFile.Request
    /// The metadata that is filled in.
    private let known: Metadata

    /// Validates the settings and creates the file under its temporary name.
    ///
    /// - Parameters:
    ///   - path: path of the movie.
    ///   - container: the container format; nil selects it by the file extension.
    ///   - video: settings for video; nil for a movie without video.
    ///   - audio: settings for audio; nil for a movie without audio.
    ///   - options: whether an existing file is replaced, the metadata, and the length of the queue.
    /// - Throws: ``ObscuraError``: `invalidSettings`, or `encoderUnavailable` for audio, before anything is written;
    ///   `fileExists`, also if the partial file (`movie.recording.mp4`) exists; `notWritable`, `diskFull`, `libraryMissing`.
    public convenience init(
        path: String, container: MovieContainer? = nil, video: VideoSettings? = VideoSettings(),
        audio: AudioSettings? = nil, options: Options = Options()
    ) throws(ObscuraError) {
        let pictures = options.copiesVideo ? .copiedVideo : video.map(MovieTrack.Content.video)
        let sound = options.copiedAudio.map(MovieTrack.Content.copiedAudio) ?? audio.map(MovieTrack.Content.audio)
        let tracks = [pictures, sound].compactMap(\.self).map { MovieTrack($0) }
        try self.init(path: path, container: container, tracks: tracks, options: options)
    }

    /// Validates the tracks and creates the file under its temporary name.
    ///
    ///     let writer = try AssetWriter(
    ///         path: "talk.mp4",
    ///         tracks: [
    ///             MovieTrack(.video(VideoSettings()), title: "Speaker"),
    ///             MovieTrack(.video(VideoSettings()), title: "Slides"),
    ///             MovieTrack(.audio(AudioSettings()), language: "eng"),
    ///             MovieTrack(.subtitles, language: "deu"),
    ///         ])
    ///     try await writer.append(.video(frame), to: 1)
    ///     try await writer.append(TimedText("Guten Tag", at: time, duration: length), to: 3)
    ///
    /// The movie begins when each video track has its first frame. Samples of other tracks wait until then; after a
    /// minute of waiting samples, the recording fails. The samples of one track must come in order; those of different
    /// tracks need not be exactly interleaved.
    ///
    /// In MP4 and QuickTime, locations are stored as a GPMF track. Chapters are stored as a text track during the
    /// recording; ``finish()`` or, after a crash, ``MovieRecovery`` converts them to chapters. In Matroska, only
    /// ``finish()`` writes the chapters: a crash loses them.
    ///
    /// - Parameters:
    ///   - path: path of the movie.
    ///   - container: the container format; nil selects it by the file extension.
    ///   - tracks: at least one track of video or audio. To append a sample, name its track by the index in this list.
    ///   - options: whether an existing file is replaced, the metadata, and the length of the queue of each video track.
    ///     ``Options/copiesVideo`` and ``Options/copiedAudio`` have no effect.
    /// - Throws: ``ObscuraError``: `invalidSettings`, or `encoderUnavailable` for audio, before anything is written;
    ///   `fileExists`, also if the partial file (`movie.recording.mp4`) exists; `notWritable`, `diskFull`, `libraryMissing`.
    public init(
        path: String, container: MovieContainer? = nil, tracks: [MovieTrack], options: Options = Options()
    ) throws(ObscuraError) {
        guard let container = container ?? MovieContainer(path: path) else {
            throw .invalidSettings(
                .recording, path, "the file name has no known movie extension", "Use .mp4, .mov or .mkv.")
        }
        rules = TrackRules(subject: path, tracks: tracks, container: container)
        try rules.check()
        self.path = path
        self.container = container
        var known = Metadata()
        if options.fillsMetadata {
            known = options.camera
            known.software = ObscuraBuild.program
        }
        self.known = known
        try known.merging(options.metadata).check(for: path)
        request = MovieFile.Request(
            path: path, container: container, overwrites: options.overwrites, metadata: known.merging(options.metadata),
            isDated: options.fillsMetadata && options.dateSource != .none, maximumSize: options.maximumFileSize,
            minFreeDiskSpace: options.minFreeDiskSpace)
        let engine = try WriterEngine(
            request, tracks: tracks, isLive: options.dateSource == .hostTime, onEncodedFrame: options.onEncodedFrame,
            onPart: options.onPart, onKeyFrameWait: options.onKeyFrameWait, delivery: options.delivery)
        worker = WriterWorker(engine, rules: rules, depth: Self.depth(options.queueDepth, tracks))
    }

    /// The minimum number of compressed frames that may wait: they are small, and a live source delivers many at a time.
    private static let copyDepth = 64

    private static func depth(_ depth: Int, _ tracks: [MovieTrack]) -> Int {
        let copies = tracks.contains { if case .copiedVideo = $0.content { true } else { false } }
        return max(1, depth, copies ? copyDepth : 1) * max(1, tracks.count { $0.content.isVideo })
    }

    /// The current progress. Thread-safe.
    public var progress: Progress { worker.progress }

    /// Starts a segment of the movie at `time`, which is a presentation time of the source. Samples before `time` are
    /// skipped.
    ///
    /// - Throws: ``ObscuraError/Code/invalidState`` while a segment is open, and after ``finish()``.
    public func startSession(at time: MediaTime) throws(ObscuraError) {
        try worker.startSession(at: time)
    }

    /// Ends the segment that ``startSession(at:)`` started. Append all samples of the segment before this call.
    ///
    /// - Parameter time: the presentation time until which the last frame is shown; nil ends the segment after the last
    ///   appended sample.
    /// - Throws: ``ObscuraError/Code/invalidState`` if no segment is open.
    public func endSession(at time: MediaTime? = nil) throws(ObscuraError) {
        try worker.endSession(at: time)
    }

    /// Appends a frame or an audio buffer; suspends the task while the queue of the encoder is full. Gaps in the audio
    /// are filled with silence.
    ///
    /// - Throws: ``ObscuraError``: `invalidState` if no segment is open, if the writer has no settings for the media
    ///   type of the sample, if a compressed sample is appended to a track that is encoded, or an uncompressed sample
    ///   to a track that is copied; `formatChanged` if the size or the parameters of a compressed stream change;
    ///   `cancelled` if the task is cancelled while it waits; otherwise the error that ended the recording, such as
    ///   `diskFull`.
    nonisolated(nonsending) public func append(_ sample: MediaSample) async throws(ObscuraError) {
        try await append(sample, to: rules.track(for: sample))
    }

    /// Like ``append(_:)-(MediaSample)``, but blocks the thread. Returns false, without appending the sample, if
    /// the queue is still full at the deadline. If the deadline is nil, the wait has no limit.
    public func append(_ sample: MediaSample, until deadline: HostTime?) throws(ObscuraError) -> Bool {
        try append(sample, to: rules.track(for: sample), until: deadline)
    }

    /// Starts a new file with the next frame, or, in a movie without video, with the next audio buffer. No frame is
    /// lost or duplicated. Each file has at least one frame: if the current file has none yet, the next frame goes to
    /// it. Parts that receive no frame are not created (``omittedParts``).
    package func split(to path: String, metadata: Metadata = Metadata()) throws(ObscuraError) {
        try known.merging(metadata).check(for: path)
        var part = request
        part.path = path
        part.metadata = known.merging(metadata)
        try worker.split(to: part)
    }

    /// Paths of the requested parts for which no sample arrived; complete once the movie is finished.
    package var omittedParts: [String] { worker.omittedParts }

    /// Encodes and writes the appended samples, rewrites the movie without fragments, and gives it its final name.
    ///
    /// - Throws: ``ObscuraError``: the error that ended the recording, with the path of the playable file that remains
    /// (``ObscuraError/usableFile``); `invalidState` if called twice or if nothing was appended.
    @discardableResult
    nonisolated(nonsending) public func finish() async throws(ObscuraError) -> Report {
        try await worker.finish()
    }

    /// Like ``finish()``, but blocks the thread. Returns nil at the deadline; finishing then continues in the
    /// background.
    package func finish(until deadline: HostTime?) throws(ObscuraError) -> Report? {
        try worker.finish(until: deadline)
    }

    /// Cancels the recording and deletes the partial file. Every later call throws `cancelled`.
    nonisolated(nonsending) public func cancel() async {
        await worker.cancel()
    }
}
