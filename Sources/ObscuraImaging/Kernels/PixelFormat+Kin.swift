// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

extension PixelFormat {
    /// Whether luma and chroma share a plane.
    var isPacked: Bool {
        switch self {
        case .yuyv, .uyvy, .yvyu, .vyuy: true
        default: false
        }
    }

    /// Whether luma has its own plane, and both chroma components share another.
    var isSemiplanar: Bool { self == .nv12 || self == .nv21 || self == .nv16 }

    /// Whether Cr comes before Cb.
    var hasRedChromaFirst: Bool { self == .nv21 || self == .yvyu || self == .vyuy }

    /// Whether the format is supported for sources only.
    var isReadOnly: Bool { isPacked || self == .nv21 || self == .nv16 || isAlphaFirst || hasUndefinedAlpha }

    /// Whether blue is the first color of a pixel.
    var isBlueFirst: Bool {
        switch self {
        case .bgra, .bgrx, .bgr24, .abgr, .xbgr: true
        default: false
        }
    }

    /// Whether the first byte of a pixel is alpha, or undefined.
    var isAlphaFirst: Bool {
        switch self {
        case .argb, .abgr, .xrgb, .xbgr: true
        default: false
        }
    }

    /// Whether pixels have a fourth byte that is undefined.
    var hasUndefinedAlpha: Bool {
        switch self {
        case .bgrx, .rgbx, .xrgb, .xbgr: true
        default: false
        }
    }

    /// The RGB format of four bytes per pixel in which conversions are made.
    var withAlpha: PixelFormat {
        switch self {
        case .bgr24: .bgra
        case .rgb24: .rgba
        default: self
        }
    }

    /// The planar format with the same samples.
    var planar: PixelFormat {
        switch self {
        case .nv12, .nv21: .i420
        case .nv16, .yuyv, .uyvy, .yvyu, .vyuy: .i422
        default: self
        }
    }

    /// The planar format without chroma subsampling.
    var full: PixelFormat {
        switch self {
        case .nv12, .nv21, .nv16, .i420, .i422, .yuyv, .uyvy, .yvyu, .vyuy: .i444
        case .i010, .i210: .i410
        default: self
        }
    }

    /// The nearest format with square chroma blocks, which can be transposed.
    var turnable: PixelFormat {
        let (columns, rows) = chromaSubsampling
        return columns == rows ? self : full
    }

    /// The equivalent with 8 bits per sample.
    var eightBit: PixelFormat {
        switch self {
        case .i010: .i420
        case .i210: .i422
        case .i410: .i444
        default: self
        }
    }
}
