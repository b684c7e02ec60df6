// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import CoreImage
import ObscuraImaging
import ObscuraMedia
import Testing

@Suite("CIContext") struct ContextTests {
    private let context = CIContext()

    @Test(
        "The pixels of a camera are converted like those of ImageTransformer",
        arguments: [PixelFormat.nv12, .yuyv, .i420, .bgra, .rgb24])
    func conversion(_ format: PixelFormat) throws {
        let noise = try PixelBuffer.bgraNoise(24, 16)
        // Packed 4:2:2 is a format of cameras only: gray pixels.
        let picture =
            try format == .yuyv ? PixelBuffer(format: .yuyv, width: 24, height: 16) : noise.converted(to: format)
        let image = CIImage(cvImageBuffer: CVBuffer(picture))
        #expect(try image.colors(context) == picture.converted(to: .bgra).colors)
    }

    @Test("A picture has no reference to the memory of the buffer", arguments: [PixelFormat.bgra, .nv12])
    func ownMemory(_ format: PixelFormat) throws {
        let pool = PixelBufferPool(capacity: 1)
        var picture: PixelBuffer? = try pool.makeBuffer(format: format, width: 8, height: 4)
        let image = try context.createCGImage(
            CIImage(cvPixelBuffer: CVBuffer(#require(picture))), from: CGRect(x: 0, y: 0, width: 8, height: 4))
        picture = nil
        #expect(image?.width == 8)
        #expect(pool.counts.inUse == 0)
    }

    @Test("Pixels outside of the image are transparent") func outside() throws {
        let picture = try PixelBuffer.distinct(4, 3)
        let image = CIImage(cgImage: CGImage(picture))
        let larger = try #require(context.createCGImage(image, from: CGRect(x: -1, y: -2, width: 7, height: 6)))
        var expected = [[TestColor]](repeating: [TestColor](repeating: .clear, count: 7), count: 6)
        for y in 0..<3 { for x in 0..<4 { expected[y + 1][x + 1] = picture.colors[y][x] } }
        #expect(larger.picture.colors == expected)
    }

    @Test("There is no picture of a rectangle that is empty, outside, infinite or too large") func badRectangles()
        throws
    {
        let image = CIImage(cgImage: CGImage(try .distinct(4, 3)))
        for rect in [
            CGRect.zero, .null, .infinite, CGRect(x: 4, y: 0, width: 2, height: 2),
            CGRect(x: 0, y: -5, width: 4, height: 5), CGRect(x: 0, y: 0, width: 40_000, height: 1),
            CGRect(x: CGFloat.nan, y: 0, width: 1, height: 1),
        ] {
            #expect(context.createCGImage(image, from: rect) == nil, "\(rect)")
        }
        #expect(context.createCGImage(.empty(), from: CGRect(x: 0, y: 0, width: 1, height: 1)) == nil)
    }

    @Test("An image is rendered into a buffer from its bottom left corner, and other pixels stay") func placement()
        throws
    {
        let buffer = CVBuffer(try .bgra(6, 5) { _, _ in .gray(9) })
        let picture = try PixelBuffer.distinct(3, 2)
        let image = CIImage(cgImage: CGImage(picture)).transformed(by: CGAffineTransform(translationX: 1, y: 1))
        context.render(image, to: buffer)
        var expected = [[TestColor]](repeating: [TestColor](repeating: .gray(9), count: 6), count: 5)
        for y in 0..<2 { for x in 0..<3 { expected[y + 2][x + 1] = picture.colors[y][x] } }
        #expect(buffer.picture.colors == expected)
    }

    @Test("The bounds limit what is changed") func bounds() throws {
        let buffer = CVBuffer(try .bgra(6, 5) { _, _ in .gray(9) })
        let image = CIImage(cgImage: CGImage(try .bgra(60, 50) { _, _ in .red }))
        context.render(
            image, to: buffer, bounds: CGRect(x: 4, y: 0, width: 9, height: 1),
            colorSpace: CGColorSpaceCreateDeviceRGB())
        var expected = [[TestColor]](repeating: [TestColor](repeating: .gray(9), count: 6), count: 5)
        expected[4][4] = .red
        expected[4][5] = .red
        #expect(buffer.picture.colors == expected)
    }

    @Test(
        "An image is converted to the format and the color space of the buffer",
        arguments: [PixelFormat.nv12, .i420, .gray8])
    func bufferFormats(_ format: PixelFormat) throws {
        let noise = try PixelBuffer.bgraNoise(16, 8)
        for space in [ColorSpace.bt709, .jpeg] {
            let buffer = CVBuffer(try PixelBuffer(format: format, width: 16, height: 8, colorSpace: space))
            context.render(CIImage(cgImage: CGImage(noise)), to: buffer)
            var request = ImageRequest(pixelFormat: format)
            request.colorSpace = space
            #expect(buffer.picture.packedBytes() == (try ImageTransformer.transform(noise, request).packedBytes()))
        }
    }

    @Test(
        "In a buffer with alpha in front, an image has its colors, and other pixels stay",
        arguments: [(kCVPixelFormatType_32ARGB, [0, 1, 2, 3]), (kCVPixelFormatType_32ABGR, [0, 3, 2, 1])])
    func alphaFirst(_ type: OSType, _ places: [Int]) throws {
        var made: CVPixelBuffer?
        #expect(CVPixelBufferCreate(nil, 5, 3, type, nil, &made) == kCVReturnSuccess)
        let buffer = try #require(made)
        let noise = try PixelBuffer.bgraNoise(4, 2)
        context.render(CIImage(cgImage: CGImage(noise)), to: buffer)
        let bytes = buffer.picture.packedBytes()
        for y in 0..<3 {
            for x in 0..<5 {
                let pixel = places.map { bytes[4 * (5 * y + x) + $0] }
                let color = TestColor(red: pixel[1], green: pixel[2], blue: pixel[3], alpha: pixel[0])
                // The image lies in the bottom left corner.
                #expect(color == (x < 4 && y > 0 ? noise.colors[y - 1][x] : .clear), "\(x) \(y)")
            }
        }
        #expect(try buffer.picture.converted(to: .bgra).colors[1][0] == noise.colors[0][0])
    }

    @Test("In a buffer with shared chroma, whole blocks are changed") func blocks() throws {
        let buffer = CVBuffer(try PixelBuffer(format: .nv12, width: 8, height: 8, colorSpace: .jpeg))
        let white = CIImage(cgImage: CGImage(try .bgra(8, 8) { _, _ in .white }))
        context.render(white, to: buffer, bounds: CGRect(x: 1, y: 1, width: 5, height: 5), colorSpace: nil)
        // From the top, rows 2 to 7 are inside the bounds, of which 2 to 6 are wanted.
        let luma = buffer.picture.packedBytes().prefix(64)
        let expected = (0..<64).map { (2..<6).contains($0 / 8) && (2..<6).contains($0 % 8) ? UInt8(255) : 0 }
        #expect(Array(luma) == expected)
    }

    @Test("A buffer in a format that cannot be rendered is not changed") func unsupportedFormat() throws {
        let buffer = CVBuffer(try PixelBuffer(format: .yuyv, width: 8, height: 4))
        let before = buffer.picture.packedBytes()
        context.render(CIImage(cgImage: CGImage(try .quarters(8, 4))), to: buffer)
        #expect(buffer.picture.packedBytes() == before)
    }

    @Test("The options are accepted, and caches can be cleared") func options() throws {
        let context = CIContext(options: [.useSoftwareRenderer: true, .workingColorSpace: NSNull()])
        let image = CIImage(cgImage: CGImage(try .quarters(4, 4)))
        let first = try image.colors(context)
        context.clearCaches()
        #expect(try image.colors(context) == first)
        #expect(CIContext(options: nil) != context)
    }

    @Test("A JPEG file has the size of the image and the given quality") func jpegFiles() throws {
        let image = CIImage(cgImage: CGImage(try .bgraNoise(40, 30))).cropped(
            to: CGRect(x: 8, y: 8, width: 16, height: 10))
        let key = CIImageRepresentationOption(rawValue: kCGImageDestinationLossyCompressionQuality as String)
        let space = try #require(CGColorSpace(name: CGColorSpace.sRGB))
        let files = try [0.1, 0.9].map { quality in
            try #require(context.jpegRepresentation(of: image, colorSpace: space, options: [key: quality]))
        }
        #expect(files[0].count < files[1].count)
        #expect(CIImage(data: files[0])?.extent == CGRect(x: 0, y: 0, width: 16, height: 10))
        #expect(context.jpegRepresentation(of: image, colorSpace: space) == files[1])
        #expect(context.jpegRepresentation(of: .empty(), colorSpace: space) == nil)
    }
}
