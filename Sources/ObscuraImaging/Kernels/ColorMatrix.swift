// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// An affine color transform in real arithmetic, which the kernels approximate.
///
/// YCbCr is (Y, Cb - 128, Cr - 128) in 8-bit codes, where a 10-bit code counts as a quarter; RGB is 0 to 255. The
/// formulas are those of ITU-T H.273, section 8.3 (matrix coefficients and ranges).
struct ColorMatrix: Hashable {
    /// Three rows of three weights and an offset.
    var rows: [SIMD4<Double>]

    /// Returns the conversion of YCbCr in `space` to RGB.
    static func toRGB(from space: ColorSpace, bitDepth: Int = 8) -> ColorMatrix {
        let codes = CodeRange(space.range, bitDepth: bitDepth)
        let (kr, kb) = (space.matrix.kr, space.matrix.kb)
        let kg = 1 - kr - kb
        let luma = 255 / codes.luma
        let chroma = 255 / codes.chroma
        let offset = -codes.black * luma
        let red = 2 * (1 - kr) * chroma
        let blue = 2 * (1 - kb) * chroma
        return ColorMatrix(rows: [
            SIMD4(luma, 0, red, offset),
            SIMD4(luma, -blue * kb / kg, -red * kr / kg, offset),
            SIMD4(luma, blue, 0, offset),
        ])
    }

    /// Returns the conversion of RGB to 8-bit YCbCr in `space`.
    static func fromRGB(to space: ColorSpace) -> ColorMatrix {
        let codes = CodeRange(space.range, bitDepth: 8)
        let (kr, kb) = (space.matrix.kr, space.matrix.kb)
        let luma = codes.luma / 255 * SIMD4(kr, 1 - kr - kb, kb, 0)
        let whiteLess = SIMD4(kr, 1 - kr - kb, kb, 0)
        let blue = (SIMD4(0, 0, 1, 0) - whiteLess) * (codes.chroma / 255 / (2 * (1 - kb)))
        let red = (SIMD4(1, 0, 0, 0) - whiteLess) * (codes.chroma / 255 / (2 * (1 - kr)))
        return ColorMatrix(rows: [luma + SIMD4(0, 0, 0, codes.black), blue, red])
    }

    /// Returns the conversion of YCbCr to 8-bit YCbCr in another space. Colors outside RGB are not clipped in between.
    static func between(_ source: ColorSpace, bitDepth: Int, and target: ColorSpace) -> ColorMatrix {
        let toRGB = toRGB(from: source, bitDepth: bitDepth)
        guard source.matrix == target.matrix else {
            return ColorMatrix(
                rows: fromRGB(to: target).rows.map { row in
                    var sum = row.x * toRGB.rows[0] + row.y * toRGB.rows[1] + row.z * toRGB.rows[2]
                    sum.w += row.w
                    return sum
                })
        }
        // With equal matrices no channel depends on another; computed directly, without rounding errors.
        let (from, to) = (CodeRange(source.range, bitDepth: bitDepth), CodeRange(target.range, bitDepth: 8))
        let luma = to.luma / from.luma
        let chroma = to.chroma / from.chroma
        return ColorMatrix(rows: [
            SIMD4(luma, 0, 0, to.black - from.black * luma), SIMD4(0, chroma, 0, 0), SIMD4(0, 0, chroma, 0),
        ])
    }
}

/// The codes of black, and the ranges of luma and chroma, in 8-bit codes.
private struct CodeRange {
    let black: Double
    let luma: Double
    let chroma: Double

    init(_ range: ColorSpace.Range, bitDepth: Int) {
        switch range {
        case .limited: (black, luma, chroma) = (16, 219, 224)
        case .full:
            let highest = Double((1 << bitDepth) - 1) / Double(1 << (bitDepth - 8))
            (black, luma, chroma) = (0, highest, highest)
        }
    }
}

extension ColorSpace {
    /// Whether equal codes are equal colors: matrix and range are the same.
    func hasSameCodes(as other: ColorSpace) -> Bool {
        matrix == other.matrix && range == other.range
    }
}
