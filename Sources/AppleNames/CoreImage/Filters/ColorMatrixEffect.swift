// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// A linear mapping of colors: the factors of red, green and blue and a constant, for each component of the result.
struct ColorMatrixEffect: Sendable {
    var red: SIMD4<Float>
    var green: SIMD4<Float>
    var blue: SIMD4<Float>

    /// The factors with which each component becomes the luma (BT.709).
    static let luma = SIMD4<Float>(0.2126, 0.7152, 0.0722, 0)
    /// The tone of `VideoEffect.sepia`.
    static let sepia = ColorMatrixEffect(
        red: SIMD4(0.393, 0.769, 0.189, 0), green: SIMD4(0.349, 0.686, 0.168, 0),
        blue: SIMD4(0.272, 0.534, 0.131, 0))

    /// Returns the mapping to a mixture of this one's result and of the color itself.
    func mixed(_ share: Float) -> ColorMatrixEffect {
        ColorMatrixEffect(
            red: red * share + SIMD4(1 - share, 0, 0, 0), green: green * share + SIMD4(0, 1 - share, 0, 0),
            blue: blue * share + SIMD4(0, 0, 1 - share, 0))
    }

    /// The effect, in which results outside of 0 to 1 are limited.
    var effect: VideoEffect {
        let tables = Tables(self)
        return .rows("color matrix") { row, _, _ in
            row.withUnsafeMutableBytes { tables.apply(to: $0) }
        }
    }

    /// The summands of the results for each code of blue, green and red, in fixed-point numbers.
    private struct Tables: Sendable {
        private static let fractionBits: Int32 = 14
        /// Three summands do not overflow.
        private static let limit = Float(1 << 29)

        private let blue: [SIMD4<Int32>]
        private let green: [SIMD4<Int32>]
        private let red: [SIMD4<Int32>]

        init(_ matrix: ColorMatrixEffect) {
            // In the order of the bytes of a pixel; alpha is not changed.
            let columns = (0..<4).map { SIMD4(matrix.blue[$0], matrix.green[$0], matrix.red[$0], 0) }
            let one = Float(1 << Self.fractionBits)
            func table(_ factors: SIMD4<Float>, _ constant: SIMD4<Float> = .zero) -> [SIMD4<Int32>] {
                (0..<256).map { code in
                    let sum = (factors * Float(code) + constant) * one
                    let limits = SIMD4<Float>(repeating: Self.limit)
                    return SIMD4<Int32>(sum.clamped(lowerBound: -limits, upperBound: limits).rounded(.toNearestOrEven))
                }
            }
            red = table(columns[0])
            green = table(columns[1])
            // A half, so that the fraction can be cut off.
            blue = table(columns[2], columns[3] * 255 + 0.5)
        }

        func apply(to row: UnsafeMutableRawBufferPointer) {
            let pixels = row.bindMemory(to: SIMD4<UInt8>.self)
            blue.withUnsafeBufferPointer { blue in
                green.withUnsafeBufferPointer { green in
                    red.withUnsafeBufferPointer { red in
                        for index in pixels.indices {
                            let pixel = pixels[index]
                            let sum = blue[Int(pixel.x)] &+ green[Int(pixel.y)] &+ red[Int(pixel.z)]
                            let codes = (sum &>> Self.fractionBits).clamped(
                                lowerBound: .zero, upperBound: SIMD4(repeating: 255))
                            var result = SIMD4<UInt8>(truncatingIfNeeded: codes)
                            result.w = pixel.w
                            pixels[index] = result
                        }
                    }
                }
            }
        }
    }
}
