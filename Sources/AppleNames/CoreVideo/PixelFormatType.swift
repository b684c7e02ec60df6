// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import Obscura

// The four-character codes of pixel formats.

/// One plane, 4 bytes per pixel: blue, green, red, alpha.
public let kCVPixelFormatType_32BGRA: OSType = 0x4247_5241
/// One plane, 4 bytes per pixel: red, green, blue, alpha.
public let kCVPixelFormatType_32RGBA: OSType = 0x5247_4241
/// One plane, 4 bytes per pixel: alpha, red, green, blue.
public let kCVPixelFormatType_32ARGB: OSType = 0x20
/// One plane, 4 bytes per pixel: alpha, blue, green, red.
public let kCVPixelFormatType_32ABGR: OSType = 0x4142_4752
/// One plane, 3 bytes per pixel: red, green, blue.
public let kCVPixelFormatType_24RGB: OSType = 0x18
/// One plane, 3 bytes per pixel: blue, green, red.
public let kCVPixelFormatType_24BGR: OSType = 0x3234_4247
/// Two planes: Y, then interleaved Cb and Cr at half width and half height; limited range.
public let kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: OSType = 0x3432_3076
/// The same as `420YpCbCr8BiPlanarVideoRange`, full range.
public let kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: OSType = 0x3432_3066
/// Two planes: Y, then interleaved Cb and Cr at half width; limited range.
public let kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange: OSType = 0x3432_3276
/// The same as `422YpCbCr8BiPlanarVideoRange`, full range.
public let kCVPixelFormatType_422YpCbCr8BiPlanarFullRange: OSType = 0x3432_3266
/// Three planes: Y, then Cb and Cr at half width and half height; limited range.
public let kCVPixelFormatType_420YpCbCr8Planar: OSType = 0x7934_3230
/// The same as `420YpCbCr8Planar`, full range.
public let kCVPixelFormatType_420YpCbCr8PlanarFullRange: OSType = 0x6634_3230
/// One plane, 4:2:2: Cb Y0 Cr Y1.
public let kCVPixelFormatType_422YpCbCr8: OSType = 0x3276_7579
/// One plane, 4:2:2: Y0 Cb Y1 Cr; limited range.
public let kCVPixelFormatType_422YpCbCr8_yuvs: OSType = 0x7975_7673
/// The same as `422YpCbCr8_yuvs`, full range.
public let kCVPixelFormatType_422YpCbCr8FullRange: OSType = 0x7975_7666
/// One plane, 8 bits per pixel.
public let kCVPixelFormatType_OneComponent8: OSType = 0x4C30_3038

extension PixelBuffer {
    /// The four-character code of the format; 0 for a format without a code.
    package var pixelFormatType: OSType { format.pixelFormatType(isFullRange: colorSpace.range == .full) }
}

extension PixelFormat {
    /// The four-character code of the format; 0 for a format without a code.
    package func pixelFormatType(isFullRange: Bool) -> OSType {
        switch self {
        case .bgra: kCVPixelFormatType_32BGRA
        case .rgba: kCVPixelFormatType_32RGBA
        case .argb: kCVPixelFormatType_32ARGB
        case .abgr: kCVPixelFormatType_32ABGR
        case .rgb24: kCVPixelFormatType_24RGB
        case .bgr24: kCVPixelFormatType_24BGR
        case .nv12:
            isFullRange
                ? kCVPixelFormatType_420YpCbCr8BiPlanarFullRange : kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        case .nv16:
            isFullRange
                ? kCVPixelFormatType_422YpCbCr8BiPlanarFullRange : kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange
        case .i420: isFullRange ? kCVPixelFormatType_420YpCbCr8PlanarFullRange : kCVPixelFormatType_420YpCbCr8Planar
        case .uyvy: kCVPixelFormatType_422YpCbCr8
        case .yuyv: isFullRange ? kCVPixelFormatType_422YpCbCr8FullRange : kCVPixelFormatType_422YpCbCr8_yuvs
        case .gray8: kCVPixelFormatType_OneComponent8
        default: 0
        }
    }

    /// The format of a four-character code, and its range; nil for a code that is not supported. The range of RGB and
    /// gray is nil.
    package static func of(_ type: OSType) -> (format: PixelFormat, range: ColorSpace.Range?)? {
        switch type {
        case kCVPixelFormatType_32BGRA: (.bgra, nil)
        case kCVPixelFormatType_32RGBA: (.rgba, nil)
        case kCVPixelFormatType_32ARGB: (.argb, nil)
        case kCVPixelFormatType_32ABGR: (.abgr, nil)
        case kCVPixelFormatType_24RGB: (.rgb24, nil)
        case kCVPixelFormatType_24BGR: (.bgr24, nil)
        case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: (.nv12, .limited)
        case kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: (.nv12, .full)
        case kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange: (.nv16, .limited)
        case kCVPixelFormatType_422YpCbCr8BiPlanarFullRange: (.nv16, .full)
        case kCVPixelFormatType_420YpCbCr8Planar: (.i420, .limited)
        case kCVPixelFormatType_420YpCbCr8PlanarFullRange: (.i420, .full)
        case kCVPixelFormatType_422YpCbCr8: (.uyvy, .limited)
        case kCVPixelFormatType_422YpCbCr8_yuvs: (.yuyv, .limited)
        case kCVPixelFormatType_422YpCbCr8FullRange: (.yuyv, .full)
        case kCVPixelFormatType_OneComponent8: (.gray8, nil)
        default: nil
        }
    }
}
