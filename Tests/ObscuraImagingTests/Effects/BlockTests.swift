// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraImaging
import ObscuraMedia
import Testing

@Suite struct BlockTests {
    /// Makes means of the blocks of one rectangle of samples, by the definition.
    private func pixellate(
        _ bytes: inout [UInt8], rowBytes: Int, step: Int, _ area: PixelRect, _ block: (width: Int, height: Int)
    ) {
        bytes.withUnsafeMutableBufferPointer { bytes in
            for top in stride(from: area.y, to: area.y + area.height, by: block.height) {
                for left in stride(from: area.x, to: area.x + area.width, by: block.width) {
                    let bottom = min(top + block.height, area.y + area.height)
                    let right = min(left + block.width, area.x + area.width)
                    let count = (bottom - top) * (right - left)
                    for kind in 0..<step {
                        var sum = count / 2
                        for y in top..<bottom {
                            for x in left..<right { sum += Int(bytes[y * rowBytes + x * step + kind]) }
                        }
                        let mean = UInt8(sum / count)
                        for y in top..<bottom { for x in left..<right { bytes[y * rowBytes + x * step + kind] = mean } }
                    }
                }
            }
        }
    }

    private func expected(_ picture: PixelBuffer, side: Int, _ regions: [PixelRect]) -> [UInt8] {
        let (columns, rows) = picture.format.chromaSubsampling
        return picture.planes.enumerated().flatMap { plane, layout in
            let step = picture.format.sampleBytes(ofPlane: plane)
            let (across, down) = plane > 0 ? (columns, rows) : (1, 1)
            var bytes = picture.bytes(ofPlane: plane)
            for region in regions {
                let (left, top) = (region.x / across, region.y / down)
                let (right, bottom) = (region.x + region.width + across - 1, region.y + region.height + down - 1)
                let area = PixelRect(x: left, y: top, width: right / across - left, height: bottom / down - top)
                pixellate(
                    &bytes, rowBytes: layout.rowBytes, step: step, area, (side / across, side / down))
            }
            return bytes
        }
    }

    @Test func `each size has the means of its squares`() throws {
        for size in effectSizes where size.width < 600 {
            for side in [2, 3, 4, 7, 16, 200, 100_000] {
                for format in [PixelFormat.bgra, .gray8, .i420, .nv12, .i422, .i444] {
                    let effect = BlockEffect(side: side, regions: nil)
                    guard effect.accepts(format) else { continue }
                    let picture = try PixelBuffer.strayNoise(format, size)
                    let made = try effect.render(picture, EffectContext())
                    let whole = PixelRect(x: 0, y: 0, width: size.width, height: size.height)
                    #expect(
                        made.packedBytes() == expected(picture, side: min(side, 65536), [whole]),
                        "\(format) \(size) side \(side)")
                }
            }
        }
    }

    @Test(arguments: largeSizes)
    func `large pictures as well`(size: PixelSize) throws {
        let picture = try PixelBuffer.strayNoise(.i420, size)
        let made = try BlockEffect(side: 34, regions: nil).render(picture, EffectContext())
        let whole = PixelRect(x: 0, y: 0, width: size.width, height: size.height)
        #expect(made.packedBytes() == expected(picture, side: 34, [whole]))
    }

    @Test func `squares that would cut shared chroma are made in RGB`() {
        #expect(BlockEffect(side: 16, regions: nil).accepts(.i420))
        #expect(!BlockEffect(side: 15, regions: nil).accepts(.i420))
        #expect(BlockEffect(side: 15, regions: nil).accepts(.i444))
        #expect(BlockEffect(side: 15, regions: nil).accepts(.bgra))
    }

    @Test(arguments: [PixelFormat.bgra, .i420, .nv12])
    func `a mosaic hides its regions and nothing else`(format: PixelFormat) throws {
        let size = PixelSize(width: 101, height: 57)
        let given = [
            PixelRect(x: 10, y: 6, width: 20, height: 30), PixelRect(x: -5, y: -7, width: 12, height: 9),
            PixelRect(x: 90, y: 50, width: 500, height: 500), PixelRect(x: 40, y: 40, width: 1, height: 1),
            PixelRect(x: 12, y: 8, width: 9, height: 3),
        ]
        // What of them lies in the picture; corners are even already.
        let seen = [
            given[0], PixelRect(x: 0, y: 0, width: 7, height: 2), PixelRect(x: 90, y: 50, width: 11, height: 7),
            given[3],
            given[4],
        ]
        let picture = try PixelBuffer.strayNoise(format, size)
        let made = try VideoEffect.mosaic(side: 8) { _ in given }.renderer.render(picture, EffectContext())
        #expect(made.packedBytes() == expected(picture, side: 8, seen))
    }

    @Test func `a region that would cut shared chroma grows`() throws {
        let picture = try PixelBuffer.strayNoise(.i420, PixelSize(width: 64, height: 48))
        let made = try VideoEffect.mosaic(side: 4) { _ in [PixelRect(x: 11, y: 13, width: 10, height: 9)] }
            .renderer.render(picture, EffectContext())
        let grown = PixelRect(x: 10, y: 12, width: 11, height: 10)
        #expect(made.packedBytes() == expected(picture, side: 4, [grown]))
    }

    @Test func `regions that are no regions leave the picture itself`() throws {
        let picture = try PixelBuffer.noise(.bgra, 33, 9)
        let none: [PixelRect] = [
            PixelRect(x: 0, y: 0, width: 0, height: 9), PixelRect(x: 3, y: 3, width: -5, height: 5),
            PixelRect(x: 33, y: 0, width: 5, height: 5), PixelRect(x: -9, y: -9, width: 9, height: 9),
            PixelRect(x: .max, y: .max, width: .max, height: .max),
            PixelRect(x: .min, y: .min, width: .max, height: .max),
            PixelRect(x: .min, y: .min, width: .min, height: .min),
        ]
        for regions in [[], none] {
            let made = try VideoEffect.mosaic(side: 8) { _ in regions }.renderer.render(picture, EffectContext())
            #expect(made.isIdentical(to: picture))
        }
        let all = PixelRect(x: -1000, y: -1000, width: .max, height: .max)
        let made = try VideoEffect.mosaic(side: 8) { _ in [all] }.renderer.render(picture, EffectContext())
        #expect(made.packedBytes() == expected(picture, side: 8, [PixelRect(x: 0, y: 0, width: 33, height: 9)]))
    }

    @Test func `the regions are those of the frame`() throws {
        let picture = try PixelBuffer.noise(.bgra, 40, 20)
        let effect = VideoEffect.mosaic(side: 4) { context in
            [PixelRect(x: Int(context.sequence), y: 0, width: 8, height: 8)]
        }
        for sequence in [0, 13] {
            let made = try effect.renderer.render(picture, EffectContext(sequence: UInt64(sequence)))
            let rect = PixelRect(x: sequence, y: 0, width: 8, height: 8)
            #expect(made.packedBytes() == expected(picture, side: 4, [rect]))
        }
    }

    @Test func `a side of a pixel or less leaves the picture itself`() throws {
        let picture = try PixelBuffer.noise(.bgra, 8, 8)
        for side in [1, 0, -7, .min] {
            #expect(
                try VideoEffect.pixellate(side: side).renderer.render(picture, EffectContext()).isIdentical(to: picture)
            )
        }
    }
}
