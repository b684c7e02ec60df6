// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// How a broadcast goes.
public struct BroadcastStatistics: Sendable, Hashable {
    /// How it goes with one destination.
    public struct Destination: Sendable, Hashable {
        /// The address, without what is secret.
        public let name: String
        /// What speaks to it.
        public let kind: BroadcastDestination.Kind
        /// What it is doing.
        public internal(set) var state = State.connecting
        /// How often it was connected to.
        public internal(set) var connectionCount = 0
        /// How often it was connected to again, after the first time.
        public var reconnectCount: Int { max(0, connectionCount - 1) }
        /// Bytes of pictures and sound that were handed to the network or the file, of all connections together.
        public internal(set) var byteCount: Int64 = 0
        /// Pictures that were handed to the network or the file.
        public internal(set) var sentFrames = 0
        /// Pictures that were left out: because it was behind, or was not there.
        public internal(set) var droppedFrames = 0
        /// Bits a second, of the last second or two.
        public internal(set) var bitRate = 0.0
        /// Pictures a second, of the last second or two.
        public internal(set) var frameRate = 0.0
        /// From the first to the last picture that waits here for it; what waits in the kernel and in libsrt is part of
        /// it, as far as they tell.
        public internal(set) var queue = Duration.zero
        /// From the camera's taking of the last picture to its being handed to the network; nil before the first.
        public internal(set) var delay: Duration?
        /// The way to it and back, where the protocol (SRT) or the kernel (TCP) tells.
        public internal(set) var roundTrip: Duration?
        /// How many have asked for what this machine serves, and get it or are about to; nil for what it sends to others.
        public internal(set) var viewerCount: Int?
        /// What went wrong last; nil while nothing has.
        public internal(set) var lastError: ObscuraError?
    }

    /// What a destination is doing.
    public enum State: String, Sendable, Hashable, CaseIterable, Codable {
        /// The server is being asked to take the stream.
        case connecting
        /// It gets pictures.
        case sending
        /// It went away, or is not there yet; it is asked again in a moment.
        case waiting
        /// It refused for good: see ``BroadcastStatistics/Destination/lastError``.
        case failed
        /// The broadcast is over, and it got all of it that it could.
        case ended
    }

    /// In the order in which they were given.
    public internal(set) var destinations: [Destination] = []
    /// When the first picture was taken, which is time 0 of what is sent; nil before it.
    public internal(set) var startTime: HostTime?
    /// How long has been sent.
    public internal(set) var duration = MediaTime.zero
    /// Pictures that were encoded.
    public internal(set) var encodedFrames = 0
    /// Pictures that no destination got, because the encoder was behind.
    public internal(set) var lateFrames = 0
    /// What the encoder is told, in bits a second of pictures; nil before the first.
    public internal(set) var targetBitRate: Int?
    /// Of the pictures that are sent; nil before the first.
    public internal(set) var size: PixelSize?
    /// FFmpeg's name of the encoder; nil before the first picture.
    public internal(set) var videoEncoder: String?
    /// From the camera's taking of the last picture to its being encoded; nil before the first.
    public internal(set) var encodeDelay: Duration?
}

/// What happens to a broadcast.
public enum BroadcastEvent: Sendable, Hashable {
    /// The destination takes the stream.
    case connected(BroadcastDestination)
    /// The destination went away, or was not there; it is asked again after the time.
    case waiting(BroadcastDestination, ObscuraError, Duration)
    /// The destination is given up.
    case failed(BroadcastDestination, ObscuraError)
    /// The encoder was told another bit rate of the pictures, in bits a second.
    case bitRate(Int)
    /// The broadcast is over; with what ended it, unless somebody stopped it.
    case finished(ObscuraError?)
}
