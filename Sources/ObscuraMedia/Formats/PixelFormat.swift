// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The memory layout of a frame.
///
/// The names follow FourCC codes and libyuv. A sample of more than 8 bits is stored in the low bits of a little-endian
/// 16-bit word, as in the output of decoders.
public enum PixelFormat: String, Sendable, Hashable, CaseIterable, Codable {
    /// One plane, 4 bytes per pixel: blue, green, red, alpha.
    case bgra
    /// One plane, 4 bytes per pixel: red, green, blue, alpha.
    case rgba
    /// One plane, 4 bytes per pixel: alpha, red, green, blue.
    case argb
    /// One plane, 4 bytes per pixel: alpha, blue, green, red.
    case abgr
    /// One plane, 4 bytes per pixel: blue, green, red, undefined. The pixels are opaque.
    case bgrx
    /// One plane, 4 bytes per pixel: red, green, blue, undefined. The pixels are opaque.
    case rgbx
    /// One plane, 4 bytes per pixel: undefined, red, green, blue. The pixels are opaque.
    case xrgb
    /// One plane, 4 bytes per pixel: undefined, blue, green, red. The pixels are opaque.
    case xbgr
    /// One plane, 3 bytes per pixel: blue, green, red.
    case bgr24
    /// One plane, 3 bytes per pixel: red, green, blue.
    case rgb24
    /// Two planes: Y, then interleaved Cb and Cr at half width and half height.
    case nv12
    /// Same as ``nv12``, with Cr before Cb.
    case nv21
    /// Two planes: Y, then interleaved Cb and Cr at half width.
    case nv16
    /// Three planes: Y, then Cb and Cr at half width and half height.
    case i420
    /// Three planes: Y, then Cb and Cr at half width.
    case i422
    /// Three planes: Y, Cb and Cr at full size.
    case i444
    /// One plane, 4:2:2, with four bytes for two pixels: Y0 Cb Y1 Cr.
    case yuyv
    /// One plane, 4:2:2, with four bytes for two pixels: Cb Y0 Cr Y1.
    case uyvy
    /// One plane, 4:2:2, with four bytes for two pixels: Y0 Cr Y1 Cb.
    case yvyu
    /// One plane, 4:2:2, with four bytes for two pixels: Cr Y0 Cb Y1.
    case vyuy
    /// One plane of 8-bit luma.
    case gray8
    /// Same as ``i420``, with 10 bits per sample.
    case i010
    /// Same as ``i422``, with 10 bits per sample.
    case i210
    /// Same as ``i444``, with 10 bits per sample.
    case i410
    /// Compressed: one JPEG per frame.
    case mjpeg
    /// Compressed: H.264.
    case h264
    /// Compressed: HEVC (H.265). Produced by encoders, not by cameras.
    case hevc
    /// Compressed: FFV1, lossless. Produced by encoders, not by cameras.
    case ffv1

    /// Whether the format is compressed; a compressed format has no planes.
    public var isCompressed: Bool {
        self == .mjpeg || self == .ffv1 || isInterCoded
    }

    /// Whether frames in this format refer to other frames, and cannot be decoded independently.
    public var isInterCoded: Bool { self == .h264 || self == .hevc }

    /// Whether the samples are luma and chroma, and need a ``ColorSpace`` for display.
    public var isYUV: Bool {
        switch self {
        case .bgra, .rgba, .argb, .abgr, .bgrx, .rgbx, .xrgb, .xbgr, .bgr24, .rgb24: false
        case .mjpeg, .h264, .hevc, .ffv1: false
        default: true
        }
    }

    /// The number of bits per sample.
    public var bitDepth: Int {
        switch self {
        case .i010, .i210, .i410: 10
        default: 8
        }
    }

    /// The number of pixels that share a chroma sample, horizontally and vertically; (1, 1) without subsampling or
    /// without chroma.
    public var chromaSubsampling: (horizontal: Int, vertical: Int) {
        switch self {
        case .nv12, .nv21, .i420, .i010: (2, 2)
        case .nv16, .i422, .i210, .yuyv, .uyvy, .yvyu, .vyuy: (2, 1)
        default: (1, 1)
        }
    }

    /// Returns the size of the planes of a frame of `width` x `height` pixels without padding, in bytes.
    package func packedByteCount(width: Int, height: Int) -> Int {
        planes(width: width, height: height).reduce(0) { $0 + $1.rowBytes * $1.rows }
    }

    /// Returns the layout of each plane of a frame of `width` x `height` pixels; empty for a compressed format.
    ///
    /// If the width or the height is odd, the size of subsampled chroma is rounded up.
    public func planes(width: Int, height: Int) -> [PlaneLayout] {
        let (horizontal, vertical) = chromaSubsampling
        let chromaWidth = (width + horizontal - 1) / horizontal
        let chromaHeight = (height + vertical - 1) / vertical
        let sampleBytes = bitDepth > 8 ? 2 : 1
        let luma = PlaneLayout(rowBytes: width * sampleBytes, rows: height)
        switch self {
        case .bgra, .rgba, .argb, .abgr, .bgrx, .rgbx, .xrgb, .xbgr:
            return [PlaneLayout(rowBytes: width * 4, rows: height)]
        case .bgr24, .rgb24:
            return [PlaneLayout(rowBytes: width * 3, rows: height)]
        case .gray8:
            return [luma]
        case .yuyv, .uyvy, .yvyu, .vyuy:
            return [PlaneLayout(rowBytes: chromaWidth * 4, rows: height)]
        case .nv12, .nv21, .nv16:
            return [luma, PlaneLayout(rowBytes: chromaWidth * 2, rows: chromaHeight)]
        case .i420, .i422, .i444, .i010, .i210, .i410:
            let chroma = PlaneLayout(rowBytes: chromaWidth * sampleBytes, rows: chromaHeight)
            return [luma, chroma, chroma]
        case .mjpeg, .h264, .hevc, .ffv1:
            return []
        }
    }
}

/// The layout of one plane, without padding.
public struct PlaneLayout: Sendable, Hashable {
    /// The number of bytes of pixel data per row.
    public let rowBytes: Int
    /// The number of rows.
    public let rows: Int
}
