// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation

/// Parts of the spectrum of a window of samples.
package struct Spectrum {
    package let size: Int
    private let window: [Float]

    /// - Parameter size: a power of two.
    package init(size: Int) {
        self.size = size
        // Blackman and Harris: side lobes below -92 dB.
        window = (0..<size).map { index in
            let angle = 2 * Double.pi * Double(index) / Double(size)
            return Float(0.35875 - 0.48829 * cos(angle) + 0.14128 * cos(2 * angle) - 0.01168 * cos(3 * angle))
        }
    }

    /// The largest line outside of a range of frequencies, as a part of the largest one.
    package func share(of samples: ArraySlice<Float>, outside range: ClosedRange<Double>, _ rate: Int) -> Double {
        var lines = zip(samples, window).map { (re: $0 * $1, im: Float(0)) }
        transform(&lines)
        let powers = lines[..<(size / 2)].map { $0.re * $0.re + $0.im * $0.im }
        let others = powers.enumerated().filter { !range.contains(Double($0.offset * rate) / Double(size)) }
        return (Double(others.map(\.element).max() ?? 0) / Double(powers.max() ?? 1)).squareRoot()
    }

    /// The discrete Fourier transform, by Cooley and Tukey.
    private func transform(_ lines: inout [(re: Float, im: Float)]) {
        var other = 0
        for index in 1..<size {
            var bit = size / 2
            while other & bit != 0 {
                other ^= bit
                bit /= 2
            }
            other |= bit
            if index < other { lines.swapAt(index, other) }
        }
        var length = 2
        while length <= size {
            for offset in 0..<(length / 2) {
                let angle = -2 * Float.pi * Float(offset) / Float(length)
                let (c, s) = (cos(angle), sin(angle))
                for start in stride(from: offset, to: size, by: length) {
                    let (a, b) = (lines[start], lines[start + length / 2])
                    let turned = (re: b.re * c - b.im * s, im: b.re * s + b.im * c)
                    lines[start] = (a.re + turned.re, a.im + turned.im)
                    lines[start + length / 2] = (a.re - turned.re, a.im - turned.im)
                }
            }
            length *= 2
        }
    }
}
