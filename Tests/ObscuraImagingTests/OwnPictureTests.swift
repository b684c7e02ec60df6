// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraImaging
import ObscuraMedia
import Testing

/// What one reader does to its copy of a frame is its own.
@Suite struct OwnPictureTests {
    private let request = ImageRequest(pixelFormat: .bgra)

    private func frame() throws -> VideoFrame {
        VideoFrame(buffer: try .noise(.i420, 64, 36), presentationTime: .zero, hostTime: .now)
    }

    private func paint(_ buffer: inout PixelBuffer) throws {
        try buffer.withMutableBytes(ofPlane: 0) { bytes in
            for offset in 0..<bytes.byteCount { bytes.storeBytes(of: 16, toByteOffset: offset, as: UInt8.self) }
        }
    }

    @Test func `A drawing on a copy is not in the images of the others`() throws {
        let frame = try frame()
        let expected = try ImageTransformer.transform(frame.buffer, request).packedBytes()
        var drawn = frame
        try paint(&drawn.buffer)
        let drawing = try drawn.image(request).packedBytes()
        #expect(drawing != expected)
        #expect(try frame.image(request).packedBytes() == expected)
        #expect(try drawn.image(request).packedBytes() == drawing)
    }

    @Test func `Another colour space of a copy is not in the images of the others`() throws {
        let frame = try frame()
        let expected = try ImageTransformer.transform(frame.buffer, request).packedBytes()
        var other = frame
        other.buffer.colorSpace = .bt2020
        #expect(try other.image(request).packedBytes() != expected)
        #expect(try frame.image(request).packedBytes() == expected)
    }

    @Test func `A picture that is edited after an image was made gives another image`() throws {
        var frame = try frame()
        let before = try frame.image(request).packedBytes()
        try paint(&frame.buffer)
        #expect(try frame.image(request).packedBytes() != before)
        let replaced = try self.frame().image(request).packedBytes()
        frame.buffer = try self.frame().buffer
        #expect(try frame.image(request).packedBytes() == replaced)
    }

    @Test func `The only holder of a picture writes it without a copy`() throws {
        let pool = PixelBufferPool(capacity: 1)
        var frame = VideoFrame(
            buffer: try .noise(.i420, 64, 36, in: pool), presentationTime: .zero, hostTime: .now)
        try paint(&frame.buffer)
        #expect(pool.counts.inUse == 1)
        #expect(pool.counts.refusals == 0)
    }

    @Test func `Each copy of a compressed frame has its own times, and the picture in common`() throws {
        let picture = try PixelBuffer.noise(.i420, 64, 36, .jpeg)
        let first = EncodedFrame(
            format: .mjpeg, data: try JPEGEncoder().encode(picture), width: 64, height: 36, isKeyFrame: true,
            presentationTime: .zero, hostTime: HostTime(nanoseconds: 1))
        var second = first
        second.presentationTime = MediaTime(value: 1, timescale: 30)
        second.hostTime = HostTime(nanoseconds: 2)
        second.duration = MediaTime(value: 1, timescale: 30)
        second.sequence = 1
        second.attachments.gap = 4
        let (one, two) = (try first.decodedFrame(), try second.decodedFrame())
        #expect(one.sequence == 0)
        #expect(one.attachments == first.attachments)
        #expect(two.presentationTime == second.presentationTime)
        #expect(two.hostTime == second.hostTime)
        #expect(two.duration == second.duration)
        #expect(two.sequence == 1)
        #expect(two.attachments.gap == 4)
        #expect(one.buffer.isIdentical(to: two.buffer))
        #expect(try one.image(request).isIdentical(to: try two.image(request)))
    }

    @Test func `A compressed frame of another colour space has images of its own`() throws {
        let picture = try PixelBuffer.noise(.i420, 64, 36, .jpeg)
        let first = EncodedFrame(
            format: .mjpeg, data: try JPEGEncoder().encode(picture), width: 64, height: 36, isKeyFrame: true,
            presentationTime: .zero, hostTime: .now)
        var second = first
        second.colorSpace = .bt709
        let expected = try first.decodedFrame().image(request).packedBytes()
        #expect(try second.decodedFrame().buffer.colorSpace == .bt709)
        #expect(try second.decodedFrame().image(request).packedBytes() != expected)
        #expect(try first.decodedFrame().buffer.colorSpace == .jpeg)
        #expect(try first.decodedFrame().image(request).packedBytes() == expected)
    }
}
