// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraFFmpeg
public import ObscuraMedia

/// Cuts a part out of a movie without encoding it again.
///
/// Decoding can begin only at a key frame. In an MP4 or QuickTime file, the part therefore begins with the frames from
/// the key frame before the start, but an edit list hides them: players begin exactly at the start. Matroska has no
/// edit lists: players begin at the key frame. At the end, a few frames after the requested time can remain, if other
/// frames depend on them.
public enum MovieTrimmer {
    /// A part of a movie.
    public struct Part: Sendable, Hashable {
        /// The start of the part in the original movie. In a Matroska file, it can be earlier than the requested start.
        public let start: MediaTime
        /// The new movie.
        public let movie: MovieContents
        /// Number of streams that are missing in the new movie because its container does not support them, such as
        /// covers and some forms of subtitles.
        public let omittedStreamCount: Int
    }

    private static let worker = WorkerPool(name: "trim", threads: 2)

    /// Writes a part of a movie to a new file: all streams that the container supports, the chapters, and the metadata.
    ///
    /// Suspends while a separate thread copies. If the task is cancelled, nothing is written.
    ///
    /// - Parameters:
    ///   - source: the path of the movie.
    ///   - start: the start, from the first frame of the movie.
    ///   - end: the end, from the first frame of the movie; nil for the end of the movie.
    ///   - target: the path of the new file; its extension determines the container (mp4, mov or mkv).
    ///   - overwrites: whether an existing file is replaced.
    ///   - progress: called with the completed fraction, 0 to 1, on another thread.
    /// - Throws: ``ObscuraError``: `invalidRequest` for a part without frames, `invalidSettings` for an unknown
    ///   extension, `fileExists`, `diskFull`, `notWritable`, `cancelled`, and the errors of ``MovieContents/read(_:options:)-(String,_)``.
    nonisolated(nonsending) public static func trim(
        _ source: String, from start: MediaTime, to end: MediaTime? = nil, into target: String,
        overwrites: Bool = false, progress: (@Sendable (Double) -> Void)? = nil
    ) async throws(ObscuraError) -> Part {
        try await trim(
            source, reading: MovieReadingOptions(), from: start, to: end, into: target, overwrites: overwrites,
            progress: progress)
    }

    /// As ``trim(_:from:to:into:overwrites:progress:)``.
    ///
    /// - Parameter reading: options for reading the source, such as the containers that are allowed.
    nonisolated(nonsending) package static func trim(
        _ source: String, reading: MovieReadingOptions, from start: MediaTime, to end: MediaTime? = nil,
        into target: String, overwrites: Bool = false, progress: (@Sendable (Double) -> Void)? = nil
    ) async throws(ObscuraError) -> Part {
        try await worker.runCancellable { isCancelled throws(ObscuraError) in
            try trim(source, reading, start, end, target, overwrites, progress, isCancelled)
        }
    }

    /// Blocks.
    private static func trim(
        _ source: String, _ reading: MovieReadingOptions, _ start: MediaTime, _ end: MediaTime?, _ target: String,
        _ overwrites: Bool,
        _ progress: ((Double) -> Void)?, _ isCancelled: () -> Bool
    ) throws(ObscuraError) -> Part {
        guard let container = MovieContainer(path: target) else {
            throw .invalidSettings(
                .movies, target, "the file name has no known movie extension", "Use .mp4, .mov or .mkv.")
        }
        guard overwrites || !OutputFile.isFile(target) else { throw .fileExists(target, domain: .movies) }
        if let own = try? FileStatus(path: source), let other = try? FileStatus(path: target),
            own.isOfSameFile(as: other)
        {
            throw .invalidSettings(
                .movies, target, "it is the movie to trim, which is not overwritten", "Choose another name.")
        }
        let input = try MovieLocation.file(path: source).open(reading, control: ReadControl(), log: FFmpegLog())
        guard !input.formatName.hasSuffix("_pipe"), !input.formatName.hasPrefix("image2") else {
            throw ObscuraError(
                .movies, .unsupportedFormat, subject: source, reason: "it is a picture, not a movie",
                advice: "Choose a movie.")
        }
        let range = try TrimRange(input, source, start: start, end: end)
        var cut = try TrimCopy(input, source, range, container)
        let draft = try ObscuraError.writing(target) { () throws(SystemError) in
            try DraftFile(in: OpenFolder(path: PathParts(target).folder), isNameless: false)
        }
        let bytes = try OutputBytes(path: target, file: draft.file)
        let tags = MovieTags(copying: MovieTags(input))
        let output = try OutputContext(
            bytes, container: container, form: .fastStart(), streams: cut.streams, tags: tags.container,
            streamTags: tags.stream, chapters: cut.chapters)
        try cut.run(to: output, progress, isCancelled)
        try output.finish()
        if let failure = bytes.failure { throw ObscuraError(failure, writing: target) }
        try ObscuraError.writing(target) { () throws(SystemError) in
            try draft.take(PathParts(target).name, overwrites: overwrites, isSynced: true)
        }
        return Part(
            start: cut.start - range.origin, movie: try MovieContents.read(target),
            omittedStreamCount: cut.omittedStreamCount)
    }
}
