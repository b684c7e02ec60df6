// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture
public import ObscuraMedia

/// Statistics of a broadcast.
public struct BroadcastStatistics: Sendable, Hashable {
    /// Statistics of a destination.
    public struct Destination: Sendable, Hashable {
        /// The address, with secrets masked.
        public let name: String
        /// The protocol or format.
        public let kind: BroadcastDestination.Kind
        /// The connection state.
        public internal(set) var state = State.connecting
        /// Number of connections made.
        public internal(set) var connectionCount = 0
        /// Number of connections made after the first connection.
        public var reconnectCount: Int { max(0, connectionCount - 1) }
        /// Number of bytes of video and audio that were passed to the network or the file, on all connections together.
        public internal(set) var byteCount: Int64 = 0
        /// Number of frames that were passed to the network or the file.
        public internal(set) var sentFrames = 0
        /// Number of frames that were dropped because the destination was slow or not connected.
        public internal(set) var droppedFrames = 0
        /// Bit rate of the last one or two seconds, in bits per second.
        public internal(set) var bitRate = 0.0
        /// Frame rate of the last one or two seconds, in frames per second.
        public internal(set) var frameRate = 0.0
        /// Duration of the frames that wait to be sent. Includes the frames in the queues of the kernel and of libsrt,
        /// if the length of these queues is known.
        public internal(set) var queue = Duration.zero
        /// The time from the capture of the last sent frame until the frame was passed to the network or the file; nil
        /// before the first frame.
        public internal(set) var delay: Duration?
        /// The delays from the capture until the frames and the audio were encoded, and until they were passed to the
        /// network or the file.
        public internal(set) var delivery = DeliveryStatistics()
        /// The round-trip time, if the protocol (SRT) or the kernel (TCP) reports it; otherwise nil.
        public internal(set) var roundTrip: Duration?
        /// Number of clients that have requested the stream from the RTSP server on this host; nil for other
        /// destinations.
        public internal(set) var viewerCount: Int?
        /// The last error of the destination; nil if no error has occurred.
        public internal(set) var lastError: ObscuraError?
    }

    /// The state of a destination.
    public enum State: String, Sendable, Hashable, CaseIterable, Codable {
        /// The connection is being established.
        case connecting
        /// Frames are being sent.
        case sending
        /// The connection was lost or could not be established; another attempt follows.
        case waiting
        /// The destination failed permanently: see ``BroadcastStatistics/Destination/lastError``.
        case failed
        /// The broadcast has ended, and everything that could be sent was sent.
        case ended
    }

    /// The destinations, in the order in which they were given.
    public internal(set) var destinations: [Destination] = []
    /// The time of the first frame, which is time 0 of the stream; nil before the first frame.
    public internal(set) var startTime: HostTime?
    /// Duration of the broadcast so far.
    public internal(set) var duration = MediaTime.zero
    /// Number of encoded frames.
    public internal(set) var encodedFrames = 0
    /// Number of frames that were dropped for all destinations because the encoder was too slow.
    public internal(set) var lateFrames = 0
    /// Number of audio buffers that were dropped for all destinations because the encoder was too slow.
    public internal(set) var lateAudioBuffers = 0
    /// The video bit rate that is set in the encoder now, in bits per second; nil before the first frame.
    public internal(set) var targetBitRate: Int?
    /// The size of the encoded frames; nil before the first frame.
    public internal(set) var size: PixelSize?
    /// FFmpeg's name of the video encoder; nil before the first frame.
    public internal(set) var videoEncoder: String?
    /// The time from the capture of the last encoded frame until the end of its encoding; nil before the first frame.
    public internal(set) var encodeDelay: Duration?
}

/// An event of a broadcast.
public enum BroadcastEvent: Sendable, Hashable {
    /// The destination has accepted the stream.
    case connected(BroadcastDestination)
    /// The connection was lost or could not be established, because of the error. Another attempt follows after the
    /// duration.
    case waiting(BroadcastDestination, ObscuraError, Duration)
    /// The destination failed permanently, with this error.
    case failed(BroadcastDestination, ObscuraError)
    /// The encoder was set to a different video bit rate, in bits per second.
    case bitRate(Int)
    /// The broadcast has ended. The value is the error that ended the broadcast; nil if the broadcast was stopped.
    case finished(ObscuraError?)
}
