// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
internal import Glibc
package import ObscuraMedia

/// Compressed packets to pictures, or to sound. One thread at a time; for pictures it starts threads of its own.
package final class Decoder {
    /// What came of asking for a picture, or for a stretch of sound.
    package enum Received {
        case frame
        /// It needs more packets first.
        case needsPacket
        /// After ``sendEnd()``: there are no more.
        case ended
        /// A packet could not be decoded; the next call goes on.
        case failed(Int32)
    }

    private let context: UnsafeMutablePointer<AVCodecContext>
    private let log: FFmpegLog
    /// Where the log lines about each of the last packets go. More packets are never under way: threads and
    /// reordering together hold fewer.
    private let owners: [FFmpegLog.Owner]
    private var packetCount = 0
    package let codecName: String

    /// How many packets in a row have numbers of their own.
    package static let tagCount = 128

    /// The number that the last packet was given, and its frame will carry.
    package var lastTag: Int { packetCount % owners.count }

    /// What no frame of a real codec reaches, in samples of one channel: some 40 s at 48 kHz.
    private static let maximumSamples: Int64 = 1 << 21

    /// For the pictures of a container.
    package convenience init(
        _ stream: InputStream, threads: Int?, maximumSize: PixelSize, log: FFmpegLog, subject: String
    ) throws(ObscuraError) {
        try self.init(stream.parameters.pointee.codec_id, log, subject) { context in
            context.pointee.max_pixels = Self.pixels(maximumSize)
            context.pointee.pkt_timebase = stream.timeBase
            context.pointee.framerate = stream.averageFrameRate
            context.pointee.thread_count = Int32(clamping: min(64, max(0, threads ?? 0)))
            context.pointee.thread_type = FF_THREAD_FRAME | FF_THREAD_SLICE
            return avcodec_parameters_to_context(context, stream.parameters)
        }
    }

    /// For what comes live, and is to be seen at once.
    ///
    /// Threads that share frames would each hold one back, and so only the slices of one picture are shared. The
    /// flag for low delay has a picture come out as soon as the stream allows it: with its own packet where
    /// nothing is reordered.
    convenience init(
        live codec: AVCodecID, size: PixelSize, threads: Int, maximumSize: PixelSize, log: FFmpegLog,
        subject: String
    ) throws(ObscuraError) {
        try self.init(codec, log, subject) { context in
            context.pointee.max_pixels = Self.pixels(maximumSize)
            context.pointee.width = Int32(clamping: size.width)
            context.pointee.height = Int32(clamping: size.height)
            context.pointee.thread_count = Int32(clamping: max(1, threads))
            context.pointee.thread_type = FF_THREAD_SLICE
            context.pointee.flags |= AV_CODEC_FLAG_LOW_DELAY
            return 0
        }
    }

    /// For the sound of a container. What the container marks as no sound (the run-up of the encoder, the padding
    /// at the end) the decoder leaves out, with the times moved by as much.
    package convenience init(sound stream: InputStream, log: FFmpegLog, subject: String) throws(ObscuraError) {
        let codec = stream.parameters.pointee.codec_id
        try self.init(codec, log, subject) { context in
            context.pointee.max_samples = Self.maximumSamples
            context.pointee.pkt_timebase = stream.timeBase
            // To tell other threads of it would take longer than the decoding.
            context.pointee.thread_count = 1
            // A frame whose checksum is wrong is broken; else its noise would be handed out.
            if codec == AV_CODEC_ID_FLAC {
                context.pointee.err_recognition = AV_EF_CRCCHECK | AV_EF_EXPLODE
            }
            return avcodec_parameters_to_context(context, stream.parameters)
        }
    }

    private static func pixels(_ size: PixelSize) -> Int64 { Int64(size.width) * Int64(size.height) }

    private init(
        _ id: AVCodecID, _ log: FFmpegLog, _ subject: String,
        configure: (UnsafeMutablePointer<AVCodecContext>) -> Int32
    ) throws(ObscuraError) {
        self.log = log
        owners = (0..<Self.tagCount).map { _ in FFmpegLog.Owner(log) }
        codecName = String(cString: avcodec_get_name(id))
        guard let codec = avcodec_find_decoder(id) else {
            throw ObscuraError(
                .movies, .unsupportedCodec, subject: subject, reason: "there is no decoder for \(codecName)")
        }
        guard let allocated = avcodec_alloc_context3(codec) else { throw .outOfMemory(.movies, subject) }
        // From here on, an error that is thrown runs the deinit, which frees the context.
        context = allocated
        var status = configure(allocated)
        if status >= 0 {
            allocated.pointee.opaque = owners[0].opaque
            status = log.collecting { avcodec_open2(allocated, codec, nil) }
        }
        guard status >= 0 else {
            throw ObscuraError(
                .movies, .unsupportedCodec, subject: subject,
                reason: "the decoder for \(codecName) refuses the stream: \(FFmpegCode.text(status))",
                libraryMessage: log.message)
        }
    }

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&context)
    }

    /// Gives a packet in. To be called when ``receive(_:)`` has answered `needsPacket`.
    ///
    /// - Returns: 0, or FFmpeg's code for why the packet, or one before it, could not be decoded.
    package func send(_ packet: Packet) -> Int32 {
        packetCount += 1
        let slot = lastTag
        owners[slot].reset()
        context.pointee.opaque = owners[slot].opaque
        obscura_tag_packet(context, packet.pointer, Int64(slot))
        return log.collecting { avcodec_send_packet(context, packet.pointer) }
    }

    /// Whether parts of the frame were missing and had to be guessed.
    package func isBroken(_ frame: Frame) -> Bool {
        let slot = frame.packetTag
        return frame.isCorrupt || (owners.indices.contains(slot) && owners[slot].hasConcealed)
    }

    /// No more packets will come: the frames that wait for their turn come out.
    package func sendEnd() {
        _ = avcodec_send_packet(context, nil)
    }

    package func receive(_ frame: Frame) -> Received {
        let status = log.collecting { avcodec_receive_frame(context, frame.pointer) }
        switch status {
        case 0...: return .frame
        case OBSCURA_ERROR_AGAIN: return .needsPacket
        case OBSCURA_ERROR_EOF: return .ended
        default: return .failed(status)
        }
    }

    /// Forgets everything, to go on at another place.
    package func flush() {
        avcodec_flush_buffers(context)
    }
}
