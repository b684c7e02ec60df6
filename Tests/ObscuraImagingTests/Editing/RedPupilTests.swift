// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import Testing

@testable import ObscuraImaging

/// Which eyes need a correction.
@Suite struct RedPupilTests {
    private static let skin: [UInt16] = [120, 150, 205, 255]
    private static let red: [UInt16] = [60, 45, 180, 255]
    private static let brown: [UInt16] = [20, 62, 95, 255]

    /// An eye of 24x24 at (28, 18) in a picture of skin; `color` is that of a pixel at a distance from its center.
    private func pupils(
        _ eyes: [PixelRect] = [PixelRect(x: 28, y: 18, width: 24, height: 24)],
        _ color: (_ x: Int, _ y: Int) -> [UInt16]?
    ) throws -> [PixelRect] {
        var picture = try PixelBuffer(format: .bgra, width: 80, height: 60)
        try picture.fill { _, x, row in (color(x / 4 - 40, row - 30) ?? Self.skin)[x % 4] }
        return try RedEye.redPupils(in: picture, eyes: eyes).map { $0.pixels(in: picture.size) }
    }

    private static func disc(_ radius: Int, _ x: Int, _ y: Int) -> Bool { x * x + y * y <= radius * radius }

    @Test(arguments: [2, 3, 4, 5])
    func `a red pupil is found with its surroundings, also with a reflection in it`(radius: Int) throws {
        let found = try pupils { x, y in
            if radius > 2, Self.disc(1, x + 1, y + 1) { return [250, 250, 250, 255] }
            return Self.disc(radius, x, y) ? Self.red : Self.disc(7, x, y) ? Self.brown : nil
        }
        let margin = max(1, (2 * radius + 1) / 4)
        let side = 2 * (radius + margin) + 1
        #expect(found == [PixelRect(x: 40 - radius - margin, y: 30 - radius - margin, width: side, height: side)])
    }

    @Test func `brown eyes, skin, red lines, red areas and single red pixels are no red pupils`() throws {
        #expect(try pupils { x, y in Self.disc(5, x, y) ? Self.brown : nil } == [])
        #expect(try pupils { _, _ in nil } == [])
        #expect(try pupils { _, y in y == 3 ? Self.red : nil } == [])
        #expect(try pupils { _, _ in Self.red } == [])
        #expect(try pupils { x, y in x == 2 && y == 2 ? Self.red : nil } == [])
        // A pupil of blue eyes, which is black.
        #expect(try pupils { x, y in Self.disc(3, x, y) ? [20, 20, 25, 255] : nil } == [])
    }

    @Test func `eyes outside of the picture and at its edges are harmless`() throws {
        let eyes = [
            PixelRect(x: -30, y: 0, width: 24, height: 24), PixelRect(x: 70, y: 50, width: 24, height: 24),
            PixelRect(x: 0, y: 0, width: 0, height: 5), PixelRect(x: .max, y: .max, width: .max, height: 1),
        ]
        #expect(try pupils(eyes) { _, _ in nil } == [])
        // Half of the eye is outside.
        let found = try pupils([PixelRect(x: 68, y: 18, width: 24, height: 24)]) { x, y in
            Self.disc(2, x - 34, y) ? Self.red : nil
        }
        #expect(found == [PixelRect(x: 71, y: 27, width: 7, height: 7)])
    }

    @Test func `the correction makes the pupil gray`() throws {
        var picture = try PixelBuffer(format: .bgra, width: 80, height: 60)
        try picture.fill { _, x, row in (Self.disc(4, x / 4 - 40, row - 30) ? Self.red : Self.skin)[x % 4] }
        let eye = PixelRect(x: 28, y: 18, width: 24, height: 24)
        let parts = try RedEye.redPupils(in: picture, eyes: [eye])
        let after = try StillRecipe([.redEye(parts)]).apply(to: picture).packedBytes()
        for y in 0..<60 {
            for x in 0..<80 {
                let pixel = after[(4 * (80 * y + x))...].prefix(3).map { UInt16($0) }
                #expect(pixel == (Self.disc(4, x - 40, y - 30) ? [60, 45, 53] : Array(Self.skin[..<3])))
            }
        }
    }
}
