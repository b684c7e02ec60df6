// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraFFmpeg
public import ObscuraMedia

/// A track of a movie with several tracks; see ``AssetWriter/init(path:container:tracks:options:)``.
public struct MovieTrack: Sendable {
    /// The content of a track.
    public enum Content: Sendable {
        /// Frames, which are encoded.
        case video(VideoSettings)
        /// Audio, which is encoded.
        case audio(AudioSettings)
        /// Compressed frames, which are written unchanged; see ``AssetWriter/Options/copiesVideo``.
        case copiedVideo
        /// Compressed audio, which is written unchanged.
        case copiedAudio(AudioParameters)
        /// Subtitles or captions: ``TimedText`` with durations. In MP4 and QuickTime they cannot overlap.
        case subtitles
        /// The chapters of the movie: ``TimedText`` whose texts are the titles of the chapters. A movie has at most one
        /// such track. In MP4 and QuickTime, many players show the first chapter from the beginning of the movie.
        case chapters
        /// The locations of the camera: ``TimedLocation``. MP4 and QuickTime only.
        case location
    }

    /// The content of the track.
    public var content: Content
    /// The language, as three letters of ISO 639-2, such as `eng`; nil uses the language of the movie's metadata.
    /// QuickTime supports about a hundred languages; in a QuickTime file, `deu` is read back as `ger`.
    public var language: String?
    /// The name of the track, such as `Commentary`.
    public var title: String?
    /// Whether players select the track by default. If no video track has the value true, players select the first
    /// video track; the same applies to audio. Players select subtitles only if their track has the value true.
    public var isDefault: Bool?

    /// Creates a track.
    public init(_ content: Content, language: String? = nil, title: String? = nil, isDefault: Bool? = nil) {
        self.content = content
        self.language = language
        self.title = title
        self.isDefault = isDefault
    }
}

extension MovieTrack {
    /// The name in messages, such as `track 2 (subtitles)`.
    func name(_ index: Int) -> String { "track \(index) (\(content.name))" }

    /// Throws if the container cannot contain the track.
    func check(for container: MovieContainer, subject: String, index: Int) throws(ObscuraError) {
        switch content {
        case .video(let settings): try settings.check(for: container)
        case .audio(let settings): try settings.check(for: container)
        case .copiedAudio(let parameters): try parameters.check(for: container, subject: subject)
        case .copiedVideo, .subtitles, .chapters: break
        case .location:
            guard container.isFragmented else {
                throw .invalidSettings(
                    .recording, subject, "mkv files do not support a location track", "Use .mp4 or .mov.")
            }
        }
        if let language, !LanguageCode.isValid(language) {
            throw .invalidSettings(
                .recording, subject,
                "the language \(language) of \(name(index)) is not a code of three lower-case letters",
                "Use the code of ISO 639-2, such as eng.")
        }
        guard let title else { return }
        guard title.utf8.count <= Self.longestTitle, !title.utf8.contains(0) else {
            throw .invalidSettings(
                .recording, subject,
                "the title of \(name(index)) is longer than \(Self.longestTitle) bytes, or contains a zero byte")
        }
    }

    private static let longestTitle = 1024
}

extension [MovieTrack] {
    /// The tracks of which those in `copied` are copied instead of being encoded.
    func replacing(_ copied: CopiedMedia) -> [MovieTrack] {
        var tracks = self
        for track in copied.video { tracks[track.index].content = .copiedVideo }
        for (track, parameters) in copied.audio { tracks[track.index].content = .copiedAudio(parameters) }
        return tracks
    }
}

extension MovieTrack.Content {
    var name: String {
        switch self {
        case .video, .copiedVideo: "video"
        case .audio, .copiedAudio: "audio"
        case .subtitles: "subtitles"
        case .chapters: "chapters"
        case .location: "location"
        }
    }

    var isVideo: Bool {
        switch self {
        case .video, .copiedVideo: true
        default: false
        }
    }

    var isAudio: Bool {
        switch self {
        case .audio, .copiedAudio: true
        default: false
        }
    }
}
