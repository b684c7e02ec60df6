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
/// Each call returns the compressed frames that are ready, in the order of the frames and with their times: none while
/// the encoder looks ahead, and several at the end. No queue builds up if you wait for each call before the next call.
///
/// Frames are rotated upright and fitted into the size of the first frame, as in a movie (``AssetWriter``).
/// Thread-safe. Encoding runs on the encoder's own threads; concurrent calls wait for each other.
public final class VideoEncoder: Sendable {
    /// The layout of the NAL units in a compressed frame of H.264 or HEVC. It has no effect for other codecs.
    public enum UnitLayout: Sendable, Hashable {
        /// A byte stream with start codes (Annex B). Each key frame begins with the parameter sets.
        case byteStream
        /// Each unit is preceded by its length in four bytes, as in MP4 files. The parameter sets are only in
        /// ``VideoParameters/configuration``.
        case lengthPrefixed
    }

    /// Options in addition to the settings of the video.
    public struct Options: Sendable, Hashable {
        /// Whether each call returns the frame that it encodes, if the encoder can do that. Frames then need more bits,
        /// and the bit rate is constant instead of an average. A frame without a duration gets the duration of the
        /// previous frame.
        public var isLowLatency = false
        /// The layout of the NAL units in a compressed frame of H.264 or HEVC.
        public var layout = UnitLayout.byteStream

        /// Creates the default options: high compression, and a byte stream.
        public init() {}
    }

    private let thread: EncoderThread<Encoding>
    private let known = Lock<VideoParameters?>(nil)

    /// A longer step back in the times of the frames starts a new timeline.
    private static let longestStepBack = MediaTime(value: 1, timescale: 1)

    /// Creates an encoder. FFmpeg's encoder is opened when the first frame is encoded.
    ///
    /// - Throws: ``ObscuraError/Code/invalidSettings``.
    public init(_ settings: VideoSettings = VideoSettings(), options: Options = Options()) throws(ObscuraError) {
        // A Matroska file takes every codec.
        try settings.check(for: .mkv)
        thread = EncoderThread(Encoding(settings, options), subject: Encoding.subject)
    }

    /// The parameters of the video; nil before the first call of ``encode(_:isKeyFrame:)`` has returned.
    public var parameters: VideoParameters? { known.withLock { $0 } }

    /// Encodes a frame. A frame whose time is equal to or before the time of the previous frame is skipped. However, if
    /// the time is more than a second earlier, as after a change of the source, the frame is encoded.
    ///
    /// - Parameters:
    ///   - frame: the frame; its buffer is held until it is encoded.
    ///   - isKeyFrame: whether the frame must be a key frame. If false, ``VideoSettings/keyFrameInterval`` determines
    ///     whether the frame is a key frame.
    /// - Returns: the compressed frames that are ready, in order.
    /// - Throws: ``ObscuraError``: `encoderUnavailable`, `libraryMissing`, `invalidSettings`, `encoderFailed` or
    ///   `outOfMemory`, which all later calls throw as well; `invalidState` after ``finish()``.
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
    /// - Throws: ``ObscuraError/Code/invalidSettings`` if the bit rate is out of range, or if the encoder cannot change
    ///   its bit rate. Only libx264 and NVENC can do this, and only with ``Options/isLowLatency`` and a bit rate in the
    ///   settings. `invalidState` after ``finish()``; otherwise the error that ended the encoder.
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
        /// The time of the source at which the track began to count.
        private var origin: MediaTime?
        /// The frames in the encoder with their places in the track, oldest first.
        private var frames: [(place: MediaTime, frame: Origin)] = []
        private(set) var parameters: VideoParameters?

        /// What is kept of a frame.
        private struct Origin {
            var time: MediaTime
            var hostTime: HostTime
            var sequence: UInt64
            var isDiscontinuity: Bool
        }

        init(_ settings: VideoSettings, _ options: Options) {
            track = VideoTrack(settings, subject: Self.subject, isLive: options.isLowLatency)
            self.options = options
        }

        func encode(_ frame: VideoFrame, isKey: Bool) throws(ObscuraError) -> [EncodedFrame] {
            var place = frame.presentationTime - (origin ?? frame.presentationTime)
            if track.end - place > VideoEncoder.longestStepBack {
                // The timeline of the source began again.
                place = track.end
            }
            origin = frame.presentationTime - place
            if let time = try track.time(of: frame, at: place) {
                frames.append(
                    (
                        time,
                        Origin(
                            time: frame.presentationTime, hostTime: frame.hostTime, sequence: frame.sequence,
                            isDiscontinuity: frame.attachments.isDiscontinuity)
                    ))
            }
            let packets = try track.append(frame, at: place, isKey: isKey)
            if parameters == nil { parameters = try track.makeStream()?.video }
            return packets.compactMap(encoded)
        }

        func setBitRate(_ bitRate: Int) -> Bool { track.setBitRate(bitRate) }

        func finish() throws(ObscuraError) -> [EncodedFrame] { try track.finish(at: nil).compactMap(encoded) }

        private func encoded(_ packet: EncodedPacket) -> EncodedFrame? {
            // Packets come in the order of the frames; an encoder may skip a frame.
            while let first = frames.first, first.place < packet.time { frames.removeFirst() }
            guard let parameters, frames.first?.place == packet.time else { return nil }
            let frame = frames.removeFirst().frame
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
