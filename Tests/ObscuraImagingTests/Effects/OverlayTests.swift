// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraImaging
import ObscuraMedia
import Testing

@Suite struct OverlayTests {
    private func layer(_ format: PixelFormat, _ width: Int, _ height: Int) throws -> PixelBuffer {
        var layer = try PixelBuffer.strayNoise(format, PixelSize(width: width, height: height), seed: 99)
        // A third of the pixels is not seen at all, and a third covers what is below.
        let bytes = layer.packedBytes()
        try layer.fill { _, x, row in
            let byte = bytes[row * width * 4 + x]
            guard x % 4 == 3 else { return UInt16(byte) }
            return [0, 255, UInt16(byte)][(x / 4 + row) % 3]
        }
        return layer
    }

    private func overlay(_ layer: PixelBuffer, x: Int, y: Int, opacity: Double = 1) -> OverlayEffect {
        OverlayEffect(placement: .at(x: x, y: y), opacity: opacity) { _ in layer }
    }

    /// Red, green, blue and alpha of a pixel of the layer, if it has one at that place of the picture.
    private func pixel(_ bytes: [UInt8], _ layer: PixelBuffer, _ x: Int, _ y: Int, opacity: Int) -> [Int]? {
        guard x >= 0, y >= 0, x < layer.width, y < layer.height else { return nil }
        let at = 4 * (y * layer.width + x)
        let order = layer.format == .bgra ? [2, 1, 0] : [0, 1, 2]
        let alpha = (Int(bytes[at + 3]) * opacity * 2 + 255) / (2 * 255)
        return order.map { Int(bytes[at + $0]) } + [alpha]
    }

    @Test(arguments: PixelKernels.Variant.here)
    func `each pixel is mixed by the layer's alpha`(variant: PixelKernels.Variant) throws {
        for size in effectSizes where size.width < 600 {
            for format in [PixelFormat.bgra, .rgba] {
                for (layerFormat, place, opacity) in [
                    (PixelFormat.bgra, (0, 0), 255), (.rgba, (2, 1), 128), (.bgra, (-3, -2), 255), (.rgba, (-1, 0), 77),
                ] {
                    let layer = try layer(layerFormat, 37, 11)
                    let picture = try PixelBuffer.strayNoise(format, size)
                    let effect = overlay(layer, x: place.0, y: place.1, opacity: Double(opacity) / 255)
                    let made = try effect.render(picture, EffectContext(), with: variant.effects).packedBytes()
                    var expected = picture.packedBytes()
                    let bytes = layer.packedBytes()
                    for y in 0..<min(size.height, 20) {
                        for x in 0..<min(size.width, 50) {
                            guard let over = pixel(bytes, layer, x - place.0, y - place.1, opacity: opacity)
                            else { continue }
                            let order = format == .bgra ? [2, 1, 0] : [0, 1, 2]
                            for channel in 0..<3 {
                                let at = 4 * (y * size.width + x) + order[channel]
                                let sum = over[channel] * over[3] + Int(expected[at]) * (255 - over[3])
                                expected[at] = UInt8((2 * sum + 255) / (2 * 255))
                            }
                        }
                    }
                    #expect(firstDifference(made, expected, width: 4 * size.width) == nil, "\(format) \(size) \(place)")
                }
            }
        }
    }

    /// By real numbers: luma of each pixel, and the mean of the chroma that each pixel of a block would have had.
    private func expected(
        _ layer: PixelBuffer, _ place: (x: Int, y: Int), opacity: Int, on picture: PixelBuffer
    ) -> Raster<SIMD3<Double>> {
        let bytes = layer.packedBytes()
        let space = picture.colorSpace
        let (kr, kb) = (space.matrix.kr, space.matrix.kb)
        let (lumaScale, chromaScale, black) =
            space.range == .limited ? (219.0 / 255, 224.0 / 255, 16.0) : (1.0, 1.0, 0.0)
        let under = picture.pixels()
        let mixed = Raster<SIMD3<Double>>(width: picture.width, height: picture.height) { x, y in
            guard let over = pixel(bytes, layer, x - place.x, y - place.y, opacity: opacity) else { return under[x, y] }
            let (red, green, blue) = (Double(over[0]), Double(over[1]), Double(over[2]))
            let luma = kr * red + (1 - kr - kb) * green + kb * blue
            let color = SIMD3(
                black + lumaScale * luma, 128 + chromaScale * (blue - luma) / (2 * (1 - kb)),
                128 + chromaScale * (red - luma) / (2 * (1 - kr)))
            let alpha = Double(over[3]) / 255
            return color * alpha + under[x, y] * (1 - alpha)
        }
        let (columns, rows) = picture.format.chromaSubsampling
        return mixed.sharingChroma(columns, rows)
    }

    @Test(arguments: [PixelFormat.i420, .nv12, .nv21, .i422, .nv16, .i444])
    func `luma and chroma are mixed as they lie, right to within 1`(format: PixelFormat) throws {
        for size in effectSizes where size.width < 300 {
            for (layerFormat, place, opacity) in [
                (PixelFormat.bgra, (0, 0), 255), (.rgba, (3, 1), 128), (.bgra, (-3, -1), 255), (.rgba, (1, 2), 200),
            ] {
                for space in [ColorSpace.bt709, .jpeg, .bt601] {
                    let layer = try layer(layerFormat, 35, 13)
                    let picture = try PixelBuffer.strayNoise(format, size, space)
                    let made = try overlay(layer, x: place.0, y: place.1, opacity: Double(opacity) / 255)
                        .render(picture, EffectContext())
                    let right = expected(layer, (place.0, place.1), opacity: opacity, on: picture)
                    #expect(made.pixels().difference(from: right) <= 1.01, "\(format) \(size) \(place) \(space)")
                }
            }
        }
    }

    @Test(arguments: [PixelFormat.bgra, .i420])
    func `what the layer does not cover stays to the bit`(format: PixelFormat) throws {
        let picture = try PixelBuffer.strayNoise(format, largeSizes[1])
        var clear = try PixelBuffer(format: .bgra, width: 4096, height: 2160)
        #expect(
            try overlay(clear, x: 0, y: 0).render(picture, EffectContext()).packedBytes() == picture.packedBytes())
        // One pixel of it.
        try clear.withMutableBytes(ofPlane: 0) { bytes in
            bytes.storeBytes(of: 0xffff_ffff, toByteOffset: 4 * 2001 + 1501 * 4096 * 4, as: UInt32.self)
        }
        let made = try overlay(clear, x: 0, y: 0).render(picture, EffectContext())
        let (a, b) = (made.bytes(ofPlane: 0), picture.bytes(ofPlane: 0))
        let step = format == .bgra ? 4 : 1
        let place = (1501 * 4095 + 2001) * step
        #expect(a[..<place] == b[..<place] && a[(place + step)...] == b[(place + step)...])
        #expect(a[place] == (format == .bgra ? 255 : 235))
    }

    @Test func `a layer outside of the picture, or one that nobody can see, leaves the picture itself`() throws {
        let picture = try PixelBuffer.noise(.bgra, 20, 10)
        let layer = try layer(.bgra, 8, 8)
        for (x, y) in [(20, 0), (0, 10), (-8, 0), (0, -8), (.max, .max), (.min, .min)] {
            #expect(try overlay(layer, x: x, y: y).render(picture, EffectContext()).isIdentical(to: picture))
        }
        for opacity in [0, -1, .nan] {
            let effect = VideoEffect.overlay(layer, opacity: opacity)
            #expect(try effect.renderer.render(picture, EffectContext()).isIdentical(to: picture))
        }
        let none = VideoEffect.overlay { _ in nil }
        #expect(try none.renderer.render(picture, EffectContext()).isIdentical(to: picture))
    }

    @Test func `places are counted from each edge`() throws {
        let picture = try PixelBuffer(format: .bgra, width: 20, height: 10)
        var layer = try PixelBuffer(format: .bgra, width: 2, height: 2)
        try layer.fill { _, _, _ in 255 }
        for (placement, corner) in [
            (OverlayPlacement.topLeft, (0, 0)), (.topRight, (18, 0)), (.bottomLeft, (0, 8)), (.bottomRight, (18, 8)),
            (.center, (9, 4)), (.bottomRight(inset: 3), (15, 5)), (.at(x: 4, y: 1), (4, 1)),
            (OverlayPlacement(x: .middle, y: .end(1)), (9, 7)),
        ] {
            let made = try VideoEffect.overlay(layer, at: placement).renderer.render(picture, EffectContext())
            let first = try #require(made.packedBytes().firstIndex(of: 255)) / 4
            #expect((first % 20, first / 20) == corner, "\(placement)")
        }
    }

    @Test func `a layer of any format is laid, and one is asked for each frame`() throws {
        let picture = try PixelBuffer.noise(.bgra, 64, 36)
        let gray = try PixelBuffer.noise(.i420, 64, 36, .bt709)
        let opaque = try ImageTransformer.transform(gray, ImageRequest(pixelFormat: .bgra)).packedBytes()
        let made = try VideoEffect.overlay(gray).renderer.render(picture, EffectContext()).packedBytes()
        // Alpha stays the picture's.
        let before = picture.packedBytes()
        #expect(made.indices.allSatisfy { made[$0] == ($0 % 4 == 3 ? before[$0] : opaque[$0]) })

        let second = VideoEffect.overlay { context in context.sequence == 1 ? gray : nil }
        #expect(try second.renderer.render(picture, EffectContext(sequence: 0)).isIdentical(to: picture))
        #expect(try second.renderer.render(picture, EffectContext(sequence: 1)).packedBytes() == made)
    }
}
