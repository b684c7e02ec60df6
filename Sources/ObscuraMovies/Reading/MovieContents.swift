// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraFFmpeg
public import ObscuraMedia

/// What is in a movie file: its streams, and what it says of itself.
public struct MovieContents: Sendable, Hashable {
    /// One stream of pictures or sound, or of something else.
    public struct Stream: Sendable, Hashable {
        /// What the stream carries.
        public enum Kind: String, Sendable, Hashable, Codable {
            case video, audio, subtitle, data, unknown
        }

        /// What the stream carries.
        public let kind: Kind
        /// The codec's short name, such as `h264`.
        public let codecName: String
        /// The codec's profile, such as `High`; nil where it has none.
        public let profile: String?
        /// How long it is; nil where the container does not say.
        public let duration: MediaTime?
        /// When it begins, on the file's own timeline; nil where that is unknown.
        public let startTime: MediaTime?
        /// Bits a second; nil where the container does not say.
        public let bitRate: Int64?
        /// How many pictures, or pieces of sound, there are; nil where the container does not say.
        public let frameCount: Int64?
        /// Three letters of ISO 639-2; nil where none is named.
        public let language: String?
        /// Of pictures, before any turning.
        public let size: PixelSize?
        /// Of pictures, an average where it varies.
        public let frameRate: FrameRate?
        /// The samples of pictures or sound, by FFmpeg's name, such as `yuv420p` or `fltp`.
        public let sampleFormat: String?
        /// Of pictures: what their samples mean.
        public let colorSpace: ColorSpace?
        /// Of pictures: the turn that brings them upright, clockwise.
        public let uprightTurn: Orientation
        /// Of sound, in hertz.
        public let sampleRate: Int?
        /// Of sound.
        public let channelCount: Int?
    }

    /// The path or address, passwords masked.
    public let location: String
    /// The container's short name, such as `mov,mp4,m4a,3gp,3g2,mj2`.
    public let containerName: String
    /// How long it is; nil where the container does not say.
    public let duration: MediaTime?
    /// Bits a second of all streams together.
    public let bitRate: Int64?
    /// The size of the file in bytes; nil for an address.
    public let byteCount: Int64?
    /// The program or library that wrote the container, as it says.
    public let encoder: String?
    /// What the movie says of itself.
    public let metadata: Metadata
    /// In the order of the file.
    public let streams: [Stream]

    /// Opens a path or an address, reads what is in it, and closes it. Blocks the thread, for at most
    /// ``MovieReadingOptions/connectTimeout`` on a network.
    ///
    /// - Throws: ``ObscuraError``.
    public static func read(
        _ location: String, options: MovieReadingOptions = MovieReadingOptions()
    ) throws(ObscuraError) -> MovieContents {
        let input = try MovieLocation(location).open(options, control: ReadControl(), log: FFmpegLog())
        return MovieContents(input)
    }
}
