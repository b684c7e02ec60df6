// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraImaging
import ObscuraMedia
import TestSupport
import Testing

/// Every format to every other, against the formulas, on noise.
@Suite struct ConversionTests {
    static let sizes = [(1, 1), (3, 5), (2, 2), (67, 3), (1, 3)]
        .map { PixelSize(width: $0.0, height: $0.1) }

    @Test(arguments: PixelFormat.uncompressed, PixelFormat.targets)
    func `each format becomes each other to within 1`(source: PixelFormat, target: PixelFormat) throws {
        for (index, size) in Self.sizes.enumerated() {
            for space in ColorSpace.pairs {
                let picture = try PixelBuffer.noise(
                    source, size.width, size.height, source.isYUV ? space : .sRGB, seed: UInt64(index))
                let result = try ImageTransformer.transform(picture, ImageRequest(pixelFormat: target))
                #expect(result.format == target)
                #expect(result.size == size)
                let exact = exactly(picture, as: target, result.colorSpace)
                #expect(result.pixels().difference(from: exact) <= 1, "\(size) \(space.matrix) \(space.range)")
            }
        }
    }

    @Test(arguments: PixelFormat.uncompressed, ColorSpace.pairs)
    func `a YUV result has the colour space that was asked for`(source: PixelFormat, space: ColorSpace) throws {
        for target in [PixelFormat.nv12, .i420, .i422, .i444, .gray8] {
            for from in ColorSpace.pairs where source.isYUV || from == .bt709 {
                let picture = try PixelBuffer.noise(source, 35, 3, source.isYUV ? from : .sRGB)
                var request = ImageRequest(pixelFormat: target)
                request.colorSpace = space
                let result = try ImageTransformer.transform(picture, request)
                #expect(result.colorSpace == space)
                let exact = exactly(picture, as: target, space)
                #expect(result.pixels().difference(from: exact) <= 1, "\(target) from \(from.matrix) \(from.range)")
            }
        }
    }

    @Test(arguments: PixelFormat.uncompressed)
    func `another colour space alone keeps the kind of picture`(source: PixelFormat) throws {
        let picture = try PixelBuffer.noise(source, 7, 5, source.isYUV ? .bt709 : .sRGB)
        var request = ImageRequest()
        request.colorSpace = .jpeg
        let result = try ImageTransformer.transform(picture, request)
        let promised = try ImageTransformer.result(of: request, for: source, size: picture.size)
        #expect(result.format == promised.format)
        #expect(result.format.chromaSubsampling == source.chromaSubsampling)
        #expect(result.colorSpace == (source.isYUV ? .jpeg : .sRGB))
        #expect(result.pixels().difference(from: exactly(picture, as: result.format, result.colorSpace)) <= 1)
    }

    @Test(
        arguments: [PixelFormat.i420, .i422, .nv12, .nv21, .nv16, .yuyv, .uyvy, .yvyu, .vyuy, .i010, .i210],
        ColorSpace.pairs)
    func `bilinear chroma lies between the samples, weighted by distance`(
        source: PixelFormat, space: ColorSpace
    ) throws {
        for size in Self.sizes {
            let picture = try PixelBuffer.noise(source, size.width, size.height, space, seed: 9)
            var request = ImageRequest(pixelFormat: .rgba)
            request.chroma = .bilinear
            let result = try ImageTransformer.transform(picture, request)
            let exact = ExactColors(space, bitDepth: source.bitDepth)
            let expected = blended(picture).map { exact.rgb($0).asBytes }
            #expect(result.pixels().difference(from: expected) <= 1, "\(size)")
            guard source.bitDepth == 8 else { continue }
            request.pixelFormat = .i444
            let planes = try ImageTransformer.transform(picture, request)
            #expect(planes.pixels().difference(from: blended(picture)) <= 0.5)
        }
    }

    @Test(arguments: [PixelFormat.bgra, .rgba, .bgr24, .rgb24])
    func `RGB of limited range becomes full whatever is asked for`(format: PixelFormat) throws {
        var limited = ColorSpace.sRGB
        limited.range = .limited
        let isWide = format == .bgra || format == .rgba
        var picture = try PixelBuffer(format: format, width: 256, height: 2, colorSpace: limited)
        try picture.withMutableBytes(ofPlane: 0) { bytes in
            for offset in 0..<bytes.byteCount {
                bytes.storeBytes(of: UInt8(offset % 256), toByteOffset: offset, as: UInt8.self)
            }
        }
        #expect(try ImageTransformer.transform(picture, ImageRequest()).colorSpace.range == .limited)
        let result = try ImageTransformer.transform(picture, ImageRequest(pixelFormat: format))
        #expect(result.colorSpace == .sRGB)
        let (codes, expanded) = (picture.packedBytes(), result.packedBytes())
        for (offset, code) in codes.enumerated() {
            let exact = ((Double(code) - 16) * 255 / 219).rounded()
            let expected = isWide && offset % 4 == 3 ? code : UInt8(min(255, max(0, exact)))
            #expect(expanded[offset] == expected, "\(code)")
        }
        // The same as an expansion first and a conversion then.
        for target in PixelFormat.targets where target != format {
            let straight = try ImageTransformer.transform(picture, ImageRequest(pixelFormat: target))
            let stepwise = try ImageTransformer.transform(result, ImageRequest(pixelFormat: target))
            #expect(straight.packedBytes() == stepwise.packedBytes())
        }
    }

    @Test(arguments: [PixelFormat.bgr24, .rgb24], [(1, 1), (3, 5), (16, 2), (67, 3), (321, 2)])
    func `three bytes a pixel become four and back without a change`(format: PixelFormat, size: (Int, Int)) throws {
        let picture = try PixelBuffer.noise(format, size.0, size.1, .sRGB, seed: 3)
        for other in [PixelFormat.bgra, .rgba, .bgr24, .rgb24] {
            let result = try ImageTransformer.transform(picture, ImageRequest(pixelFormat: other))
            #expect(result.format == other && result.colorSpace == picture.colorSpace)
            #expect(result.pixels().difference(from: picture.pixels()) == 0)
            let back = try ImageTransformer.transform(result, ImageRequest(pixelFormat: format))
            #expect(back.samples(ofPlane: 0) == picture.samples(ofPlane: 0))
            if other == .bgra || other == .rgba {
                let alpha = result.samples(ofPlane: 0).enumerated().filter { $0.offset % 4 == 3 }.map(\.element)
                #expect(alpha.allSatisfy { $0 == 255 })
            }
        }
    }

    @Test(
        arguments: [(PixelFormat.nv21, PixelFormat.nv12), (.yvyu, .yuyv), (.vyuy, .uyvy), (.nv16, .i422)],
        ColorSpace.pairs)
    func `another order of chroma changes no colour`(pair: (PixelFormat, PixelFormat), space: ColorSpace) throws {
        for size in Self.sizes {
            let picture = try PixelBuffer.noise(pair.0, size.width, size.height, space, seed: 5)
            var copy = try PixelBuffer(
                format: pair.1, width: size.width, height: size.height, colorSpace: space)
            let samples = (0..<picture.planeCount).map { picture.samples(ofPlane: $0) }
            let rowBytes = picture.planes.map(\.rowBytes)
            try copy.fill { plane, x, row in
                func sample(_ plane: Int, _ x: Int) -> UInt16 { UInt16(samples[plane][row * rowBytes[plane] + x]) }
                return switch pair.0 {
                case .nv16: plane == 0 ? sample(0, x) : sample(1, 2 * x + plane - 1)
                case .nv21: plane == 0 ? sample(0, x) : sample(1, x ^ 1)
                case .yvyu: sample(0, x % 2 == 1 ? x ^ 2 : x)
                default: sample(0, x % 2 == 0 ? x ^ 2 : x)
                }
            }
            for target in PixelFormat.targets {
                for chroma in [ImageRequest.ChromaUpsampling.nearest, .bilinear] {
                    var request = ImageRequest(pixelFormat: target)
                    request.chroma = chroma
                    let results = try [picture, copy].map { try ImageTransformer.transform($0, request).packedBytes() }
                    #expect(results[0] == results[1], "\(target) \(size)")
                }
            }
        }
    }

    @Test func `alpha is opaque and the other bytes are where they belong`() throws {
        var picture = try PixelBuffer(format: .i444, width: 70, height: 2, colorSpace: .jpeg)
        try picture.fill { plane, _, _ in plane == 0 ? 76 : plane == 1 ? 85 : 255 }
        for (format, bytes) in [(PixelFormat.bgra, [0, 0, 254, 255]), (.rgba, [254, 0, 0, 255])] {
            let result = try ImageTransformer.transform(picture, ImageRequest(pixelFormat: format))
            let samples = result.samples(ofPlane: 0)
            #expect(samples.count == 70 * 2 * 4)
            for (index, sample) in samples.enumerated() { #expect(abs(sample - bytes[index % 4]) <= 1) }
        }
    }

    @Test func `RGB becomes BT.601 limited unless asked otherwise, and says so`() throws {
        let picture = try PixelBuffer.noise(.bgra, 4, 4)
        let result = try ImageTransformer.transform(picture, ImageRequest(pixelFormat: .i420))
        #expect(result.colorSpace == .bt601)
    }

    @Test(arguments: PixelFormat.uncompressed)
    func `nothing asked gives the source itself`(format: PixelFormat) throws {
        let picture = try PixelBuffer.noise(format, 5, 3)
        #expect(try ImageTransformer.transform(picture, ImageRequest()).isIdentical(to: picture))
        var same = ImageRequest(pixelFormat: format, size: picture.size)
        same.crop = PixelRect(x: 0, y: 0, width: 5, height: 3)
        #expect(try ImageTransformer.transform(picture, same).isIdentical(to: picture))
    }

    @Test func `what cannot be made is refused with a reason`() throws {
        let picture = try PixelBuffer.noise(.i420, 8, 8)
        let others: [PixelFormat] = [
            .yuyv, .uyvy, .yvyu, .vyuy, .nv21, .nv16, .argb, .abgr, .bgrx, .rgbx, .xrgb, .xbgr, .i010, .i210, .i410,
            .mjpeg, .h264,
        ]
        for format in others {
            let error = #expect(throws: ObscuraError.self) {
                try ImageTransformer.transform(picture, ImageRequest(pixelFormat: format))
            }
            #expect(error?.code == .unsupportedFormat)
        }
        for size in [(0, 1), (1, -1), (40000, 1), (Int.max, Int.max)] {
            let error = #expect(throws: ObscuraError.self) {
                try ImageTransformer.transform(
                    picture, ImageRequest(size: PixelSize(width: size.0, height: size.1)))
            }
            #expect(error?.code == .invalidRequest)
        }
        for rect in [(0, 0, 9, 1), (-1, 0, 2, 2), (8, 0, 1, 1), (0, 0, 0, 1), (.max, 0, .max, 1), (1, .min, 1, .max)] {
            var request = ImageRequest()
            request.crop = PixelRect(x: rect.0, y: rect.1, width: rect.2, height: rect.3)
            let error = #expect(throws: ObscuraError.self) { try ImageTransformer.transform(picture, request) }
            #expect(error?.code == .invalidRequest)
        }
        #expect(throws: ObscuraError.self) {
            _ = try ImageTransformer.result(
                of: ImageRequest(pixelFormat: .bgra), for: .mjpeg, size: PixelSize(width: 8, height: 8))
        }
    }

    @Test func `a full pool is an error of the media`() throws {
        let pool = PixelBufferPool(capacity: 1)
        let picture = try PixelBuffer.noise(.i420, 8, 8)
        let held = try ImageTransformer.transform(picture, ImageRequest(pixelFormat: .bgra), in: pool)
        #expect(throws: ObscuraError.self) {
            try ImageTransformer.transform(picture, ImageRequest(pixelFormat: .rgba), in: pool)
        }
        withExtendedLifetime(held) {}
    }

    /// What the pixels of the result are by the formulas.
    private func exactly(_ picture: PixelBuffer, as target: PixelFormat, _ space: ColorSpace) -> Raster<SIMD3<Double>> {
        let from = ExactColors(picture.colorSpace, bitDepth: picture.format.bitDepth)
        let to = ExactColors(space)
        let highest = SIMD3<Double>(repeating: 255)
        let converted = picture.pixels().map { pixel -> SIMD3<Double> in
            switch (picture.format.isYUV, target.isYUV) {
            case (false, false): pixel
            case (true, false): from.rgb(pixel).asBytes
            case (false, true): to.yuv(pixel)
            case (true, true):
                picture.colorSpace.matrix == space.matrix
                    ? to.codes(from.signals(pixel)) : to.yuv(from.rgb(pixel))
            }
        }
        if !target.isYUV { return converted }
        if target == .gray8 {
            return converted.map { SIMD3($0.x, 128, 128).asBytes }
        }
        let (columns, rows) = target.chromaSubsampling
        // Samples are clamped before they are averaged where they existed before.
        let clamped =
            picture.format.isYUV
            ? converted.map { $0.clamped(lowerBound: .zero, upperBound: highest) } : converted
        return clamped.sharingChroma(columns, rows).map { $0.asBytes }
    }

    /// The pixels with chroma between the samples.
    private func blended(_ picture: PixelBuffer) -> Raster<SIMD3<Double>> {
        let nearest = picture.pixels()
        let (columns, rows) = picture.format.chromaSubsampling
        func neighbour(_ position: Int, _ block: Int, _ limit: Int) -> Int {
            guard block == 2 else { return position }
            let next = position % 2 == 0 ? position - 1 : position + 1
            return next < 0 || next >= limit ? position : next
        }
        return Raster(width: picture.width, height: picture.height) { x, y in
            let (farX, farY) = (neighbour(x, columns, picture.width), neighbour(y, rows, picture.height))
            let near = 0.75 * nearest[x, y] + 0.25 * nearest[farX, y]
            let far = 0.75 * nearest[x, farY] + 0.25 * nearest[farX, farY]
            let chroma = 0.75 * near + 0.25 * far
            return SIMD3(nearest[x, y].x, chroma.y, chroma.z)
        }
    }
}
