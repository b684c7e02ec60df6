// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraImaging
import ObscuraMedia
import TestSupport
import Testing

/// What was seen in one picture is found in another one of the same source.
@Suite struct PictureGeometryTests {
    @Test func `a mark in one picture lies where it is said in the other`() throws {
        let source = PixelSize(width: 60, height: 40)
        var dice = Dice(seed: 3)
        func request() -> ImageRequest {
            var request = ImageRequest()
            let (x, y) = (Int.random(in: 0...20, using: &dice), Int.random(in: 0...10, using: &dice))
            if Bool.random(using: &dice) { request.crop = PixelRect(x: x, y: y, width: 60 - 2 * x, height: 40 - 2 * y) }
            request.orientation = Orientation.allCases.randomElement(using: &dice) ?? .up
            request.isMirrored = Bool.random(using: &dice)
            return request
        }
        // A mark in the middle, seen in both.
        let mark = PixelRect(x: 27, y: 18, width: 5, height: 3)
        var picture = try PixelBuffer(format: .bgra, width: 60, height: 40)
        try picture.fill { _, x, row in
            (mark.x..<(mark.x + mark.width)).contains(x / 4) && (mark.y..<(mark.y + mark.height)).contains(row)
                ? 255 : 0
        }
        func found(_ picture: PixelBuffer) -> PixelRect {
            let bytes = picture.packedBytes()
            let lit = (0..<(picture.width * picture.height)).filter { bytes[4 * $0] == 255 }
            let (xs, ys) = (lit.map { $0 % picture.width }, lit.map { $0 / picture.width })
            let (left, top) = (xs.min() ?? 0, ys.min() ?? 0)
            return PixelRect(
                x: left, y: top, width: (xs.max() ?? -1) - left + 1, height: (ys.max() ?? -1) - top + 1)
        }
        for _ in 0..<200 {
            let (one, other) = (request(), request())
            let (first, second) = (
                try ImageTransformer.transform(picture, one), try ImageTransformer.transform(picture, other)
            )
            let geometry = PictureGeometry(one, of: source)
            #expect(geometry.size == first.size)
            #expect(geometry.place(found(first), in: PictureGeometry(other, of: source)) == found(second))
        }
    }
}
