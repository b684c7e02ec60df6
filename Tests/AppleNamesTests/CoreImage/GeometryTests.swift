// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import CoreImage
import ObscuraMedia
import Testing

@Suite("Geometry of CIImage") struct GeometryTests {
    /// The place in the upright picture of a stored pixel, by the definitions of EXIF.
    private func place(
        _ orientation: CGImagePropertyOrientation, _ x: Int, _ y: Int, _ width: Int, _ height: Int
    ) -> (x: Int, y: Int) {
        switch orientation {
        case .up: (x, y)
        case .upMirrored: (width - 1 - x, y)
        case .down: (width - 1 - x, height - 1 - y)
        case .downMirrored: (x, height - 1 - y)
        case .leftMirrored: (y, x)
        case .right: (height - 1 - y, x)
        case .rightMirrored: (height - 1 - y, width - 1 - x)
        case .left: (y, width - 1 - x)
        }
    }

    private func upright(_ colors: [[TestColor]], _ orientation: CGImagePropertyOrientation) -> [[TestColor]] {
        let (width, height) = (colors[0].count, colors.count)
        let isTransposed = orientation.rawValue > 4
        let row = [TestColor](repeating: .clear, count: isTransposed ? height : width)
        var result = [[TestColor]](repeating: row, count: isTransposed ? width : height)
        for y in 0..<height {
            for x in 0..<width {
                let target = place(orientation, x, y, width, height)
                result[target.y][target.x] = colors[y][x]
            }
        }
        return result
    }

    @Test("Each orientation moves each pixel", arguments: CGImagePropertyOrientation.allCases)
    func orientations(_ orientation: CGImagePropertyOrientation) throws {
        let picture = try PixelBuffer.distinct(6, 4)
        let image = CIImage(cgImage: CGImage(picture))
        let expected = upright(picture.colors, orientation)
        let oriented = image.oriented(orientation)
        #expect(oriented.extent == CGRect(x: 0, y: 0, width: expected[0].count, height: expected.count))
        #expect(try oriented.colors() == expected)
        #expect(try image.oriented(forExifOrientation: Int32(orientation.rawValue)).colors() == expected)
        let transform = image.orientationTransform(for: orientation)
        #expect(try image.transformed(by: transform).colors() == expected)
        #expect(image.transformed(by: transform).extent == oriented.extent)
    }

    @Test("Orientations after one another, and after a part, are those of the pixels", arguments: 1...8)
    func sequences(_ first: UInt32) throws {
        let picture = try PixelBuffer.distinct(7, 5)
        let part = picture.colors[1..<4].map { Array($0[2..<7]) }
        let image = CIImage(cgImage: CGImage(picture)).cropped(to: CGRect(x: 2, y: 1, width: 5, height: 3))
        let one = try #require(CGImagePropertyOrientation(rawValue: first))
        for two in CGImagePropertyOrientation.allCases {
            let turned = image.oriented(one).oriented(two)
            let expected = upright(upright(part, one), two)
            #expect(try turned.colors() == expected)
            // A part of the result: its bottom right pixel.
            let corner = CGRect(x: turned.extent.maxX - 1, y: turned.extent.minY, width: 1, height: 1)
            #expect(try turned.cropped(to: corner).colors().last?.last == expected.last?.last)
        }
    }

    @Test("An invalid number of an orientation has no effect") func invalidOrientation() throws {
        let image = CIImage(cgImage: CGImage(try .distinct(3, 2)))
        for number: Int32 in [-1, 0, 9] { #expect(image.oriented(forExifOrientation: number) === image) }
    }

    @Test("A part is counted from the bottom left corner, and keeps its coordinates") func bottomLeft() throws {
        let image = CIImage(cgImage: CGImage(try .quarters(8, 6)))
        let part = image.cropped(to: CGRect(x: 0, y: 0, width: 4, height: 3))
        #expect(part.extent == CGRect(x: 0, y: 0, width: 4, height: 3))
        #expect(Set(try part.colors().joined()) == [.blue])
        let top = image.cropped(to: CGRect(x: 4, y: 3, width: 4, height: 3))
        #expect(top.extent == CGRect(x: 4, y: 3, width: 4, height: 3))
        #expect(Set(try top.colors().joined()) == [.green])
        let both = top.cropped(to: CGRect(x: 3, y: 2, width: 2, height: 2))
        #expect(both.extent == CGRect(x: 4, y: 3, width: 1, height: 1))
    }

    @Test("A part is extended to whole pixels, and cut off at the edges") func partialPixels() throws {
        let image = CIImage(cgImage: CGImage(try .distinct(8, 6)))
        #expect(
            image.cropped(to: CGRect(x: 1.2, y: 2.9, width: 2, height: 2)).extent
                == CGRect(x: 1, y: 2, width: 3, height: 3))
        #expect(image.cropped(to: .infinite).extent == image.extent)
        #expect(image.cropped(to: image.extent) === image)
    }

    @Test("Outside of an image there is an empty one, which has no pixels") func emptyParts() throws {
        let image = CIImage(cgImage: CGImage(try .distinct(8, 6)))
        for rect in [
            CGRect.zero, .null, CGRect(x: 8, y: 0, width: 5, height: 5),
            CGRect(x: 0, y: 0, width: CGFloat.nan, height: CGFloat.nan),
        ] {
            let part = image.cropped(to: rect)
            #expect(part.extent.isEmpty, "\(rect)")
            #expect(CIContext().createCGImage(part, from: image.extent) == nil)
            #expect(part.oriented(.right).extent.isEmpty)
            #expect(part.transformed(by: CGAffineTransform(translationX: 1, y: 1)).extent.isEmpty)
            #expect(part.applyingGaussianBlur(sigma: 3).extent.isEmpty)
        }
        #expect(CIImage.empty().extent.isEmpty)
    }

    @Test("A part of a picture with shared chroma begins at any pixel") func chroma() throws {
        let picture = try PixelBuffer.bgraNoise(20, 12).converted(to: .nv12)
        let whole = try picture.converted(to: .bgra).colors
        let image = CIImage(cvPixelBuffer: CVBuffer(picture))
        let part = try image.cropped(to: CGRect(x: 3, y: 4, width: 9, height: 5)).colors()
        #expect(part == whole[3..<8].map { Array($0[3..<12]) })
    }
}
