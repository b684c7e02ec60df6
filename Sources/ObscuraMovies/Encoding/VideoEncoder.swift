// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraFFmpeg
public import ObscuraMedia

/// An encoder of frames to compressed frames in memory, for a destination of your own.
///
/// ```swift
/// let encoder = try VideoEncoder(VideoSettings(bitRate: 2_000_000))
/// for try await frame in output.frames {
///     for compressed in try await encoder.encode(frame) { send(compressed.data) }
/// }
/// for compressed in try await encoder.finish() { send(compressed.data) }
/// ```
///
/// Each call returns the compressed frames that are ready, in the order of the frames and with their times: none while the
/// encoder looks ahead, and several at the end. There is no queue: a caller that waits for each call is never ahead of the
/// encoder.
///
/// Frames are rotated upright and fitted into the size of the first one, as in a movie (``AssetWriter``). Thread-safe.
/// Encoding runs on the encoder's own threads; concurrent calls wait for each other.
public final class VideoEncoder: Sendable {
    /// The layout of the units of H.264 and HEVC in a compressed frame. Other codecs have none.
    public enum UnitLayout: Sendable, Hashable {
        /// A byte stream with start codes (Annex B). Each key frame begins with the parameter sets.
        case byteStream
        /// Each unit is preceded by its length in four bytes, as in MP4 files. The parameter sets are only in
        /// ``VideoParameters/configuration``.
        case lengthPrefixed
    }

    /// Options in addition to the settings of the video.
    public struct Options: Sendable, Hashable {
        /// Whether each frame is returned by the call that encodes it, as far as the encoder can, at the cost of some
        /// bits, and with a constant bit rate instead of an average one. The duration of a frame is then that of the frame before it, if the frame itself has none.
        public var isLowLatency = false
        /// The layout of units.
        public var layout = UnitLayout.byteStream

        /// Creates the default options: high compression, and a byte stream.
        public init() {}
    }

    private let thread: EncoderThread<Encoding>
    private let known = Lock<VideoParameters?>(nil)

    /// Creates an encoder. The encoder of FFmpeg opens with the first frame.
    ///
    /// - Throws: ``ObscuraError/Code/invalidSettings``.
    public init(_ settings: VideoSettings = VideoSettings(), options: Options = Options()) throws(ObscuraError) {
        // A Matroska file takes every codec.
        try settings.check(for: .mkv)
        thread = EncoderThread(Encoding(settings, options), subject: Encoding.subject)
    }

    /// The parameters of the video; nil before the first call of ``encode(_:isKeyFrame:)`` has returned.
    public var parameters: VideoParameters? { known.withLock { $0 } }

    /// Encodes a frame. A frame that is not later than the previous one is skipped.
    ///
    /// - Parameter isKeyFrame: whether it must be a key frame, in addition to those of
    ///   ``VideoSettings/keyFrameInterval``.
    /// - Returns: the compressed frames that are ready, in order.
    /// - Throws: ``ObscuraError``: `encoderUnavailable`, `invalidSettings`, `encoderFailed`, `outOfMemory`; also in each
    ///   later call. `invalidState` after ``finish()``.
    nonisolated(nonsending) public func encode(
        _ frame: VideoFrame, isKeyFrame: Bool = false
    ) async throws(ObscuraError) -> [EncodedFrame] {
        let known = known
        return try await thread.run { encoding throws(ObscuraError) in
            defer { known.withLock { $0 = encoding.parameters } }
            return try encoding.encode(frame, isKey: isKeyFrame)
        }
    }

    /// Changes the bit rate from the next frame on.
    ///
    /// - Parameter bitRate: the average bit rate, in bits per second.
    /// - Throws: ``ObscuraError/Code/invalidSettings`` for a bit rate out of range, and for an encoder that
    ///   cannot change it while it runs: only libx264 and NVENC can, with ``Options/isLowLatency`` and a bit rate in the
    ///   settings.
    nonisolated(nonsending) public func setBitRate(_ bitRate: Int) async throws(ObscuraError) {
        try VideoSettings(bitRate: bitRate).check(for: .mkv)
        let isDone = try await thread.run { encoding throws(ObscuraError) in encoding.setBitRate(bitRate) }
        guard !isDone else { return }
        throw .invalidSettings(
            .recording, Encoding.subject, "its bit rate cannot be changed while it runs",
            "Use libx264 or NVENC, with low latency and a bit rate in the settings.")
    }

    /// Ends the encoding.
    ///
    /// - Returns: the remaining compressed frames, in order.
    /// - Throws: as ``encode(_:isKeyFrame:)``.
    nonisolated(nonsending) public func finish() async throws(ObscuraError) -> [EncodedFrame] {
        try await thread.run(isLast: true) { encoding throws(ObscuraError) in try encoding.finish() }
    }

    /// The work on the thread.
    private final class Encoding {
        static let subject = "video encoder"

        private let track: VideoTrack
        private let options: Options
        /// The time of the first frame, from which the track counts.
        private var origin: MediaTime?
        /// The frames in the encoder, oldest first.
        private var frames: [(time: MediaTime, hostTime: HostTime, sequence: UInt64, isDiscontinuity: Bool)] = []
        private(set) var parameters: VideoParameters?

        init(_ settings: VideoSettings, _ options: Options) {
            track = VideoTrack(settings, subject: Self.subject, isLive: options.isLowLatency)
            self.options = options
        }

        func encode(_ frame: VideoFrame, isKey: Bool) throws(ObscuraError) -> [EncodedFrame] {
            let origin = origin ?? frame.presentationTime
            self.origin = origin
            let count = track.frameCount
            let packets = try track.append(frame, at: frame.presentationTime - origin, isKey: isKey)
            if track.frameCount > count {
                frames.append(
                    (frame.presentationTime, frame.hostTime, frame.sequence, frame.attachments.isDiscontinuity))
            }
            if parameters == nil { parameters = try track.makeStream()?.parameters }
            return packets.compactMap(encoded)
        }

        func setBitRate(_ bitRate: Int) -> Bool { track.setBitRate(bitRate) }

        func finish() throws(ObscuraError) -> [EncodedFrame] { try track.finish(at: nil).compactMap(encoded) }

        private func encoded(_ packet: EncodedPacket) -> EncodedFrame? {
            // Each frame becomes one packet, in order.
            guard let parameters, !frames.isEmpty else { return nil }
            let frame = frames.removeFirst()
            var attachments = VideoFrame.Attachments()
            attachments.isDiscontinuity = frame.isDiscontinuity
            return EncodedFrame(
                format: parameters.frameFormat, data: bytes(packet, parameters), width: parameters.size.width,
                height: parameters.size.height, isKeyFrame: packet.isKey, presentationTime: frame.time,
                hostTime: frame.hostTime, duration: packet.length, sequence: frame.sequence, attachments: attachments)
        }

        private func bytes(_ packet: EncodedPacket, _ parameters: VideoParameters) -> [UInt8] {
            guard parameters.frameFormat.isInterCoded else { return packet.bytes }
            return switch options.layout {
            case .byteStream: packet.isKey ? parameters.sets + packet.bytes : packet.bytes
            case .lengthPrefixed: AnnexB.lengthPrefixed(packet.bytes)
            }
        }
    }
}
