// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
package import ObscuraMedia

/// The decoders of the installed FFmpeg; distributions omit some.
package enum DecoderSupport {
    /// Whether frames of a compressed format can be decoded; true for uncompressed formats.
    package static func canDecode(_ format: PixelFormat) -> Bool {
        guard (try? FFmpegLibrary.load()) != nil else { return !format.isCompressed }
        return switch format {
        case .mjpeg: libav.avcodec_find_decoder(AV_CODEC_ID_MJPEG) != nil
        case .h264: libav.avcodec_find_decoder(AV_CODEC_ID_H264) != nil
        case .hevc: libav.avcodec_find_decoder(AV_CODEC_ID_HEVC) != nil
        case .ffv1: libav.avcodec_find_decoder(AV_CODEC_ID_FFV1) != nil
        default: !format.isCompressed
        }
    }
}
