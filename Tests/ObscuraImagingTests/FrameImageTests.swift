// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraImaging
import ObscuraMedia
import TestSupport
import Testing

/// What a frame makes of its picture. What is alive is counted in pools of each test's own, because other
/// tests run in the same process.
@Suite struct FrameImageTests {
    @Test func `eight threads that ask at once share one conversion`() throws {
        let pool = PixelBufferPool(capacity: 16)
        var frame = VideoFrame(buffer: try .noise(.i420, 640, 360), presentationTime: .zero, hostTime: .now)
        frame.pool = pool
        let shared = frame
        let images = Lock<[PixelBuffer]>([])
        let threads = (0..<8).compactMap { _ in
            WorkerThread(name: "ask") {
                guard let image = try? shared.image(ImageRequest(pixelFormat: .bgra)) else { return }
                images.withLock { $0.append(image) }
            }
        }
        for thread in threads { #expect(thread.ends()) }
        let all = images.withLock { $0 }
        #expect(all.count == 8)
        for image in all { #expect(image.isIdentical(to: all[0])) }
        #expect(pool.counts.inUse == 1)
        #expect(pool.counts.allocations == 1)
        #expect(frame.derived.count == 1)
    }

    @Test func `two requests are two pictures, the same request is one`() throws {
        let frame = VideoFrame(buffer: try .noise(.nv12, 64, 36), presentationTime: .zero, hostTime: .now)
        let first = try frame.image(ImageRequest(pixelFormat: .bgra))
        #expect(try frame.image(ImageRequest(pixelFormat: .bgra)).isIdentical(to: first))
        #expect(try !frame.image(ImageRequest(pixelFormat: .rgba)).isIdentical(to: first))
        #expect(frame.derived.count == 2)
    }

    @Test func `what asks for nothing new is the frame's own buffer, and is not kept twice`() throws {
        let frame = VideoFrame(buffer: try .noise(.bgra, 64, 36), presentationTime: .zero, hostTime: .now)
        #expect(try frame.image(ImageRequest()).isIdentical(to: frame.buffer))
        let same = ImageRequest(pixelFormat: .bgra, size: PixelSize(width: 64, height: 36))
        #expect(try frame.image(same).isIdentical(to: frame.buffer))
        #expect(frame.derived.count == 0)
    }

    @Test func `the source goes home before the image, and the image with the frame`() throws {
        let sources = PixelBufferPool(capacity: 1)
        let images = PixelBufferPool(capacity: 4)
        var requests: [ImageRequest] = [PixelFormat.bgra, .i420, .gray8, .nv12].map { ImageRequest(pixelFormat: $0) }
        var cropped = ImageRequest()
        cropped.crop = PixelRect(x: 2, y: 2, width: 20, height: 20)
        requests.append(cropped)
        for format in PixelFormat.uncompressed {
            for request in requests where request.pixelFormat != format {
                var image: PixelBuffer?
                do {
                    var frame = VideoFrame(
                        buffer: try .noise(format, 64, 36, in: sources), presentationTime: .zero, hostTime: .now)
                    frame.pool = images
                    image = try frame.image(request)
                    #expect(sources.counts.inUse == 1)
                }
                #expect(sources.counts.inUse == 0, "\(format) held by \(request)")
                #expect(images.counts.inUse == 1)
                #expect(image != nil)
                image = nil
                #expect(images.counts.inUse == 0)
            }
        }
    }

    @Test func `an image counts as held by the reader of the frame, the kept one by nobody`() throws {
        final class Token: Sendable {}
        var frame = VideoFrame(buffer: try .noise(.i420, 64, 36), presentationTime: .zero, hostTime: .now)
        weak var lease: Token?
        do {
            let token = Token()
            lease = token
            var leased = frame
            leased.buffer.lease = token
            let image = try leased.image(ImageRequest(pixelFormat: .bgra))
            #expect(image.lease === token)
        }
        #expect(lease == nil)
        #expect(try frame.image(ImageRequest(pixelFormat: .bgra)).lease == nil)
        frame.buffer.lease = nil
    }

    @Test func `a compressed frame is decoded once, and keeps its times and what is known about it`() throws {
        let picture = try PixelBuffer.noise(.i422, 61, 35, .jpeg)
        var attachments = VideoFrame.Attachments()
        attachments.gap = 3
        let hostTime = HostTime(nanoseconds: 5)
        var encoded = EncodedFrame(
            format: .mjpeg, data: try JPEGEncoder().encode(picture), width: 61, height: 35, isKeyFrame: true,
            presentationTime: MediaTime(value: 7, timescale: 30), hostTime: hostTime,
            duration: MediaTime(value: 1, timescale: 30), sequence: 9, attachments: attachments)
        encoded.pool = PixelBufferPool(capacity: 3)
        let frame = try encoded.decodedFrame()
        #expect(frame.buffer.format == .i422)
        #expect(frame.buffer.size == picture.size)
        #expect(frame.presentationTime == encoded.presentationTime)
        #expect(frame.hostTime == hostTime)
        #expect(frame.duration == encoded.duration)
        #expect(frame.sequence == 9)
        #expect(frame.attachments == attachments)
        let again = try encoded.decodedFrame()
        #expect(again.buffer.isIdentical(to: frame.buffer))
        #expect(encoded.pool?.counts.allocations == 1)
        _ = try frame.image(ImageRequest(pixelFormat: .bgra))
        #expect(again.derived.count == 1)
        #expect(encoded.pool?.counts.inUse == 2)
    }

    @Test func `a frame that is not a JPEG cannot be decoded alone`() throws {
        let frame = EncodedFrame(
            format: .h264, data: [0, 0, 0, 1], width: 2, height: 2, isKeyFrame: true, presentationTime: .zero,
            hostTime: .now)
        let error = #expect(throws: ObscuraError.self) { try frame.decodedFrame() }
        #expect(error?.code == .unsupportedFormat)
        let broken = EncodedFrame(
            format: .mjpeg, data: [0xff, 0xd8], width: 2, height: 2, isKeyFrame: true, presentationTime: .zero,
            hostTime: .now)
        #expect(throws: ObscuraError.self) { try broken.decodedFrame() }
    }

    @Test(
        arguments: [PixelFormat.i420, .nv12, .i422, .yuyv, .bgra, .rgb24, .i010], [PixelFormat.bgra, .rgb24, .gray8])
    func bandsAreTheImage(from source: PixelFormat, to target: PixelFormat) throws {
        // Several bands, of which the last one ends within a block of chroma.
        let frame = VideoFrame(buffer: try .noise(source, 646, 137), presentationTime: .zero, hostTime: .now)
        let memory = PixelBufferPool(capacity: 1)
        for request in [
            ImageRequest(pixelFormat: target),
            ImageRequest(pixelFormat: target, size: PixelSize(width: 99, height: 70)),
        ] {
            var (bytes, count): ([UInt8], Int) = ([], 0)
            try frame.withBands(of: request, in: memory) { band in
                bytes += band.packedBytes()
                count += 1
            }
            #expect(try bytes == frame.image(request).packedBytes())
            let isByRow = request.size == nil && source != target && target != .gray8
            #expect((count > 1) == isByRow, "\(count) bands")
        }
    }
}
