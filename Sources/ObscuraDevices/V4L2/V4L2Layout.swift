// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The kernel's four-character code of a pixel layout.
///
/// https://docs.kernel.org/userspace-api/media/v4l/pixfmt.html
struct FourCC: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    let rawValue: UInt32

    init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Creates the code with a name.
    ///
    /// - Parameter name: four characters, such as `YUYV`; shorter names are padded with blanks.
    init(_ name: StaticString) {
        var bytes: [UInt8] = []
        name.withUTF8Buffer { bytes = Array($0.prefix(4)) }
        while bytes.count < 4 { bytes.append(UInt8(ascii: " ")) }
        rawValue = bytes.enumerated().reduce(0) { $0 | UInt32($1.element) << (8 * UInt32($1.offset)) }
    }

    /// Whether the layout is gray, of any depth: `GREY`, `Y8I`, `Y10 `, `Y16 ` and others.
    var isGray: Bool {
        let letters = Array(description)
        return description == "GREY" || letters.first == "Y" && letters.dropFirst().first?.isNumber == true
    }

    /// The characters, with a dot for each unprintable one.
    var description: String {
        let letters = (0..<4).map { UInt8(truncatingIfNeeded: rawValue >> (8 * UInt32($0))) }
        return String(decoding: letters.map { (0x20...0x7e).contains($0) ? $0 : UInt8(ascii: ".") }, as: UTF8.self)
    }
}

/// The kernel's memory layout of a supported pixel format.
struct V4L2Layout: Sendable, Hashable {
    let fourCC: FourCC
    let pixelFormat: PixelFormat
    /// Whether Cr comes before Cb among the planes.
    var swapsChroma = false
    /// Whether each plane has its own memory area, in the multi-planar interface.
    var hasSeparatePlanes = false

    /// All layouts; of several with the same pixel format the first is preferred.
    static let known: [V4L2Layout] = [
        V4L2Layout(fourCC: FourCC("YUYV"), pixelFormat: .yuyv),
        V4L2Layout(fourCC: FourCC("UYVY"), pixelFormat: .uyvy),
        V4L2Layout(fourCC: FourCC("YVYU"), pixelFormat: .yvyu),
        V4L2Layout(fourCC: FourCC("VYUY"), pixelFormat: .vyuy),
        V4L2Layout(fourCC: FourCC("NV12"), pixelFormat: .nv12),
        V4L2Layout(fourCC: FourCC("NM12"), pixelFormat: .nv12, hasSeparatePlanes: true),
        V4L2Layout(fourCC: FourCC("NV21"), pixelFormat: .nv21),
        V4L2Layout(fourCC: FourCC("NM21"), pixelFormat: .nv21, hasSeparatePlanes: true),
        V4L2Layout(fourCC: FourCC("NV16"), pixelFormat: .nv16),
        V4L2Layout(fourCC: FourCC("NM16"), pixelFormat: .nv16, hasSeparatePlanes: true),
        V4L2Layout(fourCC: FourCC("YU12"), pixelFormat: .i420),
        V4L2Layout(fourCC: FourCC("YM12"), pixelFormat: .i420, hasSeparatePlanes: true),
        V4L2Layout(fourCC: FourCC("YV12"), pixelFormat: .i420, swapsChroma: true),
        V4L2Layout(fourCC: FourCC("YM21"), pixelFormat: .i420, swapsChroma: true, hasSeparatePlanes: true),
        V4L2Layout(fourCC: FourCC("422P"), pixelFormat: .i422),
        V4L2Layout(fourCC: FourCC("YM16"), pixelFormat: .i422, hasSeparatePlanes: true),
        V4L2Layout(fourCC: FourCC("YM61"), pixelFormat: .i422, swapsChroma: true, hasSeparatePlanes: true),
        V4L2Layout(fourCC: FourCC("GREY"), pixelFormat: .gray8),
        V4L2Layout(fourCC: FourCC("BGR3"), pixelFormat: .bgr24),
        V4L2Layout(fourCC: FourCC("RGB3"), pixelFormat: .rgb24),
        // The kernel's name for blue, green, red, alpha in memory is ABGR32.
        V4L2Layout(fourCC: FourCC("AR24"), pixelFormat: .bgra),
        V4L2Layout(fourCC: FourCC("AB24"), pixelFormat: .rgba),
        V4L2Layout(fourCC: FourCC("XR24"), pixelFormat: .bgrx),
        V4L2Layout(fourCC: FourCC("XB24"), pixelFormat: .rgbx),
        V4L2Layout(fourCC: FourCC("BA24"), pixelFormat: .argb),
        V4L2Layout(fourCC: FourCC("RA24"), pixelFormat: .abgr),
        V4L2Layout(fourCC: FourCC("BX24"), pixelFormat: .xrgb),
        V4L2Layout(fourCC: FourCC("RX24"), pixelFormat: .xbgr),
        // Obsolete: drivers disagree on whether the fourth byte is alpha.
        V4L2Layout(fourCC: FourCC("BGR4"), pixelFormat: .bgrx),
        V4L2Layout(fourCC: FourCC("RGB4"), pixelFormat: .xrgb),
        V4L2Layout(fourCC: FourCC("MJPG"), pixelFormat: .mjpeg),
        V4L2Layout(fourCC: FourCC("JPEG"), pixelFormat: .mjpeg),
        V4L2Layout(fourCC: FourCC("H264"), pixelFormat: .h264),
    ]

    /// Returns where the planes of a frame lie, for the driver's bytes per row of each memory area.
    func shape(size: PixelSize, strides: [Int]) -> FrameShape {
        FrameShape(
            pixelFormat, size: size, strides: strides, hasSeparatePlanes: hasSeparatePlanes, swapsChroma: swapsChroma)
    }

    static func of(_ fourCC: FourCC) -> V4L2Layout? {
        known.first { $0.fourCC == fourCC }
    }
}
