// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraImaging
import ObscuraMedia
import TestSupport
import Testing

/// What is seen through given slopes of the water, by the definition.
@Suite struct RefractionTests {
    /// Slopes that look random, with a still part; `size` is how far a pixel may be seen from, in cells.
    private func slopes(for shape: PixelSize, size: Float) -> WaveSlopes {
        var dice = Dice(seed: UInt64(shape.width * 10_000 + shape.height))
        let grid = WaveField.grid(for: shape)
        func numbers() -> [Float] {
            (0..<(grid.width * grid.height)).map { index in
                // Still: the rows at the top.
                index < grid.width * (grid.height / 3)
                    ? 0 : Float.random(in: -size...size, using: &dice) / WaveSlopes.depth
            }
        }
        return WaveSlopes(columns: grid.width, rows: grid.height, across: numbers(), down: numbers(), steepest: size)
    }

    /// Each pixel by real numbers: the shift between four nodes, the colour between four pixels.
    private func expected(_ picture: PixelBuffer, _ slopes: WaveSlopes) -> [[Double]] {
        let bytes = picture.packedBytes()
        let (width, height) = (picture.width, picture.height)
        let scale = (
            x: Double(WaveSlopes.depth) * Double(width - 1) / Double(slopes.columns - 1),
            y: Double(WaveSlopes.depth) * Double(height - 1) / Double(slopes.rows - 1)
        )
        func shift(_ numbers: [Float], _ x: Double, _ y: Double, _ scale: Double) -> Double {
            let (left, top) = (min(Int(x), slopes.columns - 1), min(Int(y), slopes.rows - 1))
            let (right, bottom) = (min(left + 1, slopes.columns - 1), min(top + 1, slopes.rows - 1))
            // As the nodes of a row of pixels are: what is less than 1/32 of a pixel is none.
            func node(_ column: Int) -> Double {
                let (upper, lower) = (
                    Double(numbers[top * slopes.columns + column]), Double(numbers[bottom * slopes.columns + column])
                )
                let shift = (upper + (lower - upper) * (y - Double(top))) * scale
                return abs(shift) < 1.0 / 32 ? 0 : shift
            }
            return node(left) + (node(right) - node(left)) * (x - Double(left))
        }
        return (0..<height).flatMap { y in
            (0..<width).map { x in
                let node = (
                    x: width > 1 ? Double(x) * Double(slopes.columns - 1) / Double(width - 1) : 0,
                    y: height > 1 ? Double(y) * Double(slopes.rows - 1) / Double(height - 1) : 0
                )
                let u = min(max(0, Double(x) + shift(slopes.across, node.x, node.y, scale.x)), Double(width - 1))
                let v = min(max(0, Double(y) + shift(slopes.down, node.x, node.y, scale.y)), Double(height - 1))
                let (left, top) = (Int(u), Int(v))
                let (right, bottom) = (min(left + 1, width - 1), min(top + 1, height - 1))
                return (0..<4).map { channel in
                    func sample(_ x: Int, _ y: Int) -> Double { Double(bytes[4 * (y * width + x) + channel]) }
                    let (fx, fy) = (u - Double(left), v - Double(top))
                    let upper = sample(left, top) * (1 - fx) + sample(right, top) * fx
                    let lower = sample(left, bottom) * (1 - fx) + sample(right, bottom) * fx
                    return upper * (1 - fy) + lower * fy
                }
            }
        }
    }

    /// The largest difference, and how many bytes differ by more than what rounding makes of them.
    private func difference(_ made: PixelBuffer, _ expected: [[Double]], allowed: Double) -> (Double, Int) {
        let bytes = made.packedBytes()
        var (most, off) = (0.0, 0)
        for (pixel, channels) in expected.enumerated() {
            for channel in 0..<4 {
                let difference = abs(Double(bytes[4 * pixel + channel]) - channels[channel])
                most = max(most, difference)
                if difference > allowed { off += 1 }
            }
        }
        return (most, off)
    }

    /// A picture whose colours change by little from pixel to pixel.
    private func smooth(_ size: PixelSize) throws -> PixelBuffer {
        var picture = try PixelBuffer(format: .bgra, width: size.width, height: size.height)
        try picture.fill { _, x, row in
            let place = x / 4
            return [UInt16(place & 255), UInt16(row & 255), UInt16((place + row) / 2 & 255), 200][x % 4]
        }
        return picture
    }

    @Test(arguments: PixelKernels.Variant.here)
    func `the picture is seen where the water bends it to`(variant: PixelKernels.Variant) throws {
        for size in effectSizes where size.width < 250 {
            for reach in [Float(0.02), 0.8, 6, 500] {
                let slopes = slopes(for: size, size: reach)
                let picture = try smooth(size)
                var made = try PixelBuffer(format: .bgra, width: size.width, height: size.height)
                try slopes.refract(picture, into: &made, with: variant.effects)
                // A place is off by 1/512 of a pixel, and each of two means is rounded.
                let (most, _) = difference(made, expected(picture, slopes), allowed: 1)
                #expect(most <= 1.1, "\(size), up to \(reach) cells: \(most)")
            }
        }
    }

    @Test(arguments: PixelKernels.Variant.here)
    func `noise too, within what 1/256 of a pixel can say`(variant: PixelKernels.Variant) throws {
        for size in effectSizes where size.width < 330 {
            let slopes = slopes(for: size, size: 3)
            let picture = try PixelBuffer.strayNoise(.bgra, size)
            var made = try PixelBuffer(format: .bgra, width: size.width, height: size.height)
            try slopes.refract(picture, into: &made, with: variant.effects)
            let (most, off) = difference(made, expected(picture, slopes), allowed: 1.5)
            #expect(most <= 2.5 && off * 200 <= size.width * size.height * 4, "\(size): \(most), \(off)")
        }
    }

    @Test func `all variants make the same`() throws {
        let size = PixelSize(width: 1921, height: 1079)
        let slopes = slopes(for: size, size: 2)
        let picture = try PixelBuffer.strayNoise(.bgra, size)
        let made = try PixelKernels.Variant.here.map { variant in
            var made = try PixelBuffer(format: .bgra, width: size.width, height: size.height)
            try slopes.refract(picture, into: &made, with: variant.effects)
            return made.packedBytes()
        }
        #expect(made.dropFirst().allSatisfy { $0 == made[0] })
    }
}
