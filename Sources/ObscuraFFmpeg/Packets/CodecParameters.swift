// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
internal import Glibc
internal import ObscuraMedia

/// The parameters of a stream for a muxer: codec, size, colors, parameter sets.
///
/// `Sendable` is safe because nothing changes it after `init`; muxers copy it.
package final class CodecParameters: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<AVCodecParameters>

    /// Returns nil if there is no memory.
    init?(_ fill: (UnsafeMutablePointer<AVCodecParameters>) -> Int32) {
        guard let made = libav.avcodec_parameters_alloc() else { return nil }
        pointer = made
        guard fill(made) >= 0 else { return nil }
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVCodecParameters>? = pointer
        libav.avcodec_parameters_free(&pointer)
    }

    package var isAudio: Bool { pointer.pointee.codec_type == AVMEDIA_TYPE_AUDIO }
    package var isVideo: Bool { pointer.pointee.codec_type == AVMEDIA_TYPE_VIDEO }

    /// The data that a decoder needs before the first frame: the parameter sets of H.264 and HEVC.
    package var extraData: [UInt8] {
        Array(UnsafeBufferPointer(start: pointer.pointee.extradata, count: Int(pointer.pointee.extradata_size)))
    }

    /// The sample rate of audio, in hertz.
    package var sampleRate: Int32 { pointer.pointee.sample_rate }
    /// The number of audio channels.
    package var channelCount: Int32 { pointer.pointee.ch_layout.nb_channels }

    /// The number of priming samples that the encoder inserts before the first audible sample.
    package var padding: Int64 {
        let fields = pointer.pointee
        if fields.initial_padding > 0 { return Int64(fields.initial_padding) }
        switch fields.codec_id {
        // The priming of FFmpeg's encoder, which a container without an edit list does not store.
        case AV_CODEC_ID_AAC: return 1024
        // The header is "OpusHead", version, channels, and then this value (RFC 7845, section 5.1).
        case AV_CODEC_ID_OPUS:
            let head = extraData
            return head.count >= 12 ? Int64(head[10]) | Int64(head[11]) << 8 : 0
        default: return 0
        }
    }

    /// Copies the data that a decoder needs before the first frame, with the padding that FFmpeg requires. Returns 0, or
    /// FFmpeg's code.
    static func fill(_ pointer: UnsafeMutablePointer<AVCodecParameters>, extraData: [UInt8]) -> Int32 {
        guard !extraData.isEmpty else { return 0 }
        guard let memory = libav.av_mallocz(extraData.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)) else { return -ENOMEM }
        memory.copyMemory(from: extraData, byteCount: extraData.count)
        pointer.pointee.extradata = memory.assumingMemoryBound(to: UInt8.self)
        pointer.pointee.extradata_size = Int32(clamping: extraData.count)
        return 0
    }
}
