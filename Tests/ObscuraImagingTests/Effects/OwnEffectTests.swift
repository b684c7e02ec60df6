// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraImaging
import ObscuraMedia
import Testing

/// Effects that users write.
@Suite struct OwnEffectTests {
    @Test func `a closure over pixels gets each of them once, with its place`() throws {
        let effect = VideoEffect.pixels("place") { pixel, x, y in
            pixel.blue &+= UInt8(truncatingIfNeeded: x)
            pixel.green = 7
            pixel.red &+= UInt8(truncatingIfNeeded: y)
        }
        for size in effectSizes {
            let picture = try PixelBuffer.strayNoise(.bgra, size)
            let made = try effect.renderer.render(picture, EffectContext()).packedBytes()
            let before = picture.packedBytes()
            let expected = before.indices.map { index in
                let (x, y) = (index / 4 % size.width, index / 4 / size.width)
                return [before[index] &+ UInt8(x & 255), 7, before[index] &+ UInt8(y & 255), before[index]][index % 4]
            }
            #expect(firstDifference(made, expected, width: 4 * size.width) == nil, "\(size)")
        }
    }

    @Test func `a closure over rows gets each of them once, with its number and the frame's`() throws {
        let effect = VideoEffect.rows("rows") { row, y, context in
            for place in row.indices { row[place] &+= UInt8(truncatingIfNeeded: y + Int(context.sequence)) }
        }
        for size in effectSizes + largeSizes.prefix(1) {
            let picture = try PixelBuffer.strayNoise(.bgra, size)
            let made = try effect.renderer.render(picture, EffectContext(sequence: 5)).packedBytes()
            let before = picture.packedBytes()
            let expected = before.indices.map { before[$0] &+ UInt8(($0 / (4 * size.width) + 5) & 255) }
            #expect(firstDifference(made, expected, width: 4 * size.width) == nil, "\(size)")
        }
    }

    @Test func `the frame itself is left alone`() throws {
        let frame = VideoFrame(buffer: try .noise(.bgra, 64, 36), presentationTime: .zero, hostTime: .now)
        let before = frame.buffer.packedBytes()
        var request = ImageRequest()
        request.effects = [.pixels("black") { pixel, _, _ in pixel = BGRAPixel(red: 0, green: 0, blue: 0) }]
        #expect(try frame.image(request).packedBytes().prefix(8) == [0, 0, 0, 255, 0, 0, 0, 255])
        #expect(frame.buffer.packedBytes() == before)
    }
}
