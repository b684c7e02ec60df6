// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraCapture
import ObscuraMedia
import TestSupport
import Testing

@Suite struct EndOfSourceTests {
    private static let format = VideoFormat(pixelFormat: .gray8, width: 16, height: 16)
    private static let failure = ObscuraError(.capture, .unreadable, subject: "replay", reason: "it broke")

    private func replay(_ frames: Int, _ end: ReplayEvent.Kind) throws -> ReplayDriver {
        let picture = try PixelBuffer(format: .gray8, width: 16, height: 16)
        let rate = FrameRate(2000)
        return ReplayDriver(
            formats: [Self.format],
            script: ReplayEvent.frames(frames, of: picture, at: rate) + [
                ReplayEvent(at: (rate.frameDuration * Int64(frames)).duration, end)
            ])
    }

    @Test(.hangLimit, arguments: [0, 1, 2, 40])
    func `A loop ends after every frame of the source, and the session stops by itself`(count: Int) async throws {
        let output = VideoDataOutput(latePolicy: .lossless(2))
        let session = try await CaptureSession.of(try replay(count, .end), [output])
        let events = EventRecord(session)
        for run in 1...3 {
            var frames = output.frames.makeAsyncIterator()
            try await session.start()
            var sequences: [UInt64] = []
            while let frame = try await frames.next() { sequences.append(frame.sequence) }
            #expect(sequences == (0..<UInt64(count)).map { $0 })
            #expect(try await frames.next() == nil)
            #expect(await events.reaches(2 * run))
            #expect(!session.isRunning)
            #expect(session.inputs.first.flatMap { session.activeFormat(of: $0) } == nil)
        }
        #expect(events.all == ["started", "stopped", "started", "stopped", "started", "stopped"])
        session.expectBalance()
    }

    @Test(.hangLimit, arguments: [0, 1, 20])
    func `An error is thrown after the frames before it`(count: Int) async throws {
        let output = VideoDataOutput(latePolicy: .lossless(3))
        let session = try await CaptureSession.of(try replay(count, .error(Self.failure)), [output])
        let events = EventRecord(session)
        var frames = output.frames.makeAsyncIterator()
        try await session.start()
        for expected in 0..<UInt64(count) { #expect(try await frames.next()?.sequence == expected) }
        let error = await #expect(throws: ObscuraError.self) { try await frames.next() }
        #expect(error?.code == .unreadable)
        #expect(await events.reaches(3))
        #expect(events.all == ["started", "error: unreadable", "stopped"])
        #expect(try session.reader("video loop").frames.delivered == UInt64(count))
        session.expectBalance()
    }

    @Test(.hangLimit, arguments: [0, 1, 30], [false, true])
    func `A delegate is told of the end once, after the last frame`(count: Int, fails: Bool) async throws {
        let framesAtEnd = Lock<[Int]>([])
        let seen = Count()
        let delegate = RecordingDelegate(
            onFrame: { _ in seen.add() }, onEnd: { framesAtEnd.withLock { $0.append(seen.now) } })
        let output = VideoDataOutput(latePolicy: .lossless(2))
        output.setDelegate(delegate)
        let session = try await CaptureSession.of(
            try replay(count, fails ? .error(Self.failure) : .end), [output])
        for run in 1...2 {
            try await session.start()
            #expect(await delegate.endings.reaches(run))
            #expect(await becomes { !session.isRunning })
            #expect(framesAtEnd.withLock { $0 } == (1...run).map { $0 * count })
        }
        #expect(
            delegate.errors.map { $0?.code } == [ObscuraError.Code?](repeating: fails ? .unreadable : nil, count: 2))
        #expect(delegate.sequences == (0..<2).flatMap { _ in (0..<UInt64(count)).map { $0 } })
        session.expectBalance()
    }

    @Test(.hangLimit)
    func `A source that is read as fast as it is taken waits for a loop that begins after the start`() async throws {
        let camera = HandCamera(isLive: false)
        let output = VideoDataOutput(latePolicy: .lossless(2))
        let session = try await CaptureSession.of(camera, [output])
        try await session.start()
        _ = WorkerThread.detach(name: "giver") {
            try? camera.give(5)
            camera.sink?.finish(throwing: nil)
        }
        var sequences: [UInt64] = []
        for try await frame in output.frames { sequences.append(frame.sequence) }
        #expect(sequences == [0, 1, 2, 3, 4])
        #expect(await becomes { !session.isRunning })
    }

    @Test(.hangLimit) func `A replay gives the same frames each time`() async throws {
        let jpegless = try PixelBuffer(format: .gray8, width: 16, height: 16)
        let script = [
            ReplayEvent(at: .milliseconds(3), .frame(jpegless)), ReplayEvent(at: .zero, .frame(jpegless)),
            ReplayEvent(at: .milliseconds(1), .gap(4)), ReplayEvent(at: .milliseconds(1), .brokenFrame),
            ReplayEvent(at: .milliseconds(2), .clockJump(.seconds(-1))),
            ReplayEvent(at: .milliseconds(2), .frame(jpegless)),
            ReplayEvent(at: .milliseconds(4), .end),
        ]
        let driver = ReplayDriver(formats: [Self.format], script: script)
        var runs: [[String]] = []
        for _ in 0..<2 {
            let output = VideoDataOutput(latePolicy: .lossless)
            let clock = ManualClock()
            let session = try await CaptureSession.of(driver, [output], clock: clock)
            var frames = output.frames.makeAsyncIterator()
            try await session.start()
            let ticks = Task {
                while await onThread({ clock.nextDeadline(within: .seconds(1)) }) != nil {
                    clock.advance(by: .milliseconds(1))
                }
            }
            var lines: [String] = []
            while let frame = try await frames.next() {
                lines.append(
                    "\(frame.sequence) \(frame.presentationTime) gap \(frame.attachments.gap) "
                        + "\(frame.attachments.isDiscontinuity)")
            }
            await session.stop()
            runs.append(lines)
            ticks.cancel()
        }
        #expect(runs[0] == runs[1])
        #expect(runs[0].count == 3)
        #expect(runs[0].first?.hasPrefix("0 0 s gap") == true)
    }

    @Test(.hangLimit) func `The session stops if the only source that has not ended is removed`() async throws {
        let (first, second) = (HandCamera("first"), HandCamera("second"))
        let session = try await CaptureSession.of(first, [VideoDataOutput()])
        let other = try CaptureDeviceInput(device: second.device)
        try await session.configure { try $0.addInput(other) }
        let events = EventRecord(session)
        try await session.start()
        first.sink?.finish(throwing: nil)
        await session.settle()
        #expect(session.isRunning)
        try await session.configure { $0.removeInput(other) }
        #expect(!session.isRunning)
        #expect(await events.reaches(2))
        #expect(events.all == ["started", "stopped"])
        await session.stop()
    }

    @Test(.hangLimit) func `It stops as well if that source cannot be restarted`() async throws {
        let larger = VideoFormat(pixelFormat: .gray8, width: 16, height: 8, frameRate: FrameRate(30))
        let starts = Count()
        let first = HandCamera("first")
        let second = HandCamera(
            "second", formats: [HandCamera.small, larger],
            start: { format, _ in
                starts.add()
                guard starts.now == 1 else { throw Self.failure }
                return format
            })
        let session = try await CaptureSession.of(first, [VideoDataOutput()])
        let other = try CaptureDeviceInput(device: second.device)
        try await session.configure {
            try $0.addInput(other)
            try $0.setFormat(HandCamera.small, for: other)
        }
        let events = EventRecord(session)
        try await session.start()
        first.sink?.finish(throwing: nil)
        await #expect(throws: ObscuraError.self) {
            try await session.configure { try $0.setFormat(larger, for: other) }
        }
        #expect(!session.isRunning)
        #expect(await events.reaches(3))
        #expect(events.all == ["started", "error: unreadable", "stopped"])
        await session.stop()
    }
}
