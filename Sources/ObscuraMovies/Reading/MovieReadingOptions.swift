// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraMedia

/// How a file or an address is read.
public struct MovieReadingOptions: Sendable, Hashable {
    /// By what the frames of a file are timed.
    public enum Pace: String, Sendable, Hashable, CaseIterable, Codable {
        /// Each frame comes when it is due, as a camera's would; slow readers lose frames.
        case realTime
        /// As fast as the readers take them; none is lost.
        case lossless
    }

    /// How a lost connection is found again: first after ``firstDelay``, then after twice as long, and so
    /// on up to ``longestDelay``.
    public struct Reconnection: Sendable, Hashable {
        /// How long to wait before the first attempt.
        public var firstDelay: Duration = .milliseconds(250)
        /// How long to wait at the most.
        public var longestDelay: Duration = .seconds(10)
        /// How often in a row it is tried; nil for ever.
        public var attempts: Int?

        /// The defaults.
        public init() {}

        /// How long to wait before attempt `number`, counted from 0.
        public func delay(beforeAttempt number: Int) -> Duration {
            Backoff(first: firstDelay, limit: longestDelay).delay(after: number)
        }
    }

    /// Where to begin, on the file's own timeline: the first frame is the first one that is not earlier.
    /// Nil for the beginning. Has no effect on a stream that cannot be sought.
    public var start: MediaTime?
    /// How many threads decode; nil for as many as the machine and the codec can use.
    public var decoderThreads: Int?
    /// Whether the end is followed by the beginning (or by ``start``), without an end.
    public var isLooping = false
    /// By what the frames of a file are timed.
    public var pace = Pace.realTime
    /// How long an address may take until it is open and its format is known.
    public var connectTimeout: Duration = .seconds(15)
    /// How long an address may give nothing.
    public var readTimeout: Duration = .seconds(10)
    /// Whose certificates a server may have.
    public var trust = ServerTrust.system
    /// The largest picture that is accepted, in pixels.
    public var maximumSize = PixelSize(width: 16384, height: 16384)
    /// The kinds of containers that are read, by FFmpeg's names; nil for all that Obscura knows. Each kind is one more
    /// parser that a hostile file can choose by what it contains.
    package var containers: Set<String>?
    /// How a lost connection is found again; nil to end with the error.
    public var reconnection: Reconnection? = Reconnection()

    /// The defaults.
    public init() {}
}
