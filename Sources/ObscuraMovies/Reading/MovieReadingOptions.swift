// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraMedia

/// Options for reading a file or a URL.
public struct MovieReadingOptions: Sendable, Hashable {
    /// The timing of frames from a file.
    public enum Pace: String, Sendable, Hashable, CaseIterable, Codable {
        /// Each frame is delivered at its presentation time, as with a camera. Slow readers lose frames.
        case realTime
        /// Frames are delivered as fast as the readers process them. No frame is lost.
        case lossless
    }

    /// The delays between attempts to reconnect: first ``firstDelay``, then doubled each time up to ``longestDelay``.
    public struct Reconnection: Sendable, Hashable {
        /// Delay before the first attempt.
        public var firstDelay: Duration = .milliseconds(250)
        /// Maximum delay between two attempts.
        public var longestDelay: Duration = .seconds(10)
        /// Maximum number of consecutive failed attempts; nil for unlimited.
        public var attempts: Int?

        /// Creates delays with the default values.
        public init() {}

        /// Returns the delay before attempt `number`, counted from 0.
        public func delay(beforeAttempt number: Int) -> Duration {
            Backoff(first: firstDelay, limit: longestDelay).delay(after: number)
        }
    }

    /// Start time on the file's own timeline: reading starts with the first frame at or after this time. Nil starts at
    /// the beginning. Has no effect on a stream that is not seekable.
    public var start: MediaTime?
    /// Number of decoder threads; nil for one per core, up to 16.
    public var decoderThreads: Int?
    /// Whether playback continues at the beginning (or at ``start``) after the end.
    public var isLooping = false
    /// The timing of frames from a file.
    public var pace = Pace.realTime
    /// Maximum time to open a URL and detect its format.
    public var connectTimeout: Duration = .seconds(15)
    /// Maximum time without data from a URL.
    public var readTimeout: Duration = .seconds(10)
    /// The server certificates that are accepted when a URL is read over TLS.
    public var trust = ServerTrust.system
    /// Maximum frame size, in pixels; movies with larger frames are rejected with `tooLarge`.
    public var maximumSize = PixelSize(width: 16384, height: 16384)
    /// The container formats that may be read, by FFmpeg's names; nil for all that Obscura supports. Each format is
    /// another parser that the contents of a hostile file can select.
    package var containers: Set<String>?
    /// The index of the only stream to read, of those in ``MovieContents/streams``; nil for the video and the audio that
    /// a player would play.
    package var stream: Int?
    /// Whether the frames before ``start`` that must be decoded for it are returned as well, from a key frame on.
    package var includesRunUp = false
    /// The delays for reconnecting to a URL; nil ends reading when the connection is lost.
    public var reconnection: Reconnection? = Reconnection()

    /// Creates options with the default values.
    public init() {}
}
