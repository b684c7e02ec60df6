// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraImaging
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraCapture

/// Many photos at an interval, by the frames' own times.
@Suite(.hangLimit) struct PhotoBurstTests {
    private func collect(_ burst: PhotoBurst) async throws -> [Photo] {
        var photos: [Photo] = []
        for try await photo in burst { photos.append(photo) }
        return photos
    }

    @Test func `a burst is exact: each photo is the frame of its moment, in order`() async throws {
        let stage = try await PhotoStage()
        try await stage.give(0..<5)
        let burst = try await stage.output.captureBurst(
            count: 6, interval: .milliseconds(100), pressedAt: stage.moment(of: 3))
        async let photos = collect(burst)
        try await stage.give(5..<25)
        let numbers = try await photos.map { try PhotoStage.number(of: $0) }
        #expect(numbers == [3, 6, 9, 12, 15, 18])
        #expect(await becomes { (try? stage.session.reader("photo"))?.held == 3 })
        await stage.stop()
    }

    @Test func `a burst of a live camera loses no photo`() async throws {
        let output = PhotoOutput()
        let begin = HostTime.now
        let clock = ManualClock(now: begin)
        let session = CaptureSession(clock: clock)
        try await session.configure { configuration in
            let driver = PatternDriver(size: PixelSize(width: 320, height: 240), frameRate: FrameRate(60))
            try configuration.addInput(CaptureDeviceInput(device: CaptureDevice(driver: driver)))
            try configuration.addOutput(output)
        }
        try await session.start()
        let burst = try await output.captureBurst(
            count: 8, interval: .milliseconds(50), pressedAt: begin + .milliseconds(1))
        // The next frame comes when the output has the one before.
        for number in 0..<24 {
            let due = try #require(clock.nextDeadline(within: waitLimit))
            let moment = begin + MediaTime(value: Int64(number), timescale: 60).duration
            try #require(await becomes { output.tap.last?.hostTime == moment })
            clock.advance(by: due - clock.now)
        }
        let photos = try await collect(burst)
        let sequences = photos.map(\.sequence)
        #expect(sequences.count == 8)
        #expect(zip(sequences, sequences.dropFirst()).allSatisfy { $1 == $0 + 3 }, "\(sequences)")
        #expect(try #require(session.ledger.readers.first).frames.dropped.total == 0)
        for photo in photos { #expect(try PhotoStage.number(of: photo) == photo.sequence) }
        await session.stop()
        session.expectBalance()
    }

    @Test func `a burst that nobody reads ends with an error, after the photos that wait`() async throws {
        let stage = try await PhotoStage()
        let burst = try await stage.output.captureBurst(count: 100, interval: .zero)
        #expect(await stage.waits())
        // One after the other is made, so that never too many are in hand.
        for number in 0..<64 {
            try await stage.give(number..<number + 1)
            #expect(await becomes { burst.run.waitingCount == number + 1 })
        }
        try await stage.give(64..<65)
        #expect(await stage.waits(0))
        var photos = 0
        let code = await PhotoStage.failure { for try await _ in burst { photos += 1 } }
        #expect(code == .outOfBuffers && photos == 64)
        await stage.stop()
    }

    @Test func `letting go of a burst, or cancelling its loop, ends it`() async throws {
        let stage = try await PhotoStage()
        var burst: PhotoBurst? = try await stage.output.captureBurst(count: 3, interval: .zero)
        #expect(await stage.waits())
        _ = burst
        burst = nil
        #expect(await stage.waits(0))
        let task = Task {
            var count = 0
            for try await _ in try await stage.output.captureBurst(count: 3, interval: .zero) { count += 1 }
            return count
        }
        #expect(await stage.waits())
        task.cancel()
        #expect(try await task.value == 0)
        #expect(await stage.waits(0))
        await stage.stop()
    }

    @Test func `a stop ends a burst after the photos that were taken`() async throws {
        let stage = try await PhotoStage()
        let burst = try await stage.output.captureBurst(count: 5, interval: .zero)
        #expect(await stage.waits())
        try await stage.give(0..<2)
        #expect(await becomes { burst.run.waitingCount == 2 })
        await stage.session.stop()
        var photos: [Photo] = []
        let code = await PhotoStage.failure { for try await photo in burst { photos.append(photo) } }
        #expect(code == .cancelled && photos.map(\.sequence) == [0, 1])
    }

    @Test func `two bursts at once do not disturb one another`() async throws {
        let stage = try await PhotoStage()
        try await stage.give(0..<1)
        let quick = try await stage.output.captureBurst(
            count: 4, interval: .milliseconds(67), pressedAt: stage.moment(of: 0))
        let slow = try await stage.output.captureBurst(
            count: 2, interval: .milliseconds(200), pressedAt: stage.moment(of: 0))
        async let first = collect(quick)
        async let second = collect(slow)
        try await stage.give(1..<9)
        #expect(try await first.map(\.sequence) == [0, 2, 4, 6])
        #expect(try await second.map(\.sequence) == [0, 6])
        await stage.stop()
    }

    @Test func `a burst of nothing is an error`() async throws {
        let stage = try await PhotoStage()
        let code = await PhotoStage.failure { try await stage.output.captureBurst(count: 0, interval: .zero) }
        #expect(code == .invalidConfiguration)
        await stage.stop()
    }
}
