// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import AppleGraphics
import ObscuraMedia
import Testing

@Suite("CGImage") struct CGImageTests {
    @Test("A part is counted from the top left corner, and extended to whole pixels") func cropping() throws {
        let picture = try PixelBuffer.distinct(9, 7)
        let image = CGImage(picture)
        let part = try #require(image.cropping(to: CGRect(x: 2.5, y: 1, width: 3, height: 2.2)))
        #expect(part.width == 4 && part.height == 3)
        #expect(part.picture.colors == picture.colors[1..<4].map { Array($0[2..<6]) })
    }

    @Test("A part is cut off at the edges, and there is none outside of the picture") func limits() throws {
        let picture = try PixelBuffer.distinct(9, 7)
        let image = CGImage(picture)
        let corner = try #require(image.cropping(to: CGRect(x: 7, y: 5, width: 100, height: 100)))
        #expect(corner.picture.colors == picture.colors[5...].map { Array($0[7...]) })
        #expect(image.cropping(to: .infinite)?.picture.colors == picture.colors)
        for rect in [
            CGRect.zero, .null, CGRect(x: 9, y: 0, width: 1, height: 1), CGRect(x: -5, y: 0, width: 5, height: 7),
            CGRect(x: 0, y: 0, width: CGFloat.nan, height: 1), CGRect(x: 3, y: 3, width: 0, height: 2),
        ] {
            #expect(image.cropping(to: rect) == nil, "\(rect)")
        }
    }

    @Test("The data has the pixels as the bitmap info says, in rows with padding") func data() throws {
        let color = TestColor(red: 1, green: 2, blue: 3)
        let image = CGImage(try PixelBuffer.bgra(5, 3) { x, y in x == 4 && y == 2 ? color : .white })
        let data = try #require(image.dataProvider?.data)
        #expect(image.bytesPerRow >= 4 * image.width)
        #expect(data.count == image.bytesPerRow * image.height)
        #expect(image.bitmapInfo.intersection(.byteOrderMask) == .byteOrder32Little)
        #expect(image.bitmapInfo.intersection(.alphaInfoMask).rawValue == CGImageAlphaInfo.first.rawValue)
        let last = 2 * image.bytesPerRow + 4 * 4
        #expect(Array(data[last..<(last + 4)]) == [3, 2, 1, 255])
        #expect(Array(data[0..<4]) == [255, 255, 255, 255])
    }

    @Test("A copy is another object with the same pixels") func copying() throws {
        let image = CGImage(try PixelBuffer.distinct(4, 3))
        let copy = try #require(image.copy())
        #expect(copy != image)
        #expect(copy.picture.colors == image.picture.colors)
    }

    @Test("Transforms are combined in the documented order") func transforms() {
        let point = CGPoint(x: 3, y: 4)
        let combined = CGAffineTransform(scaleX: 2, y: 10).concatenating(CGAffineTransform(translationX: 1, y: -1))
        #expect(point.applying(combined) == CGPoint(x: 7, y: 39))
        #expect(point.applying(combined.inverted()) == CGPoint(x: 1, y: 0.5))
        #expect(point.applying(combined.translatedBy(x: 1, y: 1)) == CGPoint(x: 9, y: 49))
        let turned = CGRect(x: 0, y: 0, width: 4, height: 2).applying(CGAffineTransform(0, 1, -1, 0, 0, 0))
        #expect(turned == CGRect(x: -2, y: 0, width: 2, height: 4))
        let singular = CGAffineTransform(scaleX: 0, y: 1)
        #expect(singular.inverted() == singular)
    }

    @Test("sRGB is the only color space") func colorSpaces() {
        #expect(CGColorSpace(name: CGColorSpace.sRGB) == CGColorSpaceCreateDeviceRGB())
        #expect(CGColorSpace(name: "kCGColorSpaceDisplayP3") == nil)
    }
}
