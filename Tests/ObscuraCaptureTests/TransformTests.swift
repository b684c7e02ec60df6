// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraCapture
import ObscuraImaging
import ObscuraMedia
import TestSupport
import Testing

/// What is made of a frame is made once, whoever asks for it.
@Suite struct TransformTests {
    /// How many pictures the input's pool has given out: each conversion and each decoding takes one.
    private func made(_ session: CaptureSession) throws -> Int {
        let pool = try #require(session.ledger.inputs.first).pool
        return pool.allocations + pool.reuses
    }

    @Test(.hangLimit) func `One conversion serves all readers who ask for the same`() async throws {
        let camera = HandCamera()
        let small = PixelSize(width: 4, height: 2)
        let same = (0..<4).map { VideoDataOutput(name: "same \($0)", pixelFormat: .bgra, size: small) }
        let other = VideoDataOutput(name: "other", pixelFormat: .rgba, size: small)
        let raw = VideoDataOutput(name: "raw")
        let outputs = same + [other, raw]
        let delegates = RecordingDelegate.each(of: outputs)
        let session = try await CaptureSession.of(camera, outputs)
        try await session.start()
        for count in 1...25 {
            try camera.give()
            for delegate in delegates { #expect(await delegate.frames.reaches(count)) }
        }
        #expect(try made(session) == 50)
        #expect(try session.reader("same 0").stages[.transform]?.count == 25)
        #expect(try session.reader("raw").stages[.transform] == nil)
        #expect(try session.reader("raw").stages[.queue]?.count == 25)
        #expect(try session.reader("raw").stages[.capture]?.count == 25)
        await session.stop()
        #expect(try session.reader("raw").stages[.handling]?.count == 25)
        session.expectBalance()
        // A conversion keeps no hold on its source, and is gone with its readers.
        #expect(camera.pictures.withLock { $0 } == 0)
    }

    @Test(.hangLimit) func `A conversion that is held keeps no hold on the camera's buffer`() async throws {
        let camera = HandCamera()
        let output = VideoDataOutput(pixelFormat: .bgra, latePolicy: .bounded(8))
        let session = try await CaptureSession.of(camera, [output])
        var frames = output.frames.makeAsyncIterator()
        try await session.start()
        var held: [VideoFrame] = []
        for _ in 0..<6 {
            try camera.give()
            held.append(try #require(try await frames.next()))
        }
        #expect(await becomes { camera.pictures.withLock { $0 } == 0 })
        #expect(try session.reader("video loop").held == 6)
        held.removeAll()
        #expect(try session.reader("video loop").held == 0)
        await session.stop()
    }

    @Test(.hangLimit) func `A change of what is asked for takes effect with the next frame`() async throws {
        let camera = HandCamera()
        let output = VideoDataOutput(latePolicy: .bounded(8))
        let session = try await CaptureSession.of(camera, [output])
        var frames = output.frames.makeAsyncIterator()
        try await session.start()
        for (format, size) in [(nil, nil), (.bgra, nil), (.rgba, PixelSize(width: 4, height: 4)), (nil, nil)]
            as [(PixelFormat?, PixelSize?)]
        {
            output.pixelFormat = format
            output.size = size
            try camera.give()
            let frame = try #require(try await frames.next())
            #expect(frame.buffer.format == format ?? .gray8)
            #expect(frame.buffer.size == size ?? HandCamera.small.size)
        }
        await session.stop()
    }

    // MARK: Compressed frames

    private func replay(_ kinds: [ReplayEvent.Kind]) -> ReplayDriver {
        ReplayDriver(
            formats: [VideoFormat(pixelFormat: .mjpeg, width: 64, height: 48)],
            script: kinds.enumerated().map { ReplayEvent(at: .milliseconds($0.offset), $0.element) }
                + [ReplayEvent(at: .milliseconds(kinds.count), .end)])
    }

    private func encoded(_ data: [UInt8]) -> ReplayEvent.Kind {
        .encoded(
            EncodedFrame(
                format: .mjpeg, data: data, width: 64, height: 48, isKeyFrame: true, presentationTime: .zero,
                hostTime: .now))
    }

    private func jpeg(_ sequence: UInt64) throws -> [UInt8] {
        let picture = try PatternScene(size: PixelSize(width: 640, height: 480)).draw(sequence: sequence, time: .zero)
        return try JPEGEncoder(quality: 90).encode(picture)
    }

    @Test(.hangLimit) func `A JPEG of a camera is decoded once for all readers`() async throws {
        let script = try (0..<10 as Range<UInt64>).map { encoded(try jpeg($0)) }
        let outputs = (0..<3).map { VideoDataOutput(name: "output \($0)", latePolicy: .lossless) }
        let session = try await CaptureSession.of(replay(script), outputs)
        var readers = outputs.map { $0.frames.makeAsyncIterator() }
        try await session.start()
        for number in 0..<10 as Range<UInt64> {
            for index in readers.indices {
                let frame = try #require(try await readers[index].next())
                #expect(frame.sequence == number)
                #expect(PatternScene.readSequence(of: frame.buffer) == number)
            }
        }
        for index in readers.indices { #expect(try await readers[index].next() == nil) }
        // The account of a source that has ended is kept until the next start.
        #expect(try made(session) == 10)
        session.expectBalance()
    }

    @Test(.hangLimit) func `A broken JPEG is one deviceError, and the next one comes`()
        async throws
    {
        let whole = try jpeg(7)
        let script = [
            encoded(whole), encoded([1, 2, 3]), encoded([]), encoded(Array(whole.prefix(20))), encoded(whole),
        ]
        let output = VideoDataOutput(pixelFormat: .bgra, latePolicy: .lossless)
        let delegate = RecordingDelegate()
        output.setDelegate(delegate)
        let session = try await CaptureSession.of(replay(script), [output])
        try await session.start()
        #expect(await delegate.endings.reaches(1))
        #expect(delegate.sequences == [0, 4])
        #expect(delegate.dropped.allSatisfy { $0.reason == .deviceError })
        #expect(delegate.dropped.map(\.count).reduce(0, +) == 3)
        #expect(delegate.dropped.last?.sequence == 3)
        #expect(await becomes { session.ledger.readers.first?.frames.delivered == 2 })
        let dropped = try session.reader("video delegate").frames.dropped
        #expect(dropped[.deviceError] == 3 && dropped.total == 3)
        session.expectBalance()
    }

    @Test(.hangLimit) func `What can never be made is refused before anything runs`() async throws {
        let impossible = VideoDataOutput(name: "impossible")
        impossible.crop = PixelRect(x: 100, y: 100, width: 10, height: 10)
        let session = try await CaptureSession.of(HandCamera(), [])
        #expect(session.refusal(of: impossible)?.code == .invalidConfiguration)
        await #expect(throws: ObscuraError.self) { try await session.configure { try $0.addOutput(impossible) } }
        #expect(session.outputs.isEmpty)
    }

    @Test(.hangLimit)
    func `What becomes impossible while it runs ends that reader alone, with the reason`()
        async throws
    {
        let camera = HandCamera()
        let (impossible, plain) = (VideoDataOutput(name: "impossible"), VideoDataOutput(name: "plain"))
        let (wrong, right) = (RecordingDelegate(), RecordingDelegate())
        impossible.setDelegate(wrong)
        plain.setDelegate(right)
        let session = try await CaptureSession.of(camera, [impossible, plain])
        try await session.start()
        impossible.crop = PixelRect(x: 100, y: 100, width: 10, height: 10)
        for count in 1...5 {
            try camera.give()
            #expect(await right.frames.reaches(count))
        }
        #expect(await wrong.endings.reaches(1))
        #expect(wrong.frames.now == 0)
        #expect(try session.reader("impossible").frames.dropped[.transformFailed] == 1)
        await session.stop()
        session.expectBalance()
    }
}
