// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
package import ObscuraMedia

/// The decoders of the installed FFmpeg; distributions omit some.
package enum DecoderSupport {
    /// Whether frames of a compressed format can be decoded; true for uncompressed formats.
    package static func canDecode(_ format: PixelFormat) -> Bool {
        switch format {
        case .mjpeg: avcodec_find_decoder(AV_CODEC_ID_MJPEG) != nil
        case .h264: avcodec_find_decoder(AV_CODEC_ID_H264) != nil
        case .hevc: avcodec_find_decoder(AV_CODEC_ID_HEVC) != nil
        case .ffv1: avcodec_find_decoder(AV_CODEC_ID_FFV1) != nil
        default: !format.isCompressed
        }
    }
}
