// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import CoreImage
import ObscuraImaging
import ObscuraMedia
import Testing

@Suite("Transforms of CIImage") struct TransformTests {
    private func image(_ picture: PixelBuffer) -> CIImage { CIImage(cgImage: CGImage(picture)) }

    @Test("A translation moves the coordinates and not the pixels") func translation() throws {
        let picture = try PixelBuffer.distinct(6, 4)
        let moved = image(picture).transformed(by: CGAffineTransform(translationX: 10.4, y: -3.6))
        #expect(moved.extent == CGRect(x: 10, y: -4, width: 6, height: 4))
        #expect(try moved.colors() == picture.colors)
        let part = moved.cropped(to: CGRect(x: 10, y: -4, width: 1, height: 1))
        #expect(try part.colors() == [[picture.colors[3][0]]])
    }

    @Test("A scaling has the pixels of ImageTransformer, and the nearest whole size") func scaling() throws {
        let picture = try PixelBuffer.bgraNoise(16, 10)
        let half = image(picture).transformed(by: CGAffineTransform(scaleX: 0.5, y: 0.5))
        #expect(half.extent == CGRect(x: 0, y: 0, width: 8, height: 5))
        var request = ImageRequest(size: PixelSize(width: 8, height: 5))
        request.fit = .stretch
        #expect(try half.colors() == ImageTransformer.transform(picture, request).colors)
        let odd = image(picture).transformed(by: CGAffineTransform(scaleX: 0.3, y: 1.26))
        #expect(odd.extent.size == CGSize(width: 5, height: 13))
        #expect(try odd.colors().count == 13)
        let tiny = image(picture).transformed(by: CGAffineTransform(scaleX: 0.001, y: 0.001))
        #expect(tiny.extent.size == CGSize(width: 1, height: 1))
    }

    @Test("A rotation by 90 degrees is exact, although a cosine is not") func quarterTurns() throws {
        let picture = try PixelBuffer.distinct(6, 4)
        let start = image(picture)
        let turned = start.transformed(by: CGAffineTransform(rotationAngle: .pi / 2))
        #expect(turned.extent == CGRect(x: -4, y: 0, width: 4, height: 6))
        #expect(try turned.colors() == start.oriented(.left).colors())
        let back = turned.transformed(by: CGAffineTransform(rotationAngle: -.pi / 2))
        #expect(back.extent == CGRect(x: 0, y: 0, width: 6, height: 4))
        #expect(try back.colors() == picture.colors)
    }

    @Test("Mirroring and scaling at once") func mirroredScaling() throws {
        let picture = try PixelBuffer.quarters(8, 8)
        let mirrored = image(picture).transformed(by: CGAffineTransform(scaleX: -2, y: 1))
        #expect(mirrored.extent == CGRect(x: -16, y: 0, width: 16, height: 8))
        let colors = try mirrored.colors()
        let corners = [colors[0][0], colors[0][15], colors[7][0], colors[7][15]]
        // libyuv's interpolation of 255 is 253.
        let expected: [TestColor] = [.green, .red, .white, .blue]
        #expect(zip(corners, expected).allSatisfy { $0.isNear($1, 3) }, "\(corners)")
    }

    @Test("A rotation by any angle has transparent corners and the colors of the image") func anyAngle() throws {
        let picture = try PixelBuffer.quarters(40, 40)
        let turned = image(picture).transformed(by: CGAffineTransform(rotationAngle: .pi / 4))
        // The diagonal of the square is 56.57 pixels.
        #expect(turned.extent == CGRect(x: -29, y: 0, width: 58, height: 57))
        let colors = try turned.colors()
        #expect(colors[0][0] == .clear && colors[0][57] == .clear)
        #expect(colors[56][0] == .clear && colors[56][57] == .clear)
        // Counterclockwise: the top left quarter is at the left, and so on.
        #expect([colors[28][10], colors[8][29], colors[48][29], colors[28][47]] == [.red, .green, .blue, .white])
    }

    @Test("A rotation by nearly 180 degrees has nearly the pixels of one by 180 degrees") func nearlyHalfTurn() throws {
        let picture = try PixelBuffer.bgra(30, 20) { x, y in
            TestColor(red: UInt8(8 * x), green: UInt8(12 * y), blue: 7)
        }
        let exact = try image(picture).oriented(.down).colors()
        let turned = image(picture).transformed(by: CGAffineTransform(rotationAngle: .pi + 1e-6))
        let colors =
            try turned
            .cropped(to: CGRect(x: -30, y: -20, width: 30, height: 20))
            .colors()
        // The outermost pixels are partly outside.
        for y in 1..<19 {
            for x in 1..<29 { #expect(colors[y][x].isNear(exact[y][x], 1), "\(x) \(y)") }
        }
    }

    @Test("A transform without an inverse, and one that is not finite, gives an empty image") func singular() throws {
        let start = image(try .distinct(4, 4))
        for transform in [
            CGAffineTransform(scaleX: 0, y: 1), CGAffineTransform(1, 1, 1, 1, 0, 0),
            CGAffineTransform(translationX: .infinity, y: 0), CGAffineTransform(scaleX: .nan, y: 1),
        ] {
            #expect(start.transformed(by: transform).extent.isEmpty)
        }
    }

    @Test("A size beyond all limits is not rendered, without a crash") func hugeSizes() throws {
        let start = image(try .distinct(4, 4))
        for transform in [
            CGAffineTransform(scaleX: 1e12, y: 1e12), CGAffineTransform(1e12, 1e12, -1e12, 1e12, 0, 0),
        ] {
            let huge = start.transformed(by: transform)
            #expect(CIContext().createCGImage(huge, from: CGRect(x: 0, y: 0, width: 8, height: 8)) == nil)
        }
        let far = start.transformed(by: CGAffineTransform(translationX: 1e300, y: -1e300))
        #expect(far.extent.size == CGSize(width: 4, height: 4))
    }
}
