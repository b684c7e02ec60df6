// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraCapture

/// Cameras whose frames refer to others: what reaches the readers, and where the rest went.
@Suite struct DecodeStageTests {
    /// A running session with one reader that loses nothing of its own, and what it got.
    private struct Stage {
        let decoder = HandDecoder()
        let delegate = RecordingDelegate()
        let camera: HandCamera
        let session: CaptureSession
        let output: VideoDataOutput

        init(_ policy: LateFramePolicy = .bounded(500), isLive: Bool = true) async throws {
            camera = .compressed(decoder, isLive: isLive)
            output = VideoDataOutput(name: "reader", latePolicy: policy, leaseLimit: 500)
            output.setDelegate(delegate)
            session = try await CaptureSession.of(camera, [output])
            try await session.start()
        }

        /// Ends the stream and waits until all of it has been told.
        func end() async -> Bool {
            camera.sink?.finish(throwing: nil)
            return await delegate.endings.reaches(1)
        }

        var books: ReaderLedger { get throws { try session.reader("reader").frames } }
        var lost: UInt64 { session.ledger.inputs.last?.lost ?? 0 }
    }

    @Test(.hangLimit) func `Each picture has the times and attachments of its own frame`() async throws {
        let decoder = HandDecoder()
        let camera = HandCamera.compressed(decoder)
        let output = VideoDataOutput(latePolicy: .bounded(100), leaseLimit: 100)
        let session = try await CaptureSession.of(camera, [output])
        var frames = output.frames.makeAsyncIterator()
        try await session.start()
        var notes = VideoFrame.Attachments()
        notes.isHostTimeEstimated = true
        notes.dequeueTime = HostTime(nanoseconds: 5)
        camera.send(0, isKey: true, .delayed, attachments: notes)
        camera.send(1)
        camera.send(2)
        for (number, isFirst) in [(1, false), (0, true), (2, false)] as [(UInt64, Bool)] {
            let frame = try #require(try await frames.next())
            #expect(frame.sequence == number && UInt64(frame.mark) == number)
            #expect(frame.presentationTime == MediaTime(value: Int64(number), timescale: 30))
            #expect(frame.hostTime.nanoseconds == frame.presentationTime.nanoseconds)
            #expect(frame.duration == MediaTime(value: 1, timescale: 30))
            #expect(frame.attachments.isHostTimeEstimated == isFirst)
            #expect((frame.attachments.dequeueTime == HostTime(nanoseconds: 5)) == isFirst)
        }
        #expect(try session.reader("video loop").stages[.decode]?.count ?? 0 >= 2)
        await session.stop()
        session.expectBalance()
    }

    @Test(.hangLimit) func `A decoder that is too slow is skipped on to the next key frame`() async throws {
        let stage = try await Stage()
        stage.decoder.isHeld = true
        stage.camera.send(0, isKey: true)
        #expect(await stage.decoder.begun.reaches(1))
        // 16 wait; the 17th has 1 to 9 left out, for the key frame behind them.
        for number in 1...17 as ClosedRange<UInt64> { stage.camera.send(number, isKey: number == 10) }
        #expect(await becomes { (try? stage.books.dropped[.late]) == 9 })
        stage.decoder.isHeld = false
        #expect(await stage.end())
        #expect(stage.delegate.sequences == [0] + Array(10...17))
        #expect(stage.delegate.dropped.allSatisfy { $0.reason == .late })
        let books = try stage.books
        #expect(books.offered == 18 && books.dropped[.late] == 9 && books.dropped.total == 9)
        #expect(stage.decoder.drainedBefore.contains(1))
        // They were usable: it was us.
        #expect(stage.lost == 0)
        stage.session.expectBalance()
    }

    @Test(.hangLimit) func `Every reader is told of what was skipped`() async throws {
        let decoder = HandDecoder()
        let camera = HandCamera.compressed(decoder)
        let outputs = (0..<3).map { VideoDataOutput(name: "output \($0)", latePolicy: .bounded(100), leaseLimit: 100) }
        let delegates = RecordingDelegate.each(of: outputs)
        let session = try await CaptureSession.of(camera, outputs)
        try await session.start()
        decoder.isHeld = true
        camera.send(0, isKey: true)
        #expect(await decoder.begun.reaches(1))
        // No key frame waits: all that waits goes, and what comes until there is one.
        for number in 1...20 as ClosedRange<UInt64> { camera.send(number) }
        camera.send(21, isKey: true)
        decoder.isHeld = false
        camera.sink?.finish(throwing: nil)
        for (output, delegate) in zip(outputs, delegates) {
            #expect(await delegate.endings.reaches(1))
            #expect(delegate.sequences == [0, 21])
            #expect(try session.reader(output.name).frames.dropped[.late] == 20)
        }
        session.expectBalance()
    }

    @Test(.hangLimit, arguments: [HandDecoder.Fate.refused, .damaged])
    func `A damaged frame and those that need it are deviceErrors`(fate: HandDecoder.Fate) async throws {
        let stage = try await Stage()
        stage.camera.send(0, isKey: true)
        stage.camera.send(1)
        stage.camera.send(2, fate)
        #expect(await becomes { stage.lost == 1 })
        stage.camera.send(3)
        stage.camera.send(4)
        stage.camera.send(5, isKey: true)
        stage.camera.send(6)
        #expect(await stage.end())
        #expect(stage.delegate.sequences == [0, 1, 5, 6])
        #expect(stage.decoder.decoded == [0, 1, 2, 5, 6])
        let books = try stage.books
        #expect(books.offered == 7 && books.dropped[.deviceError] == 3 && books.dropped.total == 3)
        #expect(stage.lost == 3)
        stage.session.expectBalance()
    }

    @Test(.hangLimit) func `A damaged frame right before a key frame is one deviceError`() async throws {
        let stage = try await Stage()
        stage.decoder.isHeld = true
        stage.camera.send(0, isKey: true)
        stage.camera.send(1, .damaged)
        stage.camera.send(2, isKey: true)
        stage.camera.send(3)
        stage.decoder.isHeld = false
        #expect(await stage.end())
        #expect(stage.delegate.sequences == [0, 2, 3])
        #expect(try stage.books.dropped[.deviceError] == 1)
    }

    @Test(.hangLimit) func `What the driver lost is missed up to the next key frame`() async throws {
        let stage = try await Stage()
        // It begins in the middle of a group.
        stage.camera.send(0)
        stage.camera.send(1, isKey: true)
        // 2 is missing.
        stage.camera.send(3)
        stage.camera.send(4, isKey: true)
        stage.camera.send(5)
        // 6 is broken.
        stage.camera.sink?.loseFrame()
        stage.camera.send(7)
        // 8 is missing, and nothing that comes needs it.
        stage.camera.send(9, isKey: true)
        #expect(await stage.end())
        #expect(stage.delegate.sequences == [1, 4, 5, 9])
        let books = try stage.books
        #expect(books.dropped[.deviceError] == 4 && books.offered == 8)
        let input = try #require(stage.session.ledger.inputs.last)
        #expect((input.received, input.gaps, input.lost) == (7, 2, 4))
        stage.session.expectBalance()
    }

    @Test(.hangLimit) func `A new timeline begins with a key frame, and says so`() async throws {
        let decoder = HandDecoder()
        let camera = HandCamera.compressed(decoder)
        let output = VideoDataOutput(latePolicy: .bounded(100), leaseLimit: 100)
        let session = try await CaptureSession.of(camera, [output])
        var frames = output.frames.makeAsyncIterator()
        try await session.start()
        camera.send(0, isKey: true)
        camera.send(1, .delayed)
        camera.sink?.interrupted(.stalled)
        camera.sink?.resumed()
        camera.send(2)
        camera.send(3, isKey: true)
        camera.send(4)
        camera.sink?.finish(throwing: nil)
        var got: [VideoFrame] = []
        while let frame = try await frames.next() { got.append(frame) }
        // What the decoder held of the old timeline came out, and the mark of the frame that was lost went over.
        #expect(got.map(\.sequence) == [0, 1, 3, 4])
        #expect(got.map(\.attachments.isDiscontinuity) == [false, false, true, false])
        #expect(decoder.decoded == [0, 1, 3, 4])
        #expect(decoder.drainedBefore.contains(2))
        #expect(try session.reader("video loop").frames.dropped[.deviceError] == 1)
    }

    @Test(.hangLimit) func `What a decoder forgets is accounted for`() async throws {
        let stage = try await Stage()
        stage.camera.send(0, isKey: true)
        stage.camera.send(1, .forgotten)
        // No stream may keep a picture back for so long.
        for number in 2...40 as ClosedRange<UInt64> {
            stage.camera.send(number)
            #expect(await stage.decoder.begun.reaches(Int(number) + 1))
        }
        #expect(await becomes { stage.lost == 1 })
        stage.camera.send(41, .forgotten)
        #expect(await stage.end())
        #expect(try stage.books.dropped[.deviceError] == 2)
        #expect(try stage.books.offered == 42)
    }

    @Test(.hangLimit, arguments: [true, false])
    func `Nothing is skipped for a reader without loss, and the driver waits`(isLive: Bool) async throws {
        let stage = try await Stage(isLive ? .lossless : .bounded(500), isLive: isLive)
        stage.decoder.isHeld = true
        let camera = stage.camera
        let sent = Count()
        let isStarted = WorkerThread.detach(name: "camera") {
            for number in 0..<60 as Range<UInt64> {
                camera.send(number, isKey: number == 0)
                sent.add()
            }
            camera.sink?.finish(throwing: nil)
        }
        #expect(isStarted)
        // One is in the decoder, and so many wait.
        #expect(await sent.reaches(DecodeStage.frameLimit + 1))
        #expect(await stage.decoder.begun.reaches(1))
        #expect(sent.now == DecodeStage.frameLimit + 1)
        stage.decoder.isHeld = false
        #expect(await stage.delegate.endings.reaches(1))
        #expect(stage.delegate.sequences == Array(0..<60))
        #expect(try stage.books.dropped.total == 0)
    }

    @Test(.hangLimit) func `A stop does not wait for what waits for the decoder`() async throws {
        let stage = try await Stage(.lossless)
        stage.decoder.isHeld = true
        let camera = stage.camera
        let isOver = Count()
        let isStarted = WorkerThread.detach(name: "camera") {
            for number in 0..<60 as Range<UInt64> { camera.send(number, isKey: number == 0) }
            isOver.add()
        }
        #expect(isStarted)
        #expect(await stage.decoder.begun.reaches(1))
        let session = stage.session
        let stop = Task { await session.stop() }
        // The driver, which waited for room, goes on at once.
        #expect(await isOver.reaches(1))
        stage.decoder.isHeld = false
        await stop.value
        #expect(!session.isRunning)
        let count = stage.delegate.frames.now
        #expect(stage.decoder.decoded.count <= 1)
        camera.send(100, isKey: true)
        #expect(stage.delegate.frames.now == count && count == 0)
        session.expectBalance()
    }

    @Test(.hangLimit) func `A camera starts again with a decoder of its own`() async throws {
        let stage = try await Stage()
        stage.camera.send(0, isKey: true)
        #expect(await stage.delegate.frames.reaches(1))
        await stage.session.stop()
        try await stage.session.start()
        // In the middle of a group again.
        stage.camera.send(1)
        stage.camera.send(2, isKey: true)
        #expect(await stage.end())
        #expect(stage.delegate.sequences == [0, 2])
        stage.session.expectBalance()
    }

    @Test(.hangLimit) func `The end and its error come behind what was decoded`() async throws {
        let stage = try await Stage()
        stage.decoder.isHeld = true
        stage.camera.send(0, isKey: true)
        stage.camera.send(1, .delayed)
        stage.camera.sink?.finish(throwing: ObscuraError(.capture, .deviceFailed, subject: "hand", reason: "it broke"))
        stage.decoder.isHeld = false
        #expect(await stage.delegate.endings.reaches(1))
        #expect(stage.delegate.sequences == [0, 1])
        #expect(stage.delegate.errors.map { $0?.code } == [.deviceFailed])
    }

    @Test(.hangLimit) func `Without a decoder a start says what is missing`() async throws {
        let camera = HandCamera(formats: [HandCamera.compressed])
        let session = try await CaptureSession.of(camera, [VideoDataOutput()])
        let error = await #expect(throws: ObscuraError.self) { try await session.start() }
        #expect(error?.code == .unsupportedFormat)
        #expect(error?.reason.contains("h264") == true)
        #expect(!session.isRunning)
        // One attempt was made, however soon it failed.
        #expect(camera.runs.map(\.stops.now) == [1])
    }

    @Test(.hangLimit) func `Frames that the device did not announce are deviceErrors`() async throws {
        let camera = HandCamera()
        let output = VideoDataOutput(name: "reader")
        let delegate = RecordingDelegate()
        output.setDelegate(delegate)
        let session = try await CaptureSession.of(camera, [output])
        try await session.start()
        camera.send(0, isKey: true)
        try camera.give(at: MediaTime(value: 1, timescale: 30), sequence: 1)
        #expect(await delegate.frames.reaches(1))
        await session.stop()
        #expect(delegate.sequences == [1])
        #expect(try session.reader("reader").frames.dropped[.deviceError] == 1)
    }
}
