// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
internal import ObscuraMedia

/// Conversions between FFmpeg's pixel formats and ours.
package enum FramePixels {
    /// Returns our format with exactly the same memory layout; nil if there is none.
    static func direct(_ format: AVPixelFormat) -> PixelFormat? {
        switch format {
        case AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVJ420P: .i420
        case AV_PIX_FMT_YUV422P, AV_PIX_FMT_YUVJ422P: .i422
        case AV_PIX_FMT_YUV444P, AV_PIX_FMT_YUVJ444P: .i444
        case AV_PIX_FMT_NV12: .nv12
        case AV_PIX_FMT_NV21: .nv21
        case AV_PIX_FMT_NV16: .nv16
        case AV_PIX_FMT_YUYV422: .yuyv
        case AV_PIX_FMT_UYVY422: .uyvy
        case AV_PIX_FMT_YVYU422: .yvyu
        case AV_PIX_FMT_GRAY8: .gray8
        case AV_PIX_FMT_YUV420P10LE: .i010
        case AV_PIX_FMT_YUV422P10LE: .i210
        case AV_PIX_FMT_YUV444P10LE: .i410
        case AV_PIX_FMT_BGRA: .bgra
        case AV_PIX_FMT_RGBA: .rgba
        case AV_PIX_FMT_ARGB: .argb
        case AV_PIX_FMT_ABGR: .abgr
        case AV_PIX_FMT_BGR0: .bgrx
        case AV_PIX_FMT_RGB0: .rgbx
        case AV_PIX_FMT_0RGB: .xrgb
        case AV_PIX_FMT_0BGR: .xbgr
        case AV_PIX_FMT_BGR24: .bgr24
        case AV_PIX_FMT_RGB24: .rgb24
        default: nil
        }
    }

    /// Returns our format that preserves the most of the frame; nil for device memory.
    static func nearest(_ format: AVPixelFormat) -> PixelFormat? {
        if let direct = direct(format) { return direct }
        guard let description = libav.av_pix_fmt_desc_get(format)?.pointee else { return nil }
        let flags = Int32(truncatingIfNeeded: description.flags)
        if flags & AV_PIX_FMT_FLAG_HWACCEL != 0 { return nil }
        let isColorless = description.nb_components - (flags & AV_PIX_FMT_FLAG_ALPHA != 0 ? 1 : 0) == 1
        let isDeep = description.comp.0.depth > 8
        if flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BAYER) != 0 { return .bgra }
        if format == AV_PIX_FMT_XYZ12LE || format == AV_PIX_FMT_XYZ12BE { return .bgra }
        // High bit depth gray keeps its depth in a format with neutral chroma.
        if isColorless { return isDeep ? .i010 : .gray8 }
        switch (description.log2_chroma_w, description.log2_chroma_h) {
        case (1, 1), (2, 2): return isDeep ? .i010 : .i420
        case (1, 0), (2, 0): return isDeep ? .i210 : .i422
        default: return isDeep ? .i410 : .i444
        }
    }

    /// Returns FFmpeg's format for one of ours.
    static func ffmpeg(_ format: PixelFormat) -> AVPixelFormat {
        switch format {
        case .bgra: AV_PIX_FMT_BGRA
        case .rgba: AV_PIX_FMT_RGBA
        case .argb: AV_PIX_FMT_ARGB
        case .abgr: AV_PIX_FMT_ABGR
        case .bgrx: AV_PIX_FMT_BGR0
        case .rgbx: AV_PIX_FMT_RGB0
        case .xrgb: AV_PIX_FMT_0RGB
        case .xbgr: AV_PIX_FMT_0BGR
        case .bgr24: AV_PIX_FMT_BGR24
        case .rgb24: AV_PIX_FMT_RGB24
        case .nv12: AV_PIX_FMT_NV12
        case .nv21: AV_PIX_FMT_NV21
        case .nv16: AV_PIX_FMT_NV16
        case .i420: AV_PIX_FMT_YUV420P
        case .i422: AV_PIX_FMT_YUV422P
        case .i444: AV_PIX_FMT_YUV444P
        case .yuyv: AV_PIX_FMT_YUYV422
        case .uyvy: AV_PIX_FMT_UYVY422
        case .yvyu: AV_PIX_FMT_YVYU422
        case .gray8: AV_PIX_FMT_GRAY8
        case .i010: AV_PIX_FMT_YUV420P10LE
        case .i210: AV_PIX_FMT_YUV422P10LE
        case .i410: AV_PIX_FMT_YUV444P10LE
        // FFmpeg has no VYUY format.
        case .vyuy, .mjpeg, .h264, .hevc, .ffv1: AV_PIX_FMT_NONE
        }
    }

    /// Returns the format without the implied full range ("J" formats), so that the range field specifies it.
    static func withoutRange(_ format: AVPixelFormat) -> AVPixelFormat {
        switch format {
        case AV_PIX_FMT_YUVJ420P: AV_PIX_FMT_YUV420P
        case AV_PIX_FMT_YUVJ422P: AV_PIX_FMT_YUV422P
        case AV_PIX_FMT_YUVJ444P: AV_PIX_FMT_YUV444P
        case AV_PIX_FMT_YUVJ440P: AV_PIX_FMT_YUV440P
        case AV_PIX_FMT_YUVJ411P: AV_PIX_FMT_YUV411P
        default: format
        }
    }
}
