// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import CoreImage
import ObscuraImaging
import ObscuraMedia
import TestSupport
import Testing

/// A color with components of 0 to 255.
struct TestColor: Hashable, CustomStringConvertible {
    var red: UInt8
    var green: UInt8
    var blue: UInt8
    var alpha: UInt8 = 255

    static let red = TestColor(red: 255, green: 0, blue: 0)
    static let green = TestColor(red: 0, green: 255, blue: 0)
    static let blue = TestColor(red: 0, green: 0, blue: 255)
    static let white = TestColor(red: 255, green: 255, blue: 255)
    static let clear = TestColor(red: 0, green: 0, blue: 0, alpha: 0)

    static func gray(_ value: UInt8) -> TestColor { TestColor(red: value, green: value, blue: value) }

    var description: String { "(\(red) \(green) \(blue) \(alpha))" }

    /// Whether no component differs by more than `limit`.
    func isNear(_ other: TestColor, _ limit: Int) -> Bool {
        let pairs = [(red, other.red), (green, other.green), (blue, other.blue), (alpha, other.alpha)]
        return pairs.allSatisfy { abs(Int($0) - Int($1)) <= limit }
    }
}

extension PixelBuffer {
    /// A BGRA picture whose pixels are given from its top left corner.
    static func bgra(_ width: Int, _ height: Int, _ color: (_ x: Int, _ y: Int) -> TestColor) throws -> PixelBuffer {
        var picture = try PixelBuffer(format: .bgra, width: width, height: height)
        let stride = picture.bytesPerRow(ofPlane: 0)
        try picture.withMutableBytes(ofPlane: 0) { bytes in
            for y in 0..<height {
                for x in 0..<width {
                    let color = color(x, y)
                    let pixel = SIMD4(color.blue, color.green, color.red, color.alpha)
                    bytes.storeBytes(of: pixel, toByteOffset: y * stride + 4 * x, as: SIMD4<UInt8>.self)
                }
            }
        }
        return picture
    }

    /// Red and green above blue and white.
    static func quarters(_ width: Int, _ height: Int) throws -> PixelBuffer {
        try bgra(width, height) { x, y in
            y < height / 2 ? (x < width / 2 ? .red : .green) : (x < width / 2 ? .blue : .white)
        }
    }

    /// A picture in which no two pixels have the same color.
    static func distinct(_ width: Int, _ height: Int) throws -> PixelBuffer {
        try bgra(width, height) { x, y in
            TestColor(red: UInt8(truncatingIfNeeded: 7 * x), green: UInt8(truncatingIfNeeded: 11 * y), blue: 90)
        }
    }

    /// BGRA noise, which is the same in each run.
    static func bgraNoise(_ width: Int, _ height: Int) throws -> PixelBuffer {
        var dice = Dice(seed: 1)
        return try bgra(width, height) { _, _ in
            let word = dice.next()
            return TestColor(
                red: UInt8(word & 255), green: UInt8(word >> 8 & 255), blue: UInt8(word >> 16 & 255))
        }
    }

    /// The pixels of a BGRA picture, row by row.
    var colors: [[TestColor]] {
        let bytes = packedBytes()
        return (0..<height).map { y in
            (0..<width).map { x in
                let place = 4 * (y * width + x)
                return TestColor(
                    red: bytes[place + 2], green: bytes[place + 1], blue: bytes[place], alpha: bytes[place + 3])
            }
        }
    }

    /// The picture in another format.
    func converted(to format: PixelFormat) throws -> PixelBuffer {
        try ImageTransformer.transform(self, ImageRequest(pixelFormat: format))
    }
}

extension CIImage {
    /// The pixels of the whole image, from its top left corner.
    func colors(_ context: CIContext = CIContext()) throws -> [[TestColor]] {
        try #require(context.createCGImage(self, from: extent)).picture.colors
    }
}
