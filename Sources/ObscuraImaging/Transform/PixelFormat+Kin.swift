// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

extension PixelFormat {
    /// Whether luma and chroma lie in one plane.
    var isPacked: Bool { self == .yuyv || self == .uyvy }

    /// The same samples in planes of their own.
    var planar: PixelFormat {
        switch self {
        case .nv12: .i420
        case .yuyv, .uyvy: .i422
        default: self
        }
    }

    /// The planar format with chroma for each pixel.
    var full: PixelFormat {
        switch self {
        case .nv12, .i420, .i422, .yuyv, .uyvy: .i444
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
