// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraCapture
import ObscuraImaging
import ObscuraMedia
import TestSupport
import Testing

/// Effects on the way of a frame: what comes out of an output whose connection has some.
@Suite struct EffectTests {
    /// Sets all bytes of the picture.
    private func paint(_ value: UInt8, in format: PixelFormat = .gray8) -> VideoEffect {
        VideoEffect("paint", formats: [format]) { picture, _ in
            let count = picture.bytesPerRow(ofPlane: 0) * (picture.height - 1) + picture.planes[0].rowBytes
            try picture.withMutableBytes(ofPlane: 0) { bytes in
                for place in 0..<count { bytes.storeBytes(of: value, toByteOffset: place, as: UInt8.self) }
            }
        }
    }

    private func bytes(_ frame: VideoFrame) -> Set<UInt8> { Set(frame.buffer.packedBytes()) }

    @Test(.hangLimit) func `Effects can be set, changed and taken off while frames run`() async throws {
        let camera = HandCamera()
        let output = VideoDataOutput(latePolicy: .bounded(8))
        let session = try await CaptureSession.of(camera, [output])
        var frames = output.frames.makeAsyncIterator()
        try await session.start()
        try camera.give()
        let plain = bytes(try #require(try await frames.next()))
        for value in [7, 9, 7] as [UInt8] {
            output.connection.effects = [paint(value)]
            try camera.give()
            #expect(bytes(try #require(try await frames.next())) == [value])
        }
        output.connection.effects = []
        try camera.give()
        #expect(bytes(try #require(try await frames.next())) == plain)
        await session.stop()
        session.expectBalance()
    }

    @Test(.hangLimit) func `Effects take their memory once, and then use it again`() async throws {
        let camera = HandCamera()
        let output = VideoDataOutput(latePolicy: .bounded(8))
        output.connection.effects = [paint(7)]
        let session = try await CaptureSession.of(camera, [output])
        var frames = output.frames.makeAsyncIterator()
        try await session.start()
        let (rounds, held) = (10, 2)
        for _ in 0..<rounds {
            var pictures: [VideoFrame] = []
            for _ in 0..<held {
                try camera.give()
                pictures.append(try #require(try await frames.next()))
            }
            #expect(pictures.allSatisfy { bytes($0) == [7] })
        }
        let pool = session.ledger.inputs[0].pool
        #expect(pool.allocations + pool.reuses >= rounds * held)
        // Those that are held, and one that is being made.
        #expect(pool.allocations <= held + 1)
        await session.stop()
        session.expectBalance()
    }

    @Test(.hangLimit) func `Outputs with equal effects share them, and others are not touched`()
        async throws
    {
        let camera = HandCamera()
        let calls = Lock(0)
        let effect = VideoEffect("count", formats: [.gray8]) { _, _ in calls.withLock { $0 += 1 } }
        let outputs = (0..<4).map { VideoDataOutput(name: "\($0)") }
        for output in outputs.dropLast() { output.connection.effects = [effect] }
        let delegates = RecordingDelegate.each(of: outputs)
        let session = try await CaptureSession.of(camera, outputs)
        try await session.start()
        for count in 1...10 {
            try camera.give()
            for delegate in delegates { #expect(await delegate.frames.reaches(count)) }
        }
        #expect(calls.withLock { $0 } == 10)
        #expect(try session.reader("3").stages[.transform] == nil)
        await session.stop()
        session.expectBalance()
    }

    @Test(.hangLimit) func `A frame whose effect fails is dropped for its reader alone, and counted`()
        async throws
    {
        struct Broken: Error {}
        let camera = HandCamera()
        let (broken, whole) = (VideoDataOutput(name: "broken"), VideoDataOutput(name: "whole"))
        broken.connection.effects = [VideoEffect("broken", formats: [.gray8]) { _, _ in throw Broken() }]
        let delegates = RecordingDelegate.each(of: [broken, whole])
        let session = try await CaptureSession.of(camera, [broken, whole])
        try await session.start()
        for count in 1...5 {
            try camera.give()
            #expect(await delegates[1].frames.reaches(count))
            #expect(await becomes { (try? session.reader("broken").frames.dropped[.transformFailed]) == UInt64(count) })
        }
        #expect(delegates[0].frames.now == 0)
        await session.stop()
        session.expectBalance()
    }

    @Test(.hangLimit) func `A photo has the effects of its connection, or those it is given`() async throws {
        let stage = try await PhotoStage()
        try await stage.give(0..<3)
        stage.output.connection.effects = [paint(0, in: .bgra)]
        var settings = PhotoSettings()
        settings.format = .png()
        for (effects, values) in [(nil, [16]), ([paint(255, in: .bgra)], [235])] as [([VideoEffect]?, Set<UInt8>)] {
            settings.effects = effects
            let picture = try PNGDecoder.decode(try await stage.output.capture(settings).data)
            // Black and white, as limited range has them.
            let gray = try ImageTransformer.transform(picture, ImageRequest(pixelFormat: .gray8))
            #expect(Set(gray.packedBytes()) == values)
        }
        settings.effects = []
        let plain = try await stage.output.capture(settings)
        #expect(try PhotoStage.number(of: plain) == 2)
        await stage.stop()
    }
}
