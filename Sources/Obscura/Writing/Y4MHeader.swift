// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// The first line of a YUV4MPEG2 stream, which says what all of its pictures are.
///
/// The words are those that mjpegtools defined (yuv4mpeg(5)), with the depths above 8 bits and the colour
/// range as FFmpeg writes and reads them. Samples above 8 bits are little-endian 16-bit words.
public struct Y4MHeader: Sendable, Hashable {
    /// The size of all pictures.
    public let size: PixelSize
    /// One of the planar formats.
    public let pixelFormat: PixelFormat
    /// Frames a second; nil where the source keeps no rate.
    public let frameRate: FrameRate?
    /// Which codes are black and white.
    public let range: ColorSpace.Range

    /// Nil for a format that the stream cannot hold; see ``nearestFormat(to:)``.
    public init?(size: PixelSize, pixelFormat: PixelFormat, frameRate: FrameRate?, range: ColorSpace.Range) {
        guard Self.nearestFormat(to: pixelFormat) == pixelFormat else { return nil }
        self.size = size
        self.pixelFormat = pixelFormat
        self.frameRate = frameRate
        self.range = range
    }

    /// The format that holds such a picture in a stream: itself if it is planar, planar with as much chroma if
    /// it is not, and 4:4:4 for RGB.
    public static func nearestFormat(to format: PixelFormat) -> PixelFormat {
        switch format {
        case .i420, .i422, .i444, .gray8, .i010, .i210, .i410: format
        case .nv12, .nv21: .i420
        case .nv16, .yuyv, .uyvy, .yvyu, .vyuy: .i422
        case .bgra, .rgba, .bgr24, .rgb24: .i444
        case .mjpeg, .h264, .hevc: .i420
        }
    }

    /// The line, with its end.
    public var text: String {
        // A rate of 0:0 and an aspect of 0:0 mean that they are not known.
        let rate = frameRate.map { "\($0.frames):\($0.seconds)" } ?? "0:0"
        let range = range == .full ? "FULL" : "LIMITED"
        return "YUV4MPEG2 W\(size.width) H\(size.height) F\(rate) Ip A0:0 C\(chroma) XCOLORRANGE=\(range)\n"
    }

    /// Where chroma samples of 4:2:0 lie: between the pixels in JPEG, on the left ones in MPEG.
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
