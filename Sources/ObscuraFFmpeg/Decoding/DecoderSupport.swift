// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
package import ObscuraMedia

/// What the FFmpeg of this machine can decode; distributions leave decoders out.
package enum DecoderSupport {
    /// Whether frames of a compressed format can be decoded. True for formats that are not compressed.
    package static func canDecode(_ format: PixelFormat) -> Bool {
        switch format {
        case .mjpeg: avcodec_find_decoder(AV_CODEC_ID_MJPEG) != nil
        case .h264: avcodec_find_decoder(AV_CODEC_ID_H264) != nil
        case .hevc: avcodec_find_decoder(AV_CODEC_ID_HEVC) != nil
        default: !format.isCompressed
        }
    }
}
