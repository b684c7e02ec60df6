// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraImaging
import ObscuraMedia
import Testing

@Suite struct ColorEffectTests {
    /// The byte or bytes that `effect` makes, by its formula alone: what is at `place` of a row of plane `plane`.
    private func expected(_ effect: ColorEffect, _ picture: PixelBuffer, plane: Int) -> [UInt8] {
        let bytes = picture.bytes(ofPlane: plane)
        let format = picture.format
        let rowBytes = picture.planes[plane].rowBytes
        if effect == .sepia || (effect == .mono && !format.isYUV) { return combined(effect, picture, bytes) }
        // The formula for each byte value at each of four places of a row.
        let tables = (0..<4).map { place in
            (0...255).map { expected(effect, picture, kind(of: place, plane: plane, format), UInt8($0), place) }
        }
        return bytes.withUnsafeBufferPointer { bytes in
            [UInt8](unsafeUninitializedCapacity: bytes.count) { made, count in
                for row in stride(from: 0, to: bytes.count, by: rowBytes) {
                    for place in 0..<rowBytes { made[row + place] = tables[place & 3][Int(bytes[row + place])] }
                }
                count = bytes.count
            }
        }
    }

    private func expected(
        _ effect: ColorEffect, _ picture: PixelBuffer, _ kind: Kind, _ byte: UInt8, _ place: Int
    ) -> UInt8 {
        switch (effect, kind) {
        case (_, .alpha), (.mono, .luma), (.rosy, .red), (.rosy, .blue): byte
        case (.rosy, _): 0
        case (.mono, _): picture.format.bitDepth == 10 ? [0, 2][place % 2] : 128
        case (_, .luma): UInt8(max(0, (picture.colorSpace.range == .limited ? 251 : 255) - Int(byte)))
        case (_, .chroma): UInt8(min(255, 256 - Int(byte)))
        default: 255 - byte
        }
    }

    private enum Kind { case red, green, blue, alpha, luma, chroma }

    private func kind(of place: Int, plane: Int, _ format: PixelFormat) -> Kind {
        switch format {
        case .bgra: [.blue, .green, .red, .alpha][place % 4]
        case .rgba: [.red, .green, .blue, .alpha][place % 4]
        case .bgr24, .rgb24: .red
        case .yuyv, .yvyu: place % 2 == 0 ? .luma : .chroma
        case .uyvy, .vyuy: place % 2 == 0 ? .chroma : .luma
        default: plane == 0 ? .luma : .chroma
        }
    }

    /// By the formulas in real numbers; the test of `mono` and `sepia` allows what rounding weights makes of it.
    private func combined(_ effect: ColorEffect, _ picture: PixelBuffer, _ bytes: [UInt8]) -> [UInt8] {
        let matrix = picture.colorSpace.matrix
        let rows: [[Double]] =
            effect == .sepia
            ? [[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]]
            : [[Double]](repeating: [matrix.kr, 1 - matrix.kr - matrix.kb, matrix.kb], count: 3)
        let order = picture.format == .bgra ? [2, 1, 0] : [0, 1, 2]
        var made = bytes
        for pixel in stride(from: 0, to: bytes.count, by: 4) {
            let color = order.map { Double(bytes[pixel + $0]) }
            for channel in 0..<3 {
                let sum = zip(rows[channel], color).reduce(0) { $0 + $1.0 * $1.1 }
                made[pixel + order[channel]] = UInt8(min(255, sum.rounded()))
            }
        }
        return made
    }

    private let exact: [(ColorEffect, PixelFormat)] = [ColorEffect.rosy, .mono, .sepia, .invert].flatMap { effect in
        PixelFormat.uncompressed.filter { effect.accepts($0) }.map { (effect, $0) }
    }

    private func check(_ effect: ColorEffect, _ picture: PixelBuffer, _ variant: PixelKernels.Variant) throws {
        let made = try effect.render(picture, EffectContext(), with: variant.effects)
        #expect(made.format == picture.format && made.size == picture.size && made.colorSpace == picture.colorSpace)
        for plane in 0..<picture.planeCount {
            let (a, b) = (made.bytes(ofPlane: plane), expected(effect, picture, plane: plane))
            if effect == .sepia || (effect == .mono && !picture.format.isYUV) {
                let most = zip(a, b).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
                let off = zip(a, b).count { $0 != $1 }
                #expect(most <= 1 && off * 50 <= a.count, "\(effect) \(picture.format) \(picture.size) \(variant)")
            } else {
                let difference = firstDifference(a, b, width: picture.planes[plane].rowBytes)
                #expect(difference == nil, "\(effect) \(picture.format) \(picture.size) \(variant) plane \(plane)")
            }
        }
    }

    @Test(arguments: PixelKernels.Variant.here)
    func `each size and format has the pixels of the formula`(variant: PixelKernels.Variant) throws {
        for (effect, format) in exact {
            for size in effectSizes {
                if size.width > 600, effect != .invert { continue }
                for space in [ColorSpace.bt709, .jpeg] {
                    try check(effect, .strayNoise(format, size, format.isYUV ? space : .sRGB), variant)
                }
            }
        }
    }

    @Test(arguments: PixelKernels.Variant.here)
    func `large pictures as well, in bands`(variant: PixelKernels.Variant) throws {
        for size in largeSizes { try check(.rosy, .strayNoise(.bgra, size), variant) }
        try check(.invert, .strayNoise(.nv12, largeSizes[1]), variant)
        try check(.mono, .strayNoise(.i420, largeSizes[1]), variant)
    }

    @Test func `mono is gray, and leaves white white and black black`() throws {
        var picture = try PixelBuffer(format: .bgra, width: 256, height: 4)
        try picture.fill { _, x, row in
            if x % 4 == 3 { return 77 }
            return [UInt16(x / 4), UInt16(255 - x / 4), 255, 0][row]
        }
        let made = try VideoEffect.mono.renderer.render(picture, EffectContext())
        // A gray stays what it is, and so does alpha.
        #expect(made.packedBytes() == picture.packedBytes())
        let noise = try VideoEffect.mono.renderer.render(.noise(.bgra, 64, 64), EffectContext()).packedBytes()
        let pixels = stride(from: 0, to: noise.count, by: 4)
        #expect(pixels.allSatisfy { noise[$0] == noise[$0 + 1] && noise[$0] == noise[$0 + 2] })
    }

    @Test(arguments: ColorSpace.pairs)
    func `the negative in luma and chroma is the negative in RGB`(space: ColorSpace) throws {
        // Real colours only: noise in luma and chroma is mostly outside of what RGB can say.
        let colors = try PixelBuffer.noise(.bgra, 128, 64, .sRGB)
        var request = ImageRequest(pixelFormat: .i444)
        request.colorSpace = space
        let yuv = try ImageTransformer.transform(colors, request)
        let inRGB = try VideoEffect.invert.renderer.render(
            try ImageTransformer.transform(yuv, ImageRequest(pixelFormat: .bgra)), EffectContext())
        let inYUV = try ImageTransformer.transform(
            try VideoEffect.invert.renderer.render(yuv, EffectContext()), ImageRequest(pixelFormat: .bgra))
        // Rounding to codes of luma and chroma clips a little beyond 0 and 255, on the one side or on the other.
        #expect(inRGB.pixels().difference(from: inYUV.pixels()) <= 2)
    }

    @Test func `twice the negative is the picture`() throws {
        let picture = try PixelBuffer.noise(.bgra, 33, 9)
        let renderer = VideoEffect.invert.renderer
        let twice = try renderer.render(try renderer.render(picture, EffectContext()), EffectContext())
        #expect(twice.packedBytes() == picture.packedBytes())
    }

    @Test func `mono of a gray picture is the picture itself`() throws {
        let picture = try PixelBuffer.noise(.gray8, 33, 9)
        #expect(try VideoEffect.mono.renderer.render(picture, EffectContext()).isIdentical(to: picture))
    }

    @Test func `effects are equal by what they do`() {
        #expect(VideoEffect.rosy == .rosy)
        #expect(VideoEffect.rosy != .mono)
    }
}
