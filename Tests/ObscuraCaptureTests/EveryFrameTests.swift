// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraCapture
import ObscuraMedia
import TestSupport
import Testing

@Suite struct EveryFrameTests {
    @Test(.hangLimit, arguments: [PixelSize(width: 320, height: 180), PixelSize(width: 64, height: 48)])
    func `Three hundred frames of the built-in camera come once each, in order and readable`(
        size: PixelSize
    ) async throws {
        let clock = ManualClock()
        let output = VideoDataOutput()
        let driver = PatternDriver(size: size, frameRate: FrameRate(1000))
        let session = try await CaptureSession.of(driver, [output], clock: clock)
        var frames = output.frames.makeAsyncIterator()
        try await session.start()
        for expected in 0..<300 as Range<UInt64> {
            let frame = try #require(try await frames.next())
            #expect(frame.sequence == expected)
            #expect(frame.presentationTime == frame.hostTime.mediaTime)
            #expect(PatternScene.readSequence(of: frame.buffer) == expected)
            #expect(await onThread { clock.nextDeadline(within: waitLimit) } != nil)
            if expected < 299 { clock.advance(by: .milliseconds(1)) }
        }
        await session.stop()
        #expect(try await frames.next() == nil)
        #expect(!session.isRunning)
        let books = try session.reader("video loop")
        #expect(books.frames.delivered == 300)
        session.expectBalance()
    }

    @Test(.hangLimit)
    func `In real time the built-in camera keeps its schedule, whatever frames a busy machine loses`() async throws {
        let size = isLongForm ? PixelSize(width: 1280, height: 720) : PixelSize(width: 320, height: 180)
        let count = isLongForm ? 300 : 10
        let output = VideoDataOutput(latePolicy: .bounded(90))
        let session = try await CaptureSession.of(PatternDriver(size: size), [output])
        var frames = output.frames.makeAsyncIterator()
        try await session.start()
        var last: VideoFrame?
        for _ in 0..<count {
            let frame = try #require(try await frames.next())
            #expect(PatternScene.readSequence(of: frame.buffer) == frame.sequence)
            if let last {
                try #require(frame.sequence > last.sequence)
                let step = MediaTime(value: Int64(frame.sequence - last.sequence), timescale: 30)
                // Each stamp is rounded to the nanosecond.
                #expect(abs((frame.presentationTime - last.presentationTime - step).nanoseconds) <= 1)
            }
            #expect(frame.hostTime <= .now)
            last = frame
        }
        await session.stop()
    }

    @Test(.hangLimit)
    func `By a clock that stands still a frame comes at each tick and at no other time`() async throws {
        let clock = ManualClock(now: HostTime(nanoseconds: 5_000_000_000))
        let output = VideoDataOutput(latePolicy: .bounded(100))
        let session = try await CaptureSession.of(
            PatternDriver(size: PixelSize(width: 64, height: 48), frameRate: FrameRate(25)), [output], clock: clock)
        var frames = output.frames.makeAsyncIterator()
        try await session.start()
        for tick in 0..<50 as Range<Int64> {
            let frame = try #require(try await frames.next())
            #expect(frame.hostTime.nanoseconds == 5_000_000_000 + tick * 40_000_000)
            let next = await onThread { clock.nextDeadline(within: waitLimit) }
            #expect(next?.nanoseconds == 5_000_000_000 + (tick + 1) * 40_000_000)
            clock.advance(by: .milliseconds(39))
            #expect(try session.reader("video loop").frames.waiting == 0)
            clock.advance(by: .milliseconds(1))
        }
        await session.stop()
    }

    @Test(.hangLimit)
    func `What nobody took for more than a second is a gap, also at a rate of one in two seconds`() async throws {
        let clock = ManualClock()
        let output = VideoDataOutput(latePolicy: .bounded(100))
        let session = try await CaptureSession.of(
            PatternDriver(size: PixelSize(width: 64, height: 48), frameRate: FrameRate(1, per: 2)), [output],
            clock: clock)
        var frames = output.frames.makeAsyncIterator()
        try await session.start()
        #expect(try await frames.next()?.sequence == 0)
        #expect(await onThread { clock.nextDeadline(within: waitLimit) } != nil)
        // 1.5 s late is not yet a whole frame late.
        clock.advance(by: .milliseconds(3500))
        #expect(try await frames.next()?.sequence == 1)
        #expect(await onThread { clock.nextDeadline(within: waitLimit) } != nil)
        clock.advance(by: .seconds(21))
        let late = try #require(try await frames.next())
        #expect(late.attachments.gap == late.sequence - 2)
        #expect(session.ledger.inputs.first?.gaps == late.attachments.gap)
        #expect(late.attachments.gap > 5)
        await session.stop()
    }

    @Test(.hangLimit)
    func `Very many small frames leave no memory behind`() async throws {
        if isLongForm {
            // Memory is that of the whole process: in one of its own.
            await #expect(processExitsWith: .success) { try await readSmallFrames(100_000, checksMemory: true) }
        } else {
            await #expect(processExitsWith: .success) { try await readSmallFrames(5_000, checksMemory: false) }
        }
    }
}

private func readSmallFrames(_ count: UInt64, checksMemory: Bool) async throws {
    do {
        let output = VideoDataOutput(latePolicy: .lossless)
        let driver = PatternDriver(size: PixelSize(width: 64, height: 48), isLive: false)
        let session = try await CaptureSession.of(driver, [output])
        var iterator = output.frames.makeAsyncIterator()
        try await session.start()
        var before = 0
        for expected in 0..<count {
            let frame = try #require(try await iterator.next())
            try #require(PatternScene.readSequence(of: frame.buffer) == expected)
            if expected == 1000 { before = OwnProcess.residentKilobytes() }
        }
        let growth = OwnProcess.residentKilobytes() - before
        if checksMemory { try #require(growth <= 2048, "it grew by \(growth) KiB") }
        await session.stop()
    }
    let isClean = await becomes { PixelBuffer.liveCount == 0 }
    try #require(isClean, "\(PixelBuffer.liveCount) pictures are left")
}
