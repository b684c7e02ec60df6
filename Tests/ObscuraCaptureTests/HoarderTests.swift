// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraCapture
import ObscuraImaging
import ObscuraMedia
import TestSupport
import Testing

/// A reader that holds all it may, and makes much of it, harms nobody else.
@Suite struct HoarderTests {
    private static let camera = PatternDriver(size: PixelSize(width: 64, height: 48), isLive: false)

    private func image(_ frame: VideoFrame, _ side: Int) throws -> PixelBuffer {
        try frame.image(ImageRequest(pixelFormat: .bgra, size: PixelSize(width: side, height: side)))
    }

    @Test(.hangLimit) func `Many images of the frames that one holds starve nobody beside it`()
        async throws
    {
        let hoarder = VideoDataOutput(name: "hoarder")
        let quick = VideoDataOutput(name: "quick", pixelFormat: .bgra, latePolicy: .lossless)
        let session = try await CaptureSession.of(Self.camera, [hoarder, quick])
        var loop = hoarder.frames.makeAsyncIterator()
        var quickLoop = quick.frames.makeAsyncIterator()
        try await session.start()
        var held: [VideoFrame] = []
        var images: [PixelBuffer] = []
        while held.count < 8 {
            // One after the other, so that the source never waits for the quick one.
            _ = try #require(try await quickLoop.next())
            let frame = try #require(try await loop.next())
            held.append(frame)
            for side in 1...12 { images.append(try image(frame, side * 2)) }
        }
        for _ in 0..<50 { _ = try #require(try await quickLoop.next()) }
        #expect(images.count == 96)
        #expect(try session.reader("quick").frames.dropped.total == 0)
        #expect(try session.reader("hoarder").held == 8)
        await session.stop()
        session.expectBalance()
    }

    @Test(.hangLimit) func `Loops that end and keep their frames do not take the camera's room`()
        async throws
    {
        let output = VideoDataOutput(latePolicy: .bounded(8))
        let session = try await CaptureSession.of(Self.camera, [output])
        var held: [VideoFrame] = []
        var images: [PixelBuffer] = []
        try await session.start()
        // More loops than the session keeps accounts of.
        for _ in 0..<20 {
            var loop = output.frames.makeAsyncIterator()
            for _ in 0..<8 {
                let frame = try #require(try await loop.next())
                held.append(frame)
                images.append(try image(frame, 16))
            }
        }
        #expect(held.count == 160)
        #expect(images.count == 160)
        await session.stop()
    }

    @Test(.hangLimit) func `A drawing on a frame that is kept takes no room of the camera`()
        async throws
    {
        let output = VideoDataOutput(latePolicy: .bounded(8))
        let session = try await CaptureSession.of(Self.camera, [output])
        var loop = output.frames.makeAsyncIterator()
        try await session.start()
        var held: [VideoFrame] = []
        for _ in 0..<7 {
            let frame = try #require(try await loop.next())
            held.append(frame)
            for _ in 0..<12 {
                var drawn = frame
                try drawn.buffer.withMutableBytes(ofPlane: 0) { $0.storeBytes(of: 1, toByteOffset: 0, as: UInt8.self) }
                held.append(drawn)
            }
        }
        for _ in 0..<20 { _ = try #require(try await loop.next()) }
        #expect(held.count == 91)
        await session.stop()
    }
}
