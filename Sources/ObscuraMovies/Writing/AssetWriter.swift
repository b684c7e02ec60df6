// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// Writes a movie frame by frame, from any source: a session, pictures that are drawn, a decoder.
///
///     let writer = try AssetWriter(path: "movie.mp4", video: VideoSettings(), audio: AudioSettings())
///     try writer.startSession(at: first.presentationTime)
///     for frame in frames { try await writer.append(frame) }
///     let report = try await writer.finish()
///
/// The times of the movie are those of what is appended, counted from `startSession(at:)`; they need not be regular.
/// Between ``endSession(at:)`` and the next ``startSession(at:)`` nothing is recorded, and the movie goes on without
/// a gap.
///
/// Until ``finish()`` the movie is `movie.recording.mp4` beside its name: it plays at every moment, and if the
/// process or the machine dies, at most its last second is lost (``MovieRecovery``). A file that is there is not
/// replaced unless asked.
///
/// Any thread and task. Everything is encoded and written on a thread of the writer's own; see ``MediaWriter`` for the
/// ways to append.
public final class AssetWriter: MediaWriter {
    /// See ``WriterReport``.
    public typealias Report = WriterReport
    /// See ``WriterProgress``.
    public typealias Progress = WriterProgress

    /// What is more than the settings.
    public struct Options: Sendable {
        /// Whether a movie of the same name may be replaced, when this one is whole.
        public var overwrites = false
        /// What the movie says of itself.
        public var metadata = Metadata()
        /// How many frames may wait for the encoder, and eight times as many pieces of sound, which are shorter.
        public var queueDepth = 4
        /// Gets each compressed picture of H.264 or JPEG, in order, on the writer's thread. It must not block.
        public var onEncodedFrame: (@Sendable (EncodedFrame, VideoParameters) -> Void)?
        /// How many bytes each file may have; what has no more room is left out. Nil for any number.
        package var maximumFileSize: Int64?
        /// How many bytes of the disk are to stay free: a movie is not rewritten where that would take them.
        package var minFreeDiskSpace: Int64 = 0
        /// Gets what became of each part of a recording that was split, but of the last.
        package var onPart: (@Sendable (Result<Report, ObscuraError>) -> Void)?

        /// A new file that says nothing of itself.
        public init() {}
    }

    /// The path that was given.
    public let path: String
    /// The kind of file.
    public let container: MovieContainer

    private let worker: WriterWorker
    private let request: MovieFile.Request

    /// Checks the settings and makes the file under its temporary name.
    ///
    /// - Parameters:
    ///   - path: of the movie.
    ///   - container: nil takes that of the name's ending.
    ///   - video: nil for a movie without pictures.
    ///   - audio: nil for a movie without sound.
    /// - Throws: ``ObscuraError``: `invalidSettings` before anything is written, `fileExists`, `notWritable`,
    ///   `diskFull`.
    public init(
        path: String, container: MovieContainer? = nil, video: VideoSettings? = VideoSettings(),
        audio: AudioSettings? = nil, options: Options = Options()
    ) throws(ObscuraError) {
        guard let container = container ?? MovieContainer(path: path) else {
            throw .invalidSettings(
                .recording, path, "its name does not say what kind of movie it is",
                "Let it end with .mp4, .mov or .mkv.")
        }
        guard video != nil || audio != nil else {
            throw .invalidSettings(.recording, path, "a movie needs pictures or sound")
        }
        try video?.check(for: container)
        try audio?.check(for: container)
        self.path = path
        self.container = container
        request = MovieFile.Request(
            path: path, container: container, overwrites: options.overwrites,
            tags: MovieTags(options.metadata, for: container), maximumSize: options.maximumFileSize,
            minFreeDiskSpace: options.minFreeDiskSpace)
        let engine = try WriterEngine(
            request, video: video, audio: audio, onEncodedFrame: options.onEncodedFrame, onPart: options.onPart)
        worker = WriterWorker(engine, subject: path, depth: max(1, options.queueDepth))
    }

    /// How far it has come. May be asked at any moment.
    public var progress: Progress { worker.progress }

    /// A stretch begins at `time`, on the timeline of what is appended. What is earlier is left out.
    ///
    /// - Throws: ``ObscuraError/Code/invalidState`` while one is under way and after the end.
    public func startSession(at time: MediaTime) throws(ObscuraError) {
        try worker.startSession(at: time)
    }

    /// The stretch ends at `time`, up to which its last picture is shown; nil ends it with what was appended. What is
    /// appended for it must be appended before.
    ///
    /// - Throws: ``ObscuraError/Code/invalidState`` if none is under way.
    public func endSession(at time: MediaTime? = nil) throws(ObscuraError) {
        try worker.endSession(at: time)
    }

    /// Takes a frame or sound; suspends the task while the encoder is behind. Where samples of sound are missing there
    /// will be silence.
    ///
    /// - Throws: ``ObscuraError``: `invalidState` outside of a stretch or without settings for its kind of media;
    ///   `cancelled` if the task is cancelled while it waits; else what has ended the recording, such as `diskFull`.
    nonisolated(nonsending) public func append(_ sample: MediaSample) async throws(ObscuraError) {
        try await worker.append(sample)
    }

    /// As ``append(_:)-(MediaSample)``, but blocks the thread, until the deadline at most. Returns false if it was not
    /// taken.
    public func append(_ sample: MediaSample, until deadline: HostTime?) throws(ObscuraError) -> Bool {
        try worker.append(sample, until: deadline)
    }

    /// The next picture begins a new file, and the present one ends with the one before. No frame is lost or comes
    /// twice. (Without pictures, the next sound.) Each file has a picture at least: the first one goes to the present
    /// file, and what has none in the end is not there (``omittedParts``).
    package func split(to path: String, metadata: Metadata = Metadata()) throws(ObscuraError) {
        var part = request
        part.path = path
        part.tags = MovieTags(metadata, for: container)
        try worker.split(to: part)
    }

    /// The paths of parts that were asked for and for which nothing came any more; known when it is finished.
    package var omittedParts: [String] { worker.omittedParts }

    /// Encodes and writes what was appended, rewrites the movie as an ordinary file and gives it its name.
    ///
    /// - Throws: ``ObscuraError``: what has ended the recording before, with the file that is left
    ///   (``ObscuraError/usableFile``); `invalidState` the second time, and if nothing was appended.
    @discardableResult
    nonisolated(nonsending) public func finish() async throws(ObscuraError) -> Report {
        try await worker.finish()
    }

    /// As ``finish()``, but blocks the thread; nil when the deadline came first, and then it goes on by itself.
    package func finish(until deadline: HostTime?) throws(ObscuraError) -> Report? {
        try worker.finish(until: deadline)
    }

    /// Ends it and throws the file away. Afterwards every call throws `cancelled`.
    nonisolated(nonsending) public func cancel() async {
        await worker.cancel()
    }
}
