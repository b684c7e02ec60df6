// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraImaging
import ObscuraMedia
import TestSupport
import Testing

/// RGB of four bytes per pixel in the orders of cameras, against the same pixels in BGRA.
@Suite struct ByteOrderTests {
    /// Returns the picture in BGRA, byte by byte; an undefined byte is an alpha of 255.
    private func bgra(_ picture: PixelBuffer) throws -> PixelBuffer {
        let places = try #require(picture.format.colorPlaces)
        let bytes = picture.samples(ofPlane: 0)
        let hasAlpha = hasAlpha(picture.format)
        var result = try PixelBuffer(
            format: .bgra, width: picture.width, height: picture.height, colorSpace: picture.colorSpace)
        try result.fill { _, x, row in
            let pixel = 4 * (row * picture.width + x / 4)
            let place = x % 4 == 3 ? 6 - places.reduce(0, +) : places[2 - x % 4]
            return x % 4 == 3 && !hasAlpha ? 255 : UInt16(bytes[pixel + place])
        }
        return result
    }

    private func hasAlpha(_ format: PixelFormat) -> Bool { format == .argb || format == .abgr }

    @Test(arguments: PixelFormat.reordered)
    func `each byte goes to its place, and an undefined one becomes opaque, at any width and distance of rows`(
        format: PixelFormat
    ) throws {
        for width in Array(1...40) + [67, 255, 640] {
            let picture = try PixelBuffer.strayNoise(format, PixelSize(width: width, height: 3), .sRGB)
            let expected = try bgra(picture).samples(ofPlane: 0)
            let result = try ImageTransformer.transform(picture, ImageRequest(pixelFormat: .bgra))
            #expect(result.format == .bgra && result.colorSpace == .sRGB)
            #expect(result.samples(ofPlane: 0) == expected, "\(width)")
            let swapped = try ImageTransformer.transform(picture, ImageRequest(pixelFormat: .rgba)).samples(ofPlane: 0)
            #expect(swapped == expected.indices.map { expected[$0 % 2 == 0 ? $0 ^ 2 : $0] }, "\(width)")
        }
    }

    @Test func `a frame whose undefined byte is 0 is opaque`() throws {
        for format in [PixelFormat.bgrx, .rgbx, .xrgb, .xbgr] {
            let black = try PixelBuffer(format: format, width: 33, height: 2)
            for target in [PixelFormat.bgra, .rgba] {
                let result = try ImageTransformer.transform(black, ImageRequest(pixelFormat: target))
                #expect(result.samples(ofPlane: 0) == (0..<(4 * 33 * 2)).map { $0 % 4 == 3 ? 255 : 0 })
            }
        }
    }

    @Test(arguments: PixelFormat.reordered, [ColorSpace.Range.full, .limited])
    func `any request gives what it gives for the same pixels in BGRA`(
        format: PixelFormat, range: ColorSpace.Range
    ) throws {
        var dice = Dice(seed: 29)
        var space = ColorSpace.sRGB
        space.range = range
        for round in 0..<150 {
            let size = PixelSize(width: .random(in: 1...90, using: &dice), height: .random(in: 1...50, using: &dice))
            let picture = try PixelBuffer.strayNoise(format, size, space, seed: UInt64(round))
            let plain = try bgra(picture)
            var request = ImageRequest(pixelFormat: PixelFormat.targets[round % PixelFormat.targets.count])
            if Bool.random(using: &dice) {
                let width = Int.random(in: 1...120, using: &dice)
                request.size = PixelSize(width: width, height: .random(in: 1...70, using: &dice))
            }
            request.fit = .allCases.randomElement(using: &dice) ?? .fill
            if Bool.random(using: &dice) {
                let (x, y) = (size.width / 3, size.height / 3)
                request.crop = PixelRect(x: x, y: y, width: size.width - x, height: size.height - y)
            }
            request.orientation = .allCases.randomElement(using: &dice) ?? .up
            request.isMirrored = .random(using: &dice)
            request.colorSpace = Bool.random(using: &dice) ? ColorSpace.pairs.randomElement(using: &dice) : nil
            let (result, expected) = (
                try ImageTransformer.transform(picture, request), try ImageTransformer.transform(plain, request)
            )
            #expect(result.format == expected.format && result.size == expected.size)
            #expect(result.colorSpace == expected.colorSpace)
            var bytes = expected.packedBytes()
            if !hasAlpha(format), result.format == .bgra || result.format == .rgba {
                // Scaled alpha of 255 is 253 or more.
                for place in stride(from: 3, to: bytes.count, by: 4) { bytes[place] = 255 }
            }
            #expect(result.packedBytes() == bytes, "\(request)")
        }
    }

    @Test(arguments: PixelFormat.reordered)
    func `a changed picture without a requested format is BGRA, and a part of a picture keeps its format`(
        format: PixelFormat
    ) throws {
        let picture = try PixelBuffer.strayNoise(format, PixelSize(width: 31, height: 17), .sRGB)
        let plain = try bgra(picture)
        for change: (inout ImageRequest) -> Void in [
            { $0.isMirrored = true }, { $0.orientation = .left }, { $0.size = PixelSize(width: 40, height: 9) },
        ] {
            var request = ImageRequest()
            change(&request)
            let result = try ImageTransformer.transform(picture, request)
            #expect(result.format == .bgra)
            let expected = try ImageTransformer.transform(plain, request)
            #expect(result.pixels().difference(from: expected.pixels()) == 0)
            request.pixelFormat = format
            let error = #expect(throws: ObscuraError.self) { try ImageTransformer.transform(picture, request) }
            #expect(error?.code == .unsupportedFormat)
        }
        var request = ImageRequest(pixelFormat: format)
        request.crop = PixelRect(x: 3, y: 1, width: 9, height: 5)
        let part = try ImageTransformer.transform(picture, request)
        #expect(part.format == format)
        #expect(
            part.pixels().difference(from: picture.pixels().cropped(PixelRect(x: 3, y: 1, width: 9, height: 5))) == 0)
    }

    @Test(arguments: PixelFormat.reordered)
    func `effects and still images are those of the same pixels in BGRA`(format: PixelFormat) throws {
        let picture = try PixelBuffer.strayNoise(format, PixelSize(width: 61, height: 35), .sRGB)
        let plain = try bgra(picture)
        for effect in [VideoEffect.mono, .invert, .sepia, .rosy, .blur(radius: 2), .pixellate(side: 8)] {
            var request = ImageRequest()
            request.effects = [effect]
            let result = try ImageTransformer.transform(picture, request)
            #expect(result.format == .bgra)
            let expected = try ImageTransformer.transform(plain, request).packedBytes()
            #expect(result.packedBytes() == expected, "\(effect.name)")
        }
        #expect(try JPEGEncoder().encode(picture) == JPEGEncoder().encode(plain))
        #expect(try PNGEncoder().encode(picture) == PNGEncoder().encode(plain))
    }
}
