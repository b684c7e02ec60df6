// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraImaging
import ObscuraMedia
import Testing

/// No effect reads or writes beyond its planes: neither of the picture nor of the result.
@Suite struct GuardedEffectTests {
    private let sizes = [(1, 1), (2, 2), (3, 5), (31, 7), (64, 4), (97, 33), (130, 18), (640, 9), (16, 300)]

    /// Runs `body` with guarded pictures of all sizes, a source and a target, and with the same pictures in ordinary
    /// memory, and expects the same result.
    private func forEach(
        _ formats: [PixelFormat], atEnd: Bool, _ body: (PixelBuffer, inout PixelBuffer, EffectKernels) throws -> Void
    ) throws {
        for format in formats {
            for (width, height) in sizes {
                for variant in PixelKernels.Variant.here {
                    let source = try PixelBuffer.guarded(format, width, height, atEnd: atEnd)
                    var target = try PixelBuffer.guarded(format, width, height, atEnd: atEnd)
                    try body(source, &target, variant.effects)
                    var expected = try PixelBuffer.flat(format, width, height)
                    try body(try .flat(format, width, height), &expected, variant.effects)
                    let isSame = target.packedBytes() == expected.packedBytes()
                    #expect(isSame, "\(format) \(width)x\(height) \(variant)")
                }
            }
        }
    }

    @Test(arguments: [true, false])
    func `colours`(atEnd: Bool) throws {
        for effect in [ColorEffect.rosy, .mono, .sepia, .invert] {
            try forEach(PixelFormat.uncompressed.filter { effect.accepts($0) }, atEnd: atEnd) {
                source, target, kernels in
                let work = effect.work(on: source.format, source.colorSpace)
                try kernels.apply(work, to: source, into: &target)
            }
        }
    }

    @Test(arguments: [true, false])
    func `blur and blocks`(atEnd: Bool) throws {
        let formats = PixelFormat.uncompressed.filter { $0.sampleBytes(ofPlane: 0) > 0 }
        try forEach(formats, atEnd: atEnd) { source, target, kernels in
            for radius in [1, 3, 40, 127, 128, 700] {
                try kernels.blur(source, into: &target, radius: radius, passes: 2)
            }
            let whole = PixelRect(x: 0, y: 0, width: source.width, height: source.height)
            let corner = PixelRect(x: source.width / 4 * 2, y: source.height / 4 * 2, width: 0, height: 0)
            let part = PixelRect(
                x: corner.x, y: corner.y, width: source.width - corner.x, height: source.height - corner.y)
            for side in [2, 6, 1000] {
                try EffectKernels.pixellate([whole], of: source, into: &target, side: side)
                try EffectKernels.pixellate([part], of: source, into: &target, side: side)
            }
        }
    }

    @Test(arguments: [true, false])
    func `layers`(atEnd: Bool) throws {
        let formats: [PixelFormat] = [.bgra, .rgba, .i420, .i422, .i444, .nv12, .nv21, .nv16]
        try forEach(formats, atEnd: atEnd) { source, target, kernels in
            for (x, y) in [(0, 0), (source.width - 1, source.height - 1), (source.width / 2, source.height / 3)] {
                let layer = try PixelBuffer.guarded(.bgra, source.width - x, source.height - y, atEnd: atEnd)
                try kernels.overlay(layer, x: x, y: y, opacity: 200, on: source, into: &target)
            }
        }
    }

    @Test(arguments: [true, false])
    func `water and tables`(atEnd: Bool) throws {
        var cube = "LUT_3D_SIZE 2\n"
        for index in 0..<8 { cube += "\(index & 1) \(index >> 1 & 1) \(index >> 2)\n" }
        let tables = try [cube, "LUT_1D_SIZE 2\n0 0 0\n1 1 1\n"].map { LookupTable(try CubeFile(Array($0.utf8))) }
        try forEach([.bgra, .rgba], atEnd: atEnd) { source, target, kernels in
            let grid = WaveField.grid(for: source.size)
            for slope in [Float(0.01), -0.01, 0.05, -0.3, 100, -100] {
                let slopes = [Float](repeating: slope, count: grid.width * grid.height)
                let alternating = slopes.indices.map { $0 % 3 == 0 ? -slope : slope }
                for across in [slopes, alternating] {
                    try WaveSlopes(
                        columns: grid.width, rows: grid.height, across: across, down: slopes, steepest: abs(slope)
                    ).refract(source, into: &target, with: kernels)
                }
            }
            for table in tables { try table.apply(to: source, into: &target) }
        }
    }
}
