// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
internal import Glibc
internal import ObscuraBase
package import ObscuraMedia

/// A decoder of compressed packets to frames, or to audio. Not thread-safe: use one thread at a time. For video, it
/// starts threads of its own.
package final class Decoder {
    /// The result of requesting a frame, or audio.
    package enum Received {
        case frame
        /// The decoder needs more packets.
        case needsPacket
        /// All frames have been returned, after ``sendEnd()``.
        case ended
        /// A packet could not be decoded, with FFmpeg's error code. The decoder can still be used.
        case failed(Int32)
    }

    private let context: UnsafeMutablePointer<AVCodecContext>
    private let log: FFmpegLog
    /// The log owners of the last packets. The decoder never holds more packets: threads and reordering together hold
    /// fewer.
    private let owners: [FFmpegLog.Owner]
    private var packetCount = 0
    package let codecName: String

    /// The number of consecutive packets with distinct tags.
    package static let tagCount = 128

    /// The tag of the last packet, which its frame also carries.
    package var lastTag: Int { packetCount % owners.count }

    /// A limit above the frame size of any real codec, in samples of one channel: about 40 s at 48 kHz.
    private static let maximumSamples: Int64 = 1 << 21

    /// Creates a decoder for the video of a container.
    package convenience init(
        _ stream: InputStream, threads: Int?, maximumSize: PixelSize, log: FFmpegLog, subject: String
    ) throws(ObscuraError) {
        try self.init(stream.parameters.pointee.codec_id, log, subject) { context in
            context.pointee.max_pixels = maximumSize.pixelLimit
            context.pointee.pkt_timebase = stream.timeBase
            context.pointee.framerate = stream.averageFrameRate
            // FFmpeg's default is one thread more. Each thread holds a frame, and all of them wait more often: 6 %
            // slower on two cores, with twice the context switches. More than 16 threads do not help any codec.
            context.pointee.thread_count = Int32(clamping: min(64, max(0, threads ?? min(16, WorkerPool.coreCount))))
            context.pointee.thread_type = FF_THREAD_FRAME | FF_THREAD_SLICE
            return libav.avcodec_parameters_to_context(context, stream.parameters)
        }
    }

    /// Creates a decoder for live video, with minimum latency.
    ///
    /// Frame threads would each delay one frame, so only slices of one frame are decoded in parallel. With the
    /// low-delay flag, a frame is returned as soon as the stream allows it: with its own packet if nothing is
    /// reordered.
    convenience init(
        live codec: AVCodecID, size: PixelSize, threads: Int, maximumSize: PixelSize, log: FFmpegLog,
        subject: String
    ) throws(ObscuraError) {
        try self.init(codec, log, subject) { context in
            context.pointee.max_pixels = maximumSize.pixelLimit
            context.pointee.width = Int32(clamping: size.width)
            context.pointee.height = Int32(clamping: size.height)
            context.pointee.thread_count = Int32(clamping: max(1, threads))
            context.pointee.thread_type = FF_THREAD_SLICE
            context.pointee.flags |= AV_CODEC_FLAG_LOW_DELAY
            return 0
        }
    }

    /// Creates a decoder for the audio of a container. The decoder drops samples that the container marks as priming or
    /// padding, and adjusts the times accordingly.
    package convenience init(sound stream: InputStream, log: FFmpegLog, subject: String) throws(ObscuraError) {
        let codec = stream.parameters.pointee.codec_id
        try self.init(codec, log, subject) { context in
            context.pointee.max_samples = Self.maximumSamples
            context.pointee.pkt_timebase = stream.timeBase
            // Dispatching to other threads would take longer than the decoding.
            context.pointee.thread_count = 1
            // A frame with a wrong checksum is corrupt; without this check, its noise would be returned.
            if codec == AV_CODEC_ID_FLAC {
                context.pointee.err_recognition = AV_EF_CRCCHECK | AV_EF_EXPLODE
            }
            return libav.avcodec_parameters_to_context(context, stream.parameters)
        }
    }

    private init(
        _ id: AVCodecID, _ log: FFmpegLog, _ subject: String,
        configure: (UnsafeMutablePointer<AVCodecContext>) -> Int32
    ) throws(ObscuraError) {
        try FFmpegLibrary.load()
        self.log = log
        owners = (0..<Self.tagCount).map { _ in FFmpegLog.Owner(log) }
        codecName = libav.avcodec_get_name(id).map { String(cString: $0) } ?? ""
        guard let codec = libav.avcodec_find_decoder(id) else {
            throw ObscuraError(
                .movies, .unsupportedCodec, subject: subject, reason: "FFmpeg has no decoder for \(codecName)")
        }
        guard let allocated = libav.avcodec_alloc_context3(codec) else { throw .outOfMemory(.movies, subject) }
        // From here on, a thrown error runs deinit, which frees the context.
        context = allocated
        var status = configure(allocated)
        if status >= 0 {
            allocated.pointee.opaque = owners[0].opaque
            status = log.collecting { libav.avcodec_open2(allocated, codec, nil) }
        }
        guard status >= 0 else {
            throw ObscuraError(
                .movies, .unsupportedCodec, subject: subject,
                reason: "the decoder for \(codecName) does not accept the stream: \(FFmpegCode.text(status))",
                libraryMessage: log.message)
        }
    }

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = context
        libav.avcodec_free_context(&context)
    }

    /// Sends a packet to the decoder. Call it after ``receive(_:)`` has returned `needsPacket`.
    ///
    /// - Returns: 0, or FFmpeg's error code if this or an earlier packet could not be decoded.
    package func send(_ packet: Packet) -> Int32 {
        packetCount += 1
        let slot = lastTag
        owners[slot].reset()
        context.pointee.opaque = owners[slot].opaque
        obscura_tag_packet(context, packet.pointer, Int64(slot))
        return log.collecting { libav.avcodec_send_packet(context, packet.pointer) }
    }

    /// Whether parts of the frame were missing and concealed.
    package func isBroken(_ frame: Frame) -> Bool {
        let slot = frame.packetTag
        return frame.isCorrupt || (owners.indices.contains(slot) && owners[slot].hasConcealed)
    }

    /// Signals the end of the packets: the remaining frames are returned.
    package func sendEnd() {
        _ = libav.avcodec_send_packet(context, nil)
    }

    package func receive(_ frame: Frame) -> Received {
        let status = log.collecting { libav.avcodec_receive_frame(context, frame.pointer) }
        switch status {
        case 0...: return .frame
        case OBSCURA_ERROR_AGAIN: return .needsPacket
        case OBSCURA_ERROR_EOF: return .ended
        default: return .failed(status)
        }
    }

    /// Discards all state, to continue at another position.
    package func flush() {
        libav.avcodec_flush_buffers(context)
    }
}
