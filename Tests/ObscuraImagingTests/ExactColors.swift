// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia

/// The formulas of ITU-T H.273, section 8.3, in real numbers, written down once more and apart from the code
/// under test.
struct ExactColors {
    let kr: Double
    let kb: Double
    let isFull: Bool
    /// The highest code plus one, over 256.
    let depth: Double

    init(_ space: ColorSpace, bitDepth: Int = 8) {
        (kr, kb) =
            switch space.matrix {
            case .bt601: (0.299, 0.114)
            case .bt709: (0.2126, 0.0722)
            case .bt2020: (0.2627, 0.0593)
            }
        isFull = space.range == .full
        depth = bitDepth == 10 ? 4 : 1
    }

    /// Luma and chroma as signals: 0...1 and -0.5...0.5.
    func signals(_ codes: SIMD3<Double>) -> SIMD3<Double> {
        let highest = 256 * depth - 1
        let zero = 128 * depth
        if isFull { return SIMD3(codes.x / highest, (codes.y - zero) / highest, (codes.z - zero) / highest) }
        return SIMD3(
            (codes.x - 16 * depth) / (219 * depth), (codes.y - zero) / (224 * depth), (codes.z - zero) / (224 * depth))
    }

    /// Signals as codes, not rounded.
    func codes(_ signals: SIMD3<Double>) -> SIMD3<Double> {
        let highest = 256 * depth - 1
        let zero = 128 * depth
        if isFull { return SIMD3(signals.x * highest, signals.y * highest + zero, signals.z * highest + zero) }
        return SIMD3(
            219 * depth * signals.x + 16 * depth, 224 * depth * signals.y + zero, 224 * depth * signals.z + zero)
    }

    /// Codes to RGB, 0...255, not rounded and not clamped.
    func rgb(_ codes: SIMD3<Double>) -> SIMD3<Double> {
        let s = signals(codes)
        let r = s.x + 2 * (1 - kr) * s.z
        let b = s.x + 2 * (1 - kb) * s.y
        let g = (s.x - kr * r - kb * b) / (1 - kr - kb)
        return SIMD3(r, g, b) * 255
    }

    /// RGB, 0...255, to codes, not rounded.
    func yuv(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
        let c = rgb / 255
        let y = kr * c.x + (1 - kr - kb) * c.y + kb * c.z
        return codes(SIMD3(y, (c.z - y) / (2 * (1 - kb)), (c.x - y) / (2 * (1 - kr))))
    }
}

extension SIMD3<Double> {
    /// As a byte of a picture: rounded to nearest, clamped.
    var asBytes: SIMD3<Double> {
        (self + 0.5).rounded(.down).clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 255))
    }
}
