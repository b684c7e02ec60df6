// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraCapture
import ObscuraMedia
import TestSupport
import Testing

/// What goes wrong with a device is seen, named and counted.
@Suite struct FaultTests {
    private func run(_ kinds: [ReplayEvent.Kind]) async throws -> ([VideoFrame], CaptureSession, [String]) {
        let script = (kinds + [.end]).enumerated().map { ReplayEvent(at: .milliseconds($0.offset + 1), $0.element) }
        let driver = ReplayDriver(
            formats: [VideoFormat(pixelFormat: .gray8, width: 16, height: 16)], script: script)
        let output = VideoDataOutput(latePolicy: .bounded(100), leaseLimit: 100)
        let clock = ManualClock(now: .now)
        let session = try await CaptureSession.of(driver, [output], clock: clock)
        let events = EventRecord(session)
        var iterator = output.frames.makeAsyncIterator()
        try await session.start()
        // Not before: an interruption that is over before the session has announced its start is not told.
        #expect(clock.nextDeadline(within: waitLimit) != nil)
        clock.advance(by: .seconds(1))
        var frames: [VideoFrame] = []
        while let frame = try await iterator.next() { frames.append(frame) }
        #expect(await becomes { events.all.last == "stopped" })
        session.expectBalance()
        return (frames, session, events.all)
    }

    private func picture() throws -> ReplayEvent.Kind {
        .frame(try PixelBuffer(format: .gray8, width: 16, height: 16))
    }

    @Test(.hangLimit, arguments: [InterruptionReason.stalled, .deviceDisconnected])
    func `An interruption is announced once, and so is its end, with a discontinuity`(
        reason: InterruptionReason
    ) async throws {
        let fault: ReplayEvent.Kind = reason == .stalled ? .stall : .unplug
        let (frames, _, events) = try await run([picture(), fault, fault, picture(), picture()])
        #expect(events == ["started", "interrupted: \(reason.rawValue)", "interruption ended", "stopped"])
        #expect(frames.map(\.attachments.isDiscontinuity) == [false, true, false])
    }

    @Test(.hangLimit) func `A clock that jumps back begins a new timeline`() async throws {
        let (frames, _, _) = try await run([picture(), .clockJump(.seconds(-5)), picture(), picture()])
        #expect(frames.map(\.attachments.isDiscontinuity) == [false, true, false])
        #expect(frames[1].presentationTime < frames[0].presentationTime)
    }

    @Test(.hangLimit) func `Gaps are counted, and shown with the frame behind them`() async throws {
        let (frames, session, _) = try await run([picture(), .gap(3), picture(), picture(), .gap(1), picture()])
        #expect(frames.map(\.sequence) == [0, 4, 5, 7])
        #expect(frames.map(\.attachments.gap) == [0, 3, 0, 1])
        let input = try #require(session.ledger.inputs.first)
        #expect((input.received, input.gaps, input.lost) == (4, 4, 0))
        #expect(try session.reader("video loop").frames.offered == 4)
    }

    @Test(.hangLimit) func `A broken frame is a deviceError of each reader, and no gap`() async throws {
        let (frames, session, _) = try await run([
            picture(), .brokenFrame, .brokenFrame, picture(), .gap(2), .brokenFrame, picture(),
        ])
        #expect(frames.map(\.sequence) == [0, 3, 7])
        #expect(frames.map(\.attachments.gap) == [0, 0, 2])
        let input = try #require(session.ledger.inputs.first)
        #expect((input.received, input.gaps, input.lost) == (3, 2, 3))
        let books = try session.reader("video loop").frames
        #expect(books.dropped[.deviceError] == 3)
        #expect(books.offered == 6)
    }

    @Test(.hangLimit) func `Gaps before broken frames are counted, whatever their numbers`()
        async throws
    {
        let camera = HandCamera()
        let output = VideoDataOutput(latePolicy: .bounded(100))
        let delegate = RecordingDelegate()
        output.setDelegate(delegate)
        let session = try await CaptureSession.of(camera, [output])
        try await session.start()
        // Before the first one only the driver knows what is missing.
        camera.sink?.loseFrame(sequence: 2, gap: 2)
        camera.sink?.loseFrame(sequence: 5)
        camera.sink?.loseFrame()
        #expect(try #require(session.ledger.inputs.first).gaps == 4)
        try camera.give(at: .zero, sequence: 8)
        camera.sink?.loseFrame(sequence: 9)
        try camera.give(at: .zero, sequence: 10)
        // Numbers that go back, and the last one that there is.
        camera.sink?.loseFrame(sequence: 3)
        camera.sink?.loseFrame(sequence: .max - 1, gap: .max)
        camera.sink?.loseFrame()
        #expect(await delegate.frames.reaches(2))
        #expect(await delegate.drops.reaches(7))
        let lost = delegate.dropped.flatMap { drop in (0..<drop.count).map { _ in drop.reason } }
        #expect(lost == [DropReason](repeating: .deviceError, count: 7))
        let input = try #require(session.ledger.inputs.first)
        #expect((input.received, input.lost) == (2, 7))
        #expect(input.gaps == UInt64.max)
        await session.stop()
        session.expectBalance()
    }

    @Test(.hangLimit) func `A broken frame is told by its number`() async throws {
        let camera = HandCamera()
        let output = VideoDataOutput(latePolicy: .bounded(100))
        let delegate = RecordingDelegate()
        output.setDelegate(delegate)
        let session = try await CaptureSession.of(camera, [output])
        var frames = output.frames.makeAsyncIterator()
        try await session.start()
        camera.sink?.loseFrame(sequence: 4, gap: 4)
        #expect(await delegate.drops.reaches(1))
        try camera.give(at: .zero, sequence: 6)
        #expect(try await frames.next()?.attachments.gap == 5)
        camera.sink?.loseFrame(sequence: 9)
        #expect(await delegate.drops.reaches(2))
        try camera.give(at: .zero, sequence: 10)
        #expect(try await frames.next()?.attachments.gap == 2)
        #expect(delegate.dropped.map(\.sequence) == [4, 9])
        #expect(try #require(session.ledger.inputs.first).gaps == 7)
        await session.stop()
        session.expectBalance()
    }

    @Test(.hangLimit) func `Numbers at the very end of their range are numbers`() async throws {
        let camera = HandCamera()
        let output = VideoDataOutput(latePolicy: .bounded(100))
        let session = try await CaptureSession.of(camera, [output])
        var frames = output.frames.makeAsyncIterator()
        try await session.start()
        for sequence in [.max - 1, .max, 0, 1] as [UInt64] { try camera.give(at: .zero, sequence: sequence) }
        camera.sink?.loseFrame()
        for expected in [.max - 1, .max, 0, 1] as [UInt64] {
            let frame = try #require(try await frames.next())
            #expect(frame.sequence == expected)
            #expect(frame.attachments.gap == 0)
        }
        for time in [Int64.max, .min, 0] {
            try camera.give(at: MediaTime(value: time, timescale: 1))
            #expect(try await frames.next()?.presentationTime.value == time)
        }
        await session.stop()
    }

    @Test(.hangLimit) func `What a driver says after the stop is not heard`() async throws {
        let camera = HandCamera()
        let output = VideoDataOutput()
        let session = try await CaptureSession.of(camera, [output])
        let events = EventRecord(session)
        try await session.start()
        try camera.give()
        let sink = camera.sink
        await session.stop()
        #expect(sink != nil && sink === camera.sink)
        try camera.give(3)
        camera.sink?.loseFrame()
        camera.sink?.finish(throwing: ObscuraError(.capture, .deviceFailed, subject: "hand", reason: "too late"))
        try await session.start()
        await session.stop()
        #expect(await events.reaches(4))
        #expect(events.all == ["started", "stopped", "started", "stopped"])
        #expect(camera.pictures.withLock { $0 } == 0)
    }
}
