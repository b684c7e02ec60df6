// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraMedia

extension VideoEffect {
    /// Removes green; red and blue are unchanged.
    public static let rosy = VideoEffect(color: .rosy)

    /// Converts to shades of gray.
    ///
    /// YUV frames keep their luma exactly, and chroma becomes neutral (128, or 512 with 10 bits). In RGB frames, each
    /// channel becomes the luma of the pixel: the weighted sum of red, green and blue, with the weights of the frame's
    /// color space. For sRGB, this is 0.2126 red + 0.7152 green + 0.0722 blue (ITU-R BT.709).
    public static let mono = VideoEffect(color: .mono)

    /// The sepia tone of the W3C's Filter Effects Module (`sepia(1)`):
    ///
    /// ```
    /// R′ = 0.393·R + 0.769·G + 0.189·B
    /// G′ = 0.349·R + 0.686·G + 0.168·B
    /// B′ = 0.272·R + 0.534·G + 0.131·B
    /// ```
    public static let sepia = VideoEffect(color: .sepia)

    /// Inverts the colors: red, green and blue become 255 minus their value.
    ///
    /// YUV frames are inverted without a conversion to RGB. Luma Y becomes 251 − Y in limited range (16 + 235 = 251),
    /// and 255 − Y in full range. Chroma C becomes 256 − C, so the neutral value 128 is unchanged. Results are clipped
    /// to 0...255. Clipping affects only limited-range luma above 251 and chroma of 0; valid colors in limited range
    /// have neither value.
    public static let invert = VideoEffect(color: .invert)

    private init(color: ColorEffect) {
        self.init(name: color.rawValue, key: color, renderer: color)
    }
}

/// The renderer of operations on single pixels.
package enum ColorEffect: String, EffectRenderer, Hashable {
    case rosy, mono, sepia, invert

    package func accepts(_ format: PixelFormat) -> Bool {
        switch format {
        case .bgra, .rgba: true
        case .bgr24, .rgb24: self == .invert
        case .argb, .abgr, .bgrx, .rgbx, .xrgb, .xbgr, .mjpeg, .h264, .hevc, .ffv1: false
        case .i010, .i210, .i410: self == .mono
        default: self == .mono || self == .invert
        }
    }

    package func render(_ source: PixelBuffer, _ context: EffectContext) throws -> PixelBuffer {
        // Already gray.
        if self == .mono, source.format == .gray8 { return source }
        return try render(source, context, with: .best)
    }

    /// Renders the effect with the kernels of a variant.
    package func render(
        _ source: PixelBuffer, _ context: EffectContext, with kernels: EffectKernels
    ) throws -> PixelBuffer {
        var target = try source.makeResult(context)
        try kernels.apply(work(on: source.format, source.colorSpace), to: source, into: &target)
        return target
    }

    /// Returns the operation for each plane. The bytes of the numbers apply to the bytes of the frame, the lowest
    /// first.
    package func work(on format: PixelFormat, _ space: ColorSpace) -> [PlaneWork] {
        switch self {
        case .rosy: return [.mask(kept: 0xffff_00ff, flipped: 0)]
        case .sepia:
            return [
                .combine(
                    red: SIMD3(0.393, 0.769, 0.189), green: SIMD3(0.349, 0.686, 0.168),
                    blue: SIMD3(0.272, 0.534, 0.131))
            ]
        case .mono where !format.isYUV:
            let (kr, kb) = (space.matrix.kr, space.matrix.kb)
            let luma = SIMD3(kr, 1 - kr - kb, kb)
            return [.combine(red: luma, green: luma, blue: luma)]
        case .mono:
            switch format {
            case .yuyv, .yvyu: return [.mask(kept: 0x00ff_00ff, flipped: 0x8000_8000)]
            case .uyvy, .vyuy: return [.mask(kept: 0xff00_ff00, flipped: 0x0080_0080)]
            case .i010, .i210, .i410: return [.copy] + zero(0x0200_0200)
            default: return [.copy] + zero(0x8080_8080)
            }
        case .invert where !format.isYUV:
            return [.mask(kept: 0xffff_ffff, flipped: format.withAlpha == format ? 0x00ff_ffff : 0xffff_ffff)]
        case .invert:
            let white: UInt32 = space.range == .limited ? 251 : 255
            switch format {
            case .yuyv, .yvyu: return [.reflect(highest: white * 0x1_0001 | 0xff00_ff00, lowest: 0x0100_0100)]
            case .uyvy, .vyuy: return [.reflect(highest: white * 0x100_0100 | 0x00ff_00ff, lowest: 0x0001_0001)]
            default:
                let chroma = PlaneWork.reflect(highest: 0xffff_ffff, lowest: 0x0101_0101)
                return [.reflect(highest: white * 0x0101_0101, lowest: 0), chroma, chroma]
            }
        }
    }

    /// Returns the operation for both chroma planes, if there are two.
    private func zero(_ pattern: UInt32) -> [PlaneWork] {
        [PlaneWork](repeating: .mask(kept: 0, flipped: pattern), count: 2)
    }
}
