// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraCapture
import ObscuraImaging
import ObscuraMedia
import Testing

@Suite struct PatternSceneTests {
    /// Each bit alone, and each bit missing.
    private static let numbers: [UInt64] =
        [0, UInt64(UInt32.max)] + (0..<32).flatMap { [1 << $0, UInt64(UInt32.max) ^ (1 << $0)] }

    @Test func `The number of a frame is readable in any width that has room for it`() throws {
        for width in 35...140 {
            let scene = try PatternScene(size: PixelSize(width: width, height: 48))
            for number in Self.numbers {
                let picture = try scene.draw(sequence: number, time: .zero)
                #expect(PatternScene.readSequence(of: picture) == number, "\(number) at \(width)")
            }
        }
    }

    @Test(arguments: [PixelFormat.bgra, .rgba, .bgr24, .rgb24, .nv12, .i422, .i444, .gray8])
    func `The number is readable after scaling and converting`(format: PixelFormat) throws {
        let scene = try PatternScene(size: PixelSize(width: 640, height: 360))
        for number in Self.numbers {
            let picture = try scene.draw(sequence: number, time: .zero)
            for size in [PixelSize(width: 320, height: 180), PixelSize(width: 426, height: 240)] {
                let made = try ImageTransformer.transform(picture, ImageRequest(pixelFormat: format, size: size))
                #expect(PatternScene.readSequence(of: made) == number)
            }
        }
    }

    /// So a decoder that mixes two frames shows no third number.
    @Test(arguments: [0, 1, 439, 1023, 0x7fff_ffff] as [UInt64])
    func `The rows of successive numbers differ in one block and the parity`(number: UInt64) throws {
        let (width, height) = (10 * PatternScene.blockCount, 80)
        let scene = try PatternScene(size: PixelSize(width: width, height: height))
        let rows = try [number, number + 1].map { number in
            let bytes = try scene.draw(sequence: number, time: .zero).packedBytes()
            return (0..<PatternScene.blockCount).map { bytes[(height - 1) * width + 10 * $0] }
        }
        let changed = (0..<PatternScene.blockCount).filter { rows[0][$0] != rows[1][$0] }
        #expect(changed.count == 2)
        #expect(changed.last == PatternScene.blockCount - 1)
    }

    /// Every byte counts, and its place.
    private func sum(of picture: PixelBuffer) -> UInt64 {
        // FNV-1a, 64 bits.
        picture.packedBytes().reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    }

    /// Who changes the pattern looks at it (`obscura extract pattern`) before these numbers are changed.
    @Test(
        arguments: [
            (0, false, 0xda1_8ba9_4e11_dbf3), (1, true, 0xa6da_b4a2_79c3_6c1b), (77, false, 0x4408_de82_203d_36d1),
            (12_345, false, 0x94f1_091e_67cc_5007), (3_000_000_019, true, 0x34c2_c2b7_3169_78ff),
        ] as [(UInt64, Bool, UInt64)])
    func `The picture of a number is the same in every release`(number: UInt64, isFlashing: Bool, sum: UInt64) throws {
        let scene = try PatternScene(size: PixelSize(width: 320, height: 180))
        let time = MediaTime(value: Int64(number), timescale: 30)
        let found = self.sum(of: try scene.draw(sequence: number, time: time, isFlashing: isFlashing))
        #expect(found == sum, "0x\(String(found, radix: 16))")
    }

    @Test func `A flash is seen for as many frames as a tenth of a second has`() {
        for (rate, flashing) in [(10, 1), (30, 3), (60, 6)] as [(Int32, Int)] {
            let duration = MediaTime(value: 1, timescale: rate)
            let seen = (0..<Int(rate) * 3).filter {
                PatternScene.isFlashing(at: MediaTime(value: Int64($0), timescale: rate), frameDuration: duration)
            }
            let expected = (0..<3).flatMap { second in (0..<flashing).map { second * Int(rate) + $0 } }
            #expect(seen == expected, "at \(rate) frames a second")
        }
    }

    @Test func `A picture without a number, or of no planes to speak of, shows none`() throws {
        for (width, height) in [(1, 1), (2, 1), (34, 10), (35, 1), (640, 360)] {
            let picture = try PixelBuffer(format: .i420, width: width, height: height)
            #expect(PatternScene.readSequence(of: picture) == nil)
        }
        for size in [PixelSize(width: 1, height: 1), PixelSize(width: 34, height: 2), PixelSize(width: 3, height: 500)]
        {
            _ = try PatternScene(size: size).draw(sequence: .max, time: MediaTime(value: .max, timescale: 1))
        }
    }
}
