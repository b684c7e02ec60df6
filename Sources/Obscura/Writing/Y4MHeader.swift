// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// The header line of a YUV4MPEG2 stream, which describes all of its frames.
///
/// The parameters are defined by mjpegtools (yuv4mpeg(5)); depths above 8 bits and the color range follow FFmpeg.
/// Samples above 8 bits are little-endian 16-bit words.
public struct Y4MHeader: Sendable, Hashable {
    /// The size of all frames.
    public let size: PixelSize
    /// The pixel format of all frames; always a planar format.
    public let pixelFormat: PixelFormat
    /// The frame rate; nil for a source without a constant rate.
    public let frameRate: FrameRate?
    /// The range of the sample values: full or limited.
    public let range: ColorSpace.Range

    /// Creates a header; nil if YUV4MPEG2 does not support the pixel format. ``nearestFormat(to:)`` returns a supported
    /// format.
    public init?(size: PixelSize, pixelFormat: PixelFormat, frameRate: FrameRate?, range: ColorSpace.Range) {
        guard Self.nearestFormat(to: pixelFormat) == pixelFormat else { return nil }
        self.size = size
        self.pixelFormat = pixelFormat
        self.frameRate = frameRate
        self.range = range
    }

    /// Returns the planar format to which frames of a format are converted for YUV4MPEG2. Planar formats are unchanged.
    /// Other YUV formats become the planar format with the same chroma subsampling, RGB becomes planar 4:4:4, and
    /// compressed formats become planar 4:2:0.
    public static func nearestFormat(to format: PixelFormat) -> PixelFormat {
        switch format {
        case .i420, .i422, .i444, .gray8, .i010, .i210, .i410: format
        case .nv12, .nv21: .i420
        case .nv16, .yuyv, .uyvy, .yvyu, .vyuy: .i422
        case .bgra, .rgba, .argb, .abgr, .bgrx, .rgbx, .xrgb, .xbgr, .bgr24, .rgb24: .i444
        case .mjpeg, .h264, .hevc, .ffv1: .i420
        }
    }

    /// The header line, with its line ending.
    public var text: String {
        // A rate or an aspect ratio of 0:0 means unknown.
        let rate = frameRate.map { "\($0.frames):\($0.seconds)" } ?? "0:0"
        let range = range == .full ? "FULL" : "LIMITED"
        return "YUV4MPEG2 W\(size.width) H\(size.height) F\(rate) Ip A0:0 C\(chroma) XCOLORRANGE=\(range)\n"
    }

    /// The position of 4:2:0 chroma samples: between the pixels in JPEG, on the left pixels in MPEG.
    private var chroma: String {
        switch pixelFormat {
        case .i422: "422"
        case .i444: "444"
        case .gray8: "mono"
        case .i010: "420p10 XYSCSS=420P10"
        case .i210: "422p10 XYSCSS=422P10"
        case .i410: "444p10 XYSCSS=444P10"
        default: range == .full ? "420jpeg XYSCSS=420JPEG" : "420mpeg2 XYSCSS=420MPEG2"
        }
    }
}
