// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraImaging
import ObscuraMedia
import TestSupport
import Testing

@Suite struct PNGTests {
    @Test(arguments: PixelFormat.uncompressed, PNGFilter.allCases)
    func `a PNG holds exactly the converted pixels`(format: PixelFormat, filter: PNGFilter) throws {
        for size in [(1, 1), (37, 5), (3, 41)] {
            let picture = try PixelBuffer.noise(format, size.0, size.1, format.isYUV ? .bt709 : .sRGB)
            for level in [0, 1, 9] {
                let file = try PNGEncoder(compressionLevel: level, filter: filter).encode(picture)
                let decoded = try PNGDecoder.decode(file)
                #expect(decoded.size == picture.size)
                let expected = try ImageTransformer.transform(picture, ImageRequest(pixelFormat: .rgba))
                #expect(decoded.pixels().difference(from: expected.pixels()) <= (format == .gray8 ? 1 : 0))
                // The byte after the size and depth is the kind of colour: gray or RGB.
                #expect(file[25] == (format == .gray8 ? 0 : 2))
            }
        }
    }

    @Test func `an encoder serves one size after another`() throws {
        let encoder = try PNGEncoder()
        for size in [(64, 64), (3, 3), (80, 2)] {
            let picture = try PixelBuffer.noise(.rgba, size.0, size.1)
            let decoded = try PNGDecoder.decode(try encoder.encode(picture))
            #expect(decoded.pixels().difference(from: picture.pixels()) == 0)
        }
    }

    @Test func `a damaged or cut PNG is an error and never a trap`() throws {
        let file = try PNGEncoder().encode(try PixelBuffer.noise(.rgba, 24, 24))
        for length in stride(from: 0, to: file.count - 12, by: 7) {
            #expect(throws: ObscuraError.self) { try PNGDecoder.decode(Array(file.prefix(length))) }
        }
        var dice = Dice(seed: 6)
        for _ in 0..<300 {
            var bytes = file
            bytes[Int.random(in: 0..<bytes.count, using: &dice)] ^= UInt8.random(in: 1...255, using: &dice)
            do {
                _ = try PNGDecoder.decode(bytes)
            } catch let error as ObscuraError {
                #expect(error.code == .damaged || error.code == .tooLarge)
            }
        }
    }

    @Test func `another level than zlib has is refused`() throws {
        for level in [-1, 10] {
            let error = #expect(throws: ObscuraError.self) { try PNGEncoder(compressionLevel: level) }
            #expect(error?.code == .invalidRequest)
        }
    }
}
