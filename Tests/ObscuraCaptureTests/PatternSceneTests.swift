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
