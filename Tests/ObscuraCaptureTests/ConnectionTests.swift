// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Metrics
import ObscuraImaging
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraCapture

@Suite struct ConnectionTests {
    private static let turns: [(Orientation, Bool)] = Orientation.allCases.flatMap { turn in
        [false, true].map { (turn, $0) }
    }

    @Test func `Only effects need pictures beside a frame, those of the connection or of its readers`() {
        let connection = VideoDataOutput().connection
        #expect(connection.picturesBesideFrame == 0)
        connection.effects = [.mono]
        #expect(connection.picturesBesideFrame == 2)
        connection.readersHaveEffects(true)
        #expect(connection.picturesBesideFrame == 2)
        connection.effects = []
        #expect(connection.picturesBesideFrame == 2)
        connection.readersHaveEffects(false)
        #expect(connection.picturesBesideFrame == 0)
    }

    /// A picture in which no turn or mirror looks like another.
    private static func arrow() throws -> PixelBuffer {
        var picture = try PixelBuffer(format: .gray8, width: 3, height: 2)
        let bytesPerRow = picture.bytesPerRow(ofPlane: 0)
        try picture.withMutableBytes(ofPlane: 0) { bytes in
            for (index, offset) in [0, 1, 2, bytesPerRow, bytesPerRow + 1, bytesPerRow + 2].enumerated() {
                bytes.storeBytes(of: UInt8(index * 40), toByteOffset: offset, as: UInt8.self)
            }
        }
        return picture
    }

    private static func rows(_ picture: PixelBuffer) -> [[UInt8]] {
        (0..<picture.height).map { row in
            (0..<picture.width).map { column in
                picture.withBytes(ofPlane: 0) {
                    $0.unsafeLoad(
                        fromByteOffset: row * picture.bytesPerRow(ofPlane: 0) + column, as: UInt8.self)
                }
            }
        }
    }

    @Test(arguments: turns, turns)
    func `Upright, turned and mirrored in one step is what the steps one after the other give`(
        source: (Orientation, Bool), wanted: (Orientation, Bool)
    ) throws {
        var steps = try Self.arrow()
        for step in [(source.0, false), (.up, source.1), (wanted.0, false), (.up, wanted.1)] as [(Orientation, Bool)] {
            var request = ImageRequest()
            (request.orientation, request.isMirrored) = step
            steps = try ImageTransformer.transform(steps, request)
        }
        var frame = VideoFrame(buffer: try Self.arrow(), presentationTime: .zero, hostTime: .now)
        (frame.attachments.uprightTurn, frame.attachments.isMirrored) = source
        var request = ImageRequest()
        (request.orientation, request.isMirrored) = wanted
        #expect(Self.rows(try frame.uprightImage(request)) == Self.rows(steps))
    }

    @Test(.hangLimit, arguments: turns)
    func `A connection's turn reaches the readers, and says so`(turn: Orientation, isMirrored: Bool) async throws {
        let camera = HandCamera()
        let output = VideoDataOutput(latePolicy: .bounded(4))
        let session = try await CaptureSession.of(camera, [output])
        output.connection.orientation = turn
        output.connection.isMirrored = isMirrored
        var frames = output.frames.makeAsyncIterator()
        try await session.start()
        for source in Self.turns {
            var notes = VideoFrame.Attachments()
            (notes.uprightTurn, notes.isMirrored) = source
            let frame = VideoFrame(
                buffer: try Self.arrow(), presentationTime: .zero, hostTime: .now, attachments: notes)
            camera.sink?.receive(frame, buffersLeft: nil)
            let received = try #require(try await frames.next())
            var request = ImageRequest()
            (request.orientation, request.isMirrored) = (turn, isMirrored)
            #expect(Self.rows(received.buffer) == Self.rows(try frame.uprightImage(request)))
            #expect(received.attachments.uprightTurn == .up)
            #expect(!received.attachments.isMirrored)
        }
        await session.stop()
    }

    @Test(.hangLimit) func `Each setting applies from the next frame on, also back to the camera's own image`()
        async throws
    {
        let camera = HandCamera()
        let output = VideoDataOutput(latePolicy: .bounded(4))
        let session = try await CaptureSession.of(camera, [output])
        var frames = output.frames.makeAsyncIterator()
        try await session.start()
        let changes: [@Sendable (inout ImageRequest, VideoDataOutput) -> Void] = [
            {
                $1.connection.orientation = .right; $0.orientation = .right
            },
            {
                $1.connection.isMirrored = true; $0.isMirrored = true
            },
            {
                $1.connection.effects = [.mono]; $0.effects = [.mono]
            },
            {
                $1.crop = PixelRect(x: 0, y: 0, width: 2, height: 2); $0.crop = $1.crop
            },
            {
                $1.size = PixelSize(width: 5, height: 4); $0.size = $1.size
            },
            {
                $1.fit = .stretch; $0.fit = .stretch
            },
            {
                $1.pixelFormat = .bgra; $0.pixelFormat = .bgra
            },
            {
                $1.chroma = .bilinear; $0.chroma = .bilinear
            },
            {
                $1.colorSpace = .sRGB; $0.colorSpace = .sRGB
            },
            { request, output in
                (output.connection.orientation, output.connection.isMirrored) = (.up, false)
                output.connection.effects = []
                (output.crop, output.size, output.pixelFormat, output.colorSpace) = (nil, nil, nil, nil)
                (output.fit, output.chroma) = (.fill, .nearest)
                request = ImageRequest()
            },
        ]
        var request = ImageRequest()
        for change in [{ @Sendable _, _ in }] + changes {
            let frame = VideoFrame(buffer: try Self.arrow(), presentationTime: .zero, hostTime: .now)
            change(&request, output)
            camera.sink?.receive(frame, buffersLeft: nil)
            let received = try #require(try await frames.next())
            #expect(received.buffer.packedBytes() == (try frame.uprightImage(request)).packedBytes(), "\(request)")
        }
        await session.stop()
    }

    @Test(
        .hangLimit,
        arguments: [(30, 30), (15, 15), (10, 10), (7, 7), (1, 1), (29, 29), (60, 30)] as [(Int32, Int)])
    func `A limit of the rate thins thirty frames a second out to exactly so many`(
        limit: Int32, expected: Int
    ) async throws {
        let camera = HandCamera()
        let output = VideoDataOutput(latePolicy: .bounded(1000))
        let session = try await CaptureSession.of(camera, [output])
        output.connection.minFrameDuration = MediaTime(value: 1, timescale: limit)
        let reader = output.frames.makeAsyncIterator()
        try await session.start()
        var generator = Dice(seed: UInt64(limit))
        for index in 0..<300 {
            // The stamps of cameras tremble: by up to a millisecond each way.
            let tremble = Int64.random(in: -1000...1000, using: &generator)
            try camera.give(at: MediaTime(value: Int64(index) * 1_000_000 / 30 + tremble, timescale: 1_000_000))
        }
        let books = try session.reader("video loop").frames
        #expect(books.offered == 300)
        #expect(abs(Int(books.waiting) - expected * 10) <= 1)
        #expect(books.skipped == 300 - books.waiting)
        await session.stop()
        withExtendedLifetime(reader) {}
    }

    @Test(.hangLimit) func `A step back in time begins a new schedule`() async throws {
        let camera = HandCamera()
        let output = VideoDataOutput(latePolicy: .bounded(1000))
        let session = try await CaptureSession.of(camera, [output])
        output.connection.minFrameDuration = MediaTime(value: 1, timescale: 10)
        var frames = output.frames.makeAsyncIterator()
        try await session.start()
        let times = [100.0, 100.05, 100.1, 5, 5.05, 5.1, 900, 900.05, 900.1]
        for time in times { try camera.give(at: MediaTime(seconds: time)) }
        var received: [Double] = []
        for _ in 0..<6 { received.append(try #require(try await frames.next()).presentationTime.seconds) }
        #expect(received == [100, 100.1, 5, 5.1, 900, 900.1])
        #expect(try session.reader("video loop").frames.skipped == 3)
        await session.stop()
    }

    @Test(.hangLimit) func `What a connection keeps back is skipped, and never converted`() async throws {
        let camera = HandCamera()
        let output = VideoDataOutput(pixelFormat: .bgra, latePolicy: .lossless(100), leaseLimit: 100)
        let session = try await CaptureSession.of(camera, [output])
        var frames = output.frames.makeAsyncIterator()
        try await session.start()
        output.connection.frameStride = 4
        try camera.give(20)
        output.connection.frameStride = 0
        output.connection.isEnabled = false
        try camera.give(10)
        output.connection.isEnabled = true
        try camera.give()
        var sequences: [UInt64] = []
        for _ in 0..<6 { sequences.append(try #require(try await frames.next()).sequence) }
        #expect(sequences == [0, 4, 8, 12, 16, 30])
        let books = try session.reader("video loop")
        #expect(books.frames.skipped == 25)
        #expect(books.frames.dropped.total == 0)
        #expect(books.stages[.transform]?.count == 6)
        let pool = try #require(session.ledger.inputs.first).pool
        #expect(pool.allocations + pool.reuses == 6)
        await session.stop()
        session.expectBalance()
    }

    @Test func `The end of a source does not end the readers of the source that took its place meanwhile`() throws {
        let inputs = try [HandCamera("first"), HandCamera("second")].map { try CaptureDeviceInput(device: $0.device) }
        let output = VideoDataOutput()
        let reader = output.makeReader("reader")
        output.connection.attach(reader)
        let second = CaptureSource(input: inputs[1], metrics: MetricsSystem.factory) { _, _ in }
        // The session learns of the end before the readers.
        let first = CaptureSource(input: inputs[0], metrics: MetricsSystem.factory) { _, event in
            if case .ended = event { second.route(to: [output.connection]) }
        }
        first.route(to: [output.connection])
        first.announce()
        first.finish(throwing: nil)
        #expect(output.connection.input == inputs[1])
        #expect(!reader.hasEnded)
        second.announce()
        second.finish(throwing: nil)
        #expect(reader.hasEnded)
    }
}
