// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

extension PixelFormat {
    /// Whether luma and chroma lie in one plane.
    var isPacked: Bool {
        switch self {
        case .yuyv, .uyvy, .yvyu, .vyuy: true
        default: false
        }
    }

    /// Whether luma has a plane of its own, and both kinds of chroma share another.
    var isSemiplanar: Bool { self == .nv12 || self == .nv21 || self == .nv16 }

    /// Whether Cr comes before Cb.
    var hasRedChromaFirst: Bool { self == .nv21 || self == .yvyu || self == .vyuy }

    /// Whether it is read but not made: cameras have it, and nobody asks for it.
    var isReadOnly: Bool { isPacked || self == .nv21 || self == .nv16 }

    /// Whether the first byte of a pixel is its blue one.
    var isBlueFirst: Bool { self == .bgra || self == .bgr24 }

    /// The same pixels with a fourth byte, in which they are worked on.
    var withAlpha: PixelFormat {
        switch self {
        case .bgr24: .bgra
        case .rgb24: .rgba
        default: self
        }
    }

    /// The same samples in planes of their own.
    var planar: PixelFormat {
        switch self {
        case .nv12, .nv21: .i420
        case .nv16, .yuyv, .uyvy, .yvyu, .vyuy: .i422
        default: self
        }
    }

    /// The planar format with chroma for each pixel.
    var full: PixelFormat {
        switch self {
        case .nv12, .nv21, .nv16, .i420, .i422, .yuyv, .uyvy, .yvyu, .vyuy: .i444
        case .i010, .i210: .i410
        default: self
        }
    }

    /// The nearest format whose blocks are square, and so can be turned.
    var turnable: PixelFormat {
        let (columns, rows) = chromaSubsampling
        return columns == rows ? self : full
    }

    /// The same with 8 bits a sample.
    var eightBit: PixelFormat {
        switch self {
        case .i010: .i420
        case .i210: .i422
        case .i410: .i444
        default: self
        }
    }
}
