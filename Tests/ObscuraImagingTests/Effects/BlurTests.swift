// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraImaging
import ObscuraMedia
import Testing

@Suite struct BlurTests {
    /// A plane of samples `step` bytes wide, blurred by the definition: each sample the rounded mean of the 2r + 1
    /// around it, rows first, then columns.
    private func blurred(
        _ bytes: [UInt8], rowBytes: Int, step: Int, across: Int, down: Int, passes: Int
    ) -> [UInt8] {
        let (width, height) = (rowBytes / step, bytes.count / rowBytes)
        var result = bytes
        for _ in 0..<passes {
            result = means(of: result, lines: height, distance: rowBytes, count: width, step: step, radius: across)
        }
        for _ in 0..<passes {
            result = means(of: result, lines: rowBytes, distance: 1, count: height, step: rowBytes, radius: down)
        }
        return result
    }

    /// The means along lines; each begins `distance` behind the last one. A row holds `step` kinds of samples.
    private func means(
        of bytes: [UInt8], lines: Int, distance: Int, count: Int, step: Int, radius: Int
    ) -> [UInt8] {
        var made = bytes
        let kinds = distance == 1 ? 1 : step
        bytes.withUnsafeBufferPointer { bytes in
            made.withUnsafeMutableBufferPointer { made in
                for line in 0..<lines {
                    for kind in 0..<kinds {
                        let begin = line * distance + kind
                        for place in 0..<count {
                            var sum = radius
                            // What lies beyond both ends is counted, not visited.
                            let (low, high) = (max(0, place - radius), min(count - 1, place + radius))
                            sum += (low - (place - radius)) * Int(bytes[begin])
                            sum += (place + radius - high) * Int(bytes[begin + (count - 1) * step])
                            for other in low...high { sum += Int(bytes[begin + other * step]) }
                            made[begin + place * step] = UInt8(sum / (2 * radius + 1))
                        }
                    }
                }
            }
        }
        return made
    }

    private func check(
        _ format: PixelFormat, _ size: PixelSize, radius: Int, passes: Int, _ variant: PixelKernels.Variant
    ) throws {
        let picture = try PixelBuffer.strayNoise(format, size)
        let made = try BlurEffect(radius: radius, passes: passes)
            .render(picture, EffectContext(), with: variant.effects)
        let (columns, rows) = format.chromaSubsampling
        for (plane, layout) in picture.planes.enumerated() {
            let expected = blurred(
                picture.bytes(ofPlane: plane), rowBytes: layout.rowBytes, step: format.sampleBytes(ofPlane: plane),
                across: plane == 0 ? radius : (radius + columns / 2) / columns,
                down: plane == 0 ? radius : (radius + rows / 2) / rows, passes: passes)
            let difference = firstDifference(made.bytes(ofPlane: plane), expected, width: layout.rowBytes)
            #expect(difference == nil, "\(format) \(size) radius \(radius) x \(passes) \(variant) plane \(plane)")
        }
    }

    @Test(arguments: PixelKernels.Variant.here)
    func `each size has the pixels of the definition`(variant: PixelKernels.Variant) throws {
        for size in effectSizes where size.width < 300 {
            for (radius, passes) in [(1, 1), (2, 3), (8, 2), (70, 1)] {
                try check(.bgra, size, radius: radius, passes: passes, variant)
                try check(.gray8, size, radius: radius, passes: passes, variant)
            }
        }
        try check(.bgra, PixelSize(width: 641, height: 361), radius: 5, passes: 3, variant)
    }

    @Test(arguments: PixelKernels.Variant.here)
    func `luma and chroma are blurred as they lie`(variant: PixelKernels.Variant) throws {
        for format in [PixelFormat.i420, .i422, .i444, .nv12, .nv21, .nv16, .rgba] {
            for size in effectSizes where size.width < 130 {
                try check(format, size, radius: 3, passes: 2, variant)
            }
            try check(format, PixelSize(width: 319, height: 181), radius: 4, passes: 1, variant)
        }
    }

    @Test(arguments: PixelKernels.Variant.here)
    func `radii around the limits of the sums, and beyond every picture`(variant: PixelKernels.Variant) throws {
        for radius in [126, 127, 128, 129, 400, 5000, 1 << 20] {
            for size in [
                PixelSize(width: 1, height: 1), PixelSize(width: 300, height: 2), PixelSize(width: 3, height: 290),
            ] {
                try check(.gray8, size, radius: radius, passes: 2, variant)
                try check(.bgra, size, radius: radius, passes: 1, variant)
            }
        }
    }

    @Test(arguments: PixelKernels.Variant.here)
    func `white stays white at every radius, and black black`(variant: PixelKernels.Variant) throws {
        for radius in Array(1...300) + [1000, 65536, .max] {
            for value: UInt8 in [0, 255, 254, 1] {
                var picture = try PixelBuffer(format: .gray8, width: 70, height: 3)
                try picture.fill { _, _, _ in UInt16(value) }
                let made = try BlurEffect(radius: radius, passes: 1)
                    .render(picture, EffectContext(), with: variant.effects)
                #expect(made.packedBytes() == picture.packedBytes(), "radius \(radius), value \(value)")
            }
        }
    }

    @Test func `a large picture is the same in bands and strips as its parts alone`() throws {
        let picture = try PixelBuffer.strayNoise(.bgra, largeSizes[1])
        let blur = BlurEffect(radius: 4, passes: 2)
        let whole = try blur.render(picture, EffectContext())
        // Far enough from the edges of the part that those have no say.
        for (x, y) in [(0, 0), (1000, 500), (3900, 1900), (2040, 1070)] {
            let part = PixelRect(x: x, y: y, width: min(180, 4095 - x), height: min(200, 2159 - y))
            func cropped(_ picture: PixelBuffer, _ rect: PixelRect) throws -> [UInt8] {
                var request = ImageRequest()
                request.crop = rect
                return try ImageTransformer.transform(picture, request).packedBytes()
            }
            var crop = ImageRequest()
            crop.crop = part
            let alone = try blur.render(ImageTransformer.transform(picture, crop), EffectContext())
            let inner = PixelRect(x: 8, y: 8, width: part.width - 16, height: part.height - 16)
            let there = PixelRect(x: x + 8, y: y + 8, width: inner.width, height: inner.height)
            #expect(try cropped(whole, there) == cropped(alone, inner), "at \(x), \(y)")
        }
    }

    @Test func `no radius or no pass leaves the picture itself`() throws {
        let picture = try PixelBuffer.noise(.bgra, 8, 8)
        for effect in [VideoEffect.blur(radius: 0), .blur(radius: -3), .blur(radius: 2, passes: 0)] {
            #expect(try effect.renderer.render(picture, EffectContext()).isIdentical(to: picture))
        }
        #expect(VideoEffect.blur(radius: 2) == .blur(radius: 2, passes: 3))
        #expect(VideoEffect.blur(radius: 2) != .blur(radius: 3))
    }
}
