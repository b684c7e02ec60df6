// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
internal import Glibc
package import ObscuraMedia

/// An encoder of frames or audio to compressed packets. Not thread-safe: use one thread at a time; it starts threads of
/// its own.
package final class Encoder {
    package let name: String
    package let timescale: Int32
    private let log = FFmpegLog()
    private let logOwner: FFmpegLog.Owner
    private let context: UnsafeMutablePointer<AVCodecContext>
    private let packet: Packet
    /// Whether its packets use a driver's few buffers, which must not wait in queues.
    private let lendsBuffers: Bool

    /// - Parameters:
    ///   - name: FFmpeg's name of the encoder.
    ///   - options: options of the encoder; unknown ones are ignored.
    init(
        _ name: String, timescale: Int32, options: [String: String] = [:],
        configure: (UnsafeMutablePointer<AVCodecContext>) -> Void
    ) throws(ObscuraError) {
        try FFmpegLibrary.load()
        self.name = name
        self.timescale = timescale
        lendsBuffers = name.hasSuffix("_v4l2m2m")
        logOwner = FFmpegLog.Owner(log)
        guard let packet = Packet() else { throw .outOfMemory(.recording, name) }
        self.packet = packet
        guard let codec = libav.avcodec_find_encoder_by_name(name) else {
            throw ObscuraError(
                .recording, .encoderUnavailable, subject: name, reason: "FFmpeg was built without this encoder")
        }
        guard let made = libav.avcodec_alloc_context3(codec) else { throw .outOfMemory(.recording, name) }
        // From here on, a thrown error runs deinit, which frees the context.
        context = made
        made.pointee.opaque = logOwner.opaque
        made.pointee.time_base = AVRational(num: 1, den: timescale)
        made.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
        made.pointee.strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL
        configure(made)
        var settings: OpaquePointer?
        defer { libav.av_dict_free(&settings) }
        for (key, value) in options { libav.setEntry(key, value, in: &settings) }
        let status = log.collecting { libav.avcodec_open2(made, codec, &settings) }
        guard status >= 0 else {
            throw ObscuraError(
                .recording, .encoderUnavailable, subject: name,
                reason: "it does not accept these settings: \(FFmpegCode.text(status))",
                libraryMessage: log.message)
        }
    }

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = context
        libav.avcodec_free_context(&context)
    }

    /// Changes settings that may change while the encoder runs.
    func configure(_ body: (UnsafeMutablePointer<AVCodecContext>) -> Void) {
        body(context)
    }

    /// The number of sample frames per encoded frame; 0 for any number.
    package var frameSize: Int { Int(context.pointee.frame_size) }
    /// The number of priming samples.
    package var padding: Int { Int(context.pointee.initial_padding) }

    package func makeParameters() throws(ObscuraError) -> CodecParameters {
        guard let made = CodecParameters({ libav.avcodec_parameters_from_context($0, context) }) else {
            throw .outOfMemory(.recording, name)
        }
        return made
    }

    /// Sends a frame to the encoder; nil ends the stream. Call it when all packets have been drained. The frame is
    /// retained, or copied, until it is encoded.
    package func send(_ frame: Frame?) throws(ObscuraError) {
        let status = log.collecting { libav.avcodec_send_frame(context, frame?.pointer) }
        guard status >= 0 || (frame == nil && status == OBSCURA_ERROR_EOF) else { throw failure(status) }
    }

    /// Returns all packets that are ready.
    package func drain() throws(ObscuraError) -> [EncodedPacket] {
        var packets: [EncodedPacket] = []
        while true {
            let status = log.collecting { libav.avcodec_receive_packet(context, packet.pointer) }
            switch status {
            case 0...: packets.append(try takePacket())
            case OBSCURA_ERROR_AGAIN, OBSCURA_ERROR_EOF: return packets
            default: throw failure(status)
            }
        }
    }

    private func takePacket() throws(ObscuraError) -> EncodedPacket {
        let isVideo = context.pointee.codec_type == AVMEDIA_TYPE_VIDEO
        guard
            let taken = EncodedPacket(taking: packet, isVideo: isVideo, timescale: timescale, hostTime: .now),
            let encoded = lendsBuffers ? taken.copied() : taken
        else { throw .outOfMemory(.recording, name) }
        return encoded
    }

    private func failure(_ status: Int32) -> ObscuraError {
        if status == -ENOMEM { return .outOfMemory(.recording, name) }
        return ObscuraError(
            .recording, .encoderFailed, subject: name, reason: "encoding failed: \(FFmpegCode.text(status))",
            libraryMessage: log.message)
    }
}
