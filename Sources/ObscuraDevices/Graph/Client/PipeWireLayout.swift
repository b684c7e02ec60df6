// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CPipeWire
internal import ObscuraMedia

/// PipeWire's name of a pixel format.
struct PipeWireLayout: Sendable, Hashable {
    /// The kind of compression; raw if there is none.
    let subtype: UInt32
    /// The order of the bytes; 0 if compressed.
    let format: UInt32
    let pixelFormat: PixelFormat
    /// Whether Cr comes before Cb among three planes.
    var swapsChroma = false

    private static func raw(_ format: Int, _ pixelFormat: PixelFormat, swapsChroma: Bool = false) -> PipeWireLayout {
        PipeWireLayout(
            subtype: UInt32(OPWSubtypeRaw), format: UInt32(format), pixelFormat: pixelFormat, swapsChroma: swapsChroma)
    }

    /// All layouts; of several with the same pixel format the first is preferred.
    static let known: [PipeWireLayout] = [
        .raw(OPWFormatYUY2, .yuyv), .raw(OPWFormatUYVY, .uyvy), .raw(OPWFormatYVYU, .yvyu),
        .raw(OPWFormatNV12, .nv12), .raw(OPWFormatNV21, .nv21), .raw(OPWFormatNV16, .nv16),
        .raw(OPWFormatI420, .i420), .raw(OPWFormatYV12, .i420, swapsChroma: true), .raw(OPWFormatY42B, .i422),
        .raw(OPWFormatY444, .i444), .raw(OPWFormatI42010LE, .i010), .raw(OPWFormatI42210LE, .i210),
        .raw(OPWFormatY44410LE, .i410), .raw(OPWFormatGRAY8, .gray8), .raw(OPWFormatBGR, .bgr24),
        .raw(OPWFormatRGB, .rgb24), .raw(OPWFormatBGRA, .bgra), .raw(OPWFormatRGBA, .rgba),
        .raw(OPWFormatARGB, .argb), .raw(OPWFormatABGR, .abgr), .raw(OPWFormatBGRx, .bgrx),
        .raw(OPWFormatRGBx, .rgbx), .raw(OPWFormatxRGB, .xrgb), .raw(OPWFormatxBGR, .xbgr),
        PipeWireLayout(subtype: UInt32(OPWSubtypeMJPEG), format: 0, pixelFormat: .mjpeg),
        PipeWireLayout(subtype: UInt32(OPWSubtypeH264), format: 0, pixelFormat: .h264),
    ]

    /// Returns the layout with PipeWire's numbers; nil if it is not supported.
    static func of(subtype: UInt32, format: UInt32) -> PipeWireLayout? {
        known.first { $0.subtype == subtype && $0.format == format }
    }
}
