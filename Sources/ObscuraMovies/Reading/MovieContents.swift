// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraFFmpeg
public import ObscuraMedia

/// The contents of a movie file: its streams and its metadata.
public struct MovieContents: Sendable, Hashable {
    /// A stream of video, audio or other data.
    public struct Stream: Sendable, Hashable {
        /// The kind of data in a stream.
        public enum Kind: String, Sendable, Hashable, Codable {
            /// Video, or a cover image.
            case video
            /// Audio.
            case audio
            /// Subtitles.
            case subtitle
            /// Other data, such as timed metadata.
            case data
            /// A kind that FFmpeg does not identify.
            case unknown
        }

        /// The kind of data.
        public let kind: Kind
        /// The codec's short name, such as `h264`.
        public let codecName: String
        /// The codec's profile, such as `High`; nil if unknown.
        public let profile: String?
        /// Duration; nil if the container does not specify it.
        public let duration: MediaTime?
        /// Time of the first frame or sample on the file's own timeline; nil if unknown.
        public let startTime: MediaTime?
        /// Bit rate in bits per second; nil if the container does not specify it.
        public let bitRate: Int64?
        /// Number of video frames or audio packets; nil if the container does not specify it.
        public let frameCount: Int64?
        /// Language as a three-letter code (ISO 639-2); nil if not specified.
        public let language: String?
        /// Name, such as `Commentary`; nil if not specified.
        public let title: String?
        /// Whether players select the stream by default.
        public let isDefault: Bool
        /// Size of video frames before rotation; nil for other streams.
        public let size: PixelSize?
        /// Frame rate of video, an average if it varies; nil for other streams.
        public let frameRate: FrameRate?
        /// FFmpeg's name of the sample format of video or audio, such as `yuv420p` or `fltp`; nil for other streams.
        public let sampleFormat: String?
        /// Color space of video; nil for other streams.
        public let colorSpace: ColorSpace?
        /// Clockwise rotation that makes video frames upright; `up` for other streams.
        public let uprightTurn: Orientation
        /// Sample rate of audio, in hertz; nil for other streams.
        public let sampleRate: Int?
        /// Number of audio channels; nil for other streams.
        public let channelCount: Int?
        /// Whether video is mirrored horizontally after the rotation by ``uprightTurn``.
        package let isMirrored: Bool
        /// Whether it is the cover image of an audio file.
        package let isCover: Bool
        /// Whether the installed FFmpeg can decode it.
        package let isDecodable: Bool
        /// Units per second of its times; nil if a unit is not 1/n second.
        package let timescale: Int32?
    }

    /// A chapter of a movie.
    public struct Chapter: Sendable, Hashable {
        /// Start on the timeline of the file.
        public let start: MediaTime
        /// End on the timeline of the file.
        public let end: MediaTime
        /// Title; empty if not specified.
        public let title: String
    }

    /// The path, or the URL with passwords masked.
    public let location: String
    /// FFmpeg's name of the container, such as `mov,mp4,m4a,3gp,3g2,mj2`.
    public let containerName: String
    /// Duration; nil if the container does not specify it.
    public let duration: MediaTime?
    /// Bit rate of all streams together, in bits per second; nil if the container does not specify it.
    public let bitRate: Int64?
    /// File size in bytes; nil for a URL.
    public let byteCount: Int64?
    /// The program or library that wrote the container, as stated in the file; nil if not specified.
    public let encoder: String?
    /// The metadata of the movie.
    public let metadata: Metadata
    /// The streams in file order.
    public let streams: [Stream]
    /// The chapters in the order of their starts.
    public let chapters: [Chapter]

    /// Opens the movie at a path or a URL, reads its contents, and closes the movie. Blocks the thread; for a URL, at
    /// most for ``MovieReadingOptions/connectTimeout``.
    ///
    /// - Throws: ``ObscuraError``: `notFound`, `notAuthorized`, `unsupportedProtocol`, `unsupportedContainer`,
    /// `unreadable`, `libraryMissing`, `outOfMemory`; for a URL also `connectionFailed`, `timedOut` and `certificateNotTrusted`.
    public static func read(
        _ location: String, options: MovieReadingOptions = MovieReadingOptions()
    ) throws(ObscuraError) -> MovieContents {
        let input = try MovieLocation(location).open(options, control: ReadControl(), log: FFmpegLog())
        return MovieContents(input)
    }
}
