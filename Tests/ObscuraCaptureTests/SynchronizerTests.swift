// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraCapture

/// Which frames of several outputs make one set, and what becomes of the others.
@Suite struct SynchronizerTests {
    private func matcher(limit: Int) -> FrameMatcher<Int> {
        FrameMatcher(count: 2, tolerance: .milliseconds(10), patience: .seconds(100), limit: limit)
    }

    private func time(_ frame: Int) -> HostTime { HostTime(nanoseconds: Int64(frame) * 33_000_000) }

    @Test func `A full stream has no room until a set is decided, and what is let go is told`() {
        var matcher = matcher(limit: 2)
        for frame in 0..<2 { matcher.add(frame, at: time(frame), to: 0) }
        #expect(!matcher.hasRoom(for: 0))
        #expect(matcher.hasRoom(for: 1))
        #expect(matcher.next() == nil)
        matcher.add(2, at: time(2), to: 0)
        #expect(matcher.takeReleased().map(\.element) == [0])
        matcher.add(1, at: time(1), to: 1)
        #expect(matcher.next() == [1, 1])
        #expect(matcher.hasRoom(for: 0))
        #expect(matcher.takeReleased().isEmpty)
    }

    @Test func `Before its leader a full stream has room, as its older ones are of no use`() {
        var matcher = matcher(limit: 2)
        matcher.add(9, at: time(9), to: 0)
        for frame in 0..<2 { matcher.add(frame, at: time(frame), to: 1) }
        #expect(matcher.hasRoom(for: 1))
        matcher.add(9, at: time(9), to: 1)
        #expect(!matcher.hasRoom(for: 1))
        #expect(matcher.next() == [9, 9])
        #expect(matcher.takeReleased().map(\.element) == [0, 1])
    }

    @Test func `A leader that has ended is not kept for a stream that stalls`() {
        var matcher = matcher(limit: 4)
        matcher.add(1, at: time(1), to: 0)
        #expect(!matcher.isWaitingAfterLeader)
        matcher.end(0)
        #expect(matcher.isWaitingAfterLeader)
        #expect(matcher.next() == nil)
        #expect(matcher.next(isForced: true) == [1, nil])
        #expect(matcher.isAtEnd)
    }

    /// Two cameras, and an output of each.
    private func session(
        _ cameras: [HandCamera], _ policy: LateFramePolicy
    ) async throws -> (CaptureSession, [VideoDataOutput]) {
        let session = CaptureSession()
        let outputs = cameras.indices.map { VideoDataOutput(name: "output \($0)", latePolicy: policy) }
        try await session.configure { configuration in
            for (camera, output) in zip(cameras, outputs) {
                let input = try CaptureDeviceInput(device: camera.device)
                try configuration.addInput(input)
                try configuration.addOutput(output)
                try configuration.connect(output, to: input)
            }
        }
        return (session, outputs)
    }

    @Test(.hangLimit) func `A lossless leader loses nothing while the other camera opens`()
        async throws
    {
        let cameras = [HandCamera("a"), HandCamera("b")]
        let (session, outputs) = try await session(cameras, .lossless)
        let reading = SynchronizedReading(
            CaptureSynchronizer(outputs: outputs, patience: .seconds(100)), stallLimit: .seconds(100))
        try await session.start()
        let isGiven = Count()
        #expect(
            WorkerThread.detach(name: "leader") {
                try? cameras[0].give(20)
                isGiven.add()
            })
        let loop = Task {
            var sets: [[UInt64?]] = []
            while sets.count < 20, let set = try await reading.next() { sets.append(set.frames.map { $0?.sequence }) }
            return sets
        }
        // The leader's frames wait: in the matcher, in its flights and its mailbox. Its source waits then.
        #expect(await becomes { (try? session.reader("output 0").frames.waiting) == 4 })
        #expect(isGiven.now == 0)
        #expect(
            WorkerThread.detach(name: "other") { try? cameras[1].give(20) })
        #expect(try await loop.value == (0..<20).map { [$0, $0] })
        #expect(await isGiven.reaches(1))
        for name in ["output 0", "output 1"] {
            let books = try session.reader(name).frames
            #expect(books.dropped.total == 0)
            // The last set is not done with until the next one is asked for.
            #expect(books.delivered == 19)
            #expect(books.inHand == 1)
        }
        session.expectBalance()
        await session.stop()
    }

    @Test(.hangLimit) func `Frames that make no set are late, not delivered`() async throws {
        let cameras = [HandCamera("a"), HandCamera("b")]
        let (session, outputs) = try await session(cameras, .bounded(20))
        let reading = SynchronizedReading(CaptureSynchronizer(outputs: outputs, patience: .seconds(100)))
        try await session.start()
        try cameras[1].give(6)
        try cameras[0].give(at: MediaTime(value: 5, timescale: 30), sequence: 5)
        let set = try #require(try await reading.next())
        #expect(set.frames.map { $0?.sequence } == [5, 5])
        let books = try session.reader("output 1").frames
        #expect(books.dropped[.late] == 5)
        #expect(books.delivered == 0)
        #expect(books.inHand == 1)
        session.expectBalance()
        await session.stop()
        #expect(try await reading.next() == nil)
        #expect(try session.reader("output 1").frames.delivered == 1)
        session.expectBalance()
    }

    @Test(.hangLimit) func `The last frames of a leader come though the other camera is silent`()
        async throws
    {
        let cameras = [HandCamera("a"), HandCamera("b")]
        let (session, outputs) = try await session(cameras, .lossless)
        let reading = SynchronizedReading(
            CaptureSynchronizer(outputs: outputs, patience: .milliseconds(1)), stallLimit: .milliseconds(50))
        try await session.start()
        try cameras[0].give(1)
        cameras[0].sink?.finish(throwing: nil)
        let set = try #require(try await reading.next())
        #expect(set.frames[0]?.sequence == 0)
        #expect(set.frames[1] == nil)
        #expect(try await reading.next() == nil)
        await session.stop()
        session.expectBalance()
    }

    @Test(.hangLimit) func `Outputs of one camera with other rates do not wait for each other for ever`()
        async throws
    {
        let camera = HandCamera()
        let outputs = (0..<2).map { VideoDataOutput(name: "output \($0)", latePolicy: .lossless) }
        outputs[0].connection.frameStride = 40
        let session = try await CaptureSession.of(camera, outputs)
        let reading = SynchronizedReading(CaptureSynchronizer(outputs: outputs), stallLimit: .milliseconds(50))
        try await session.start()
        #expect(
            WorkerThread.detach(name: "camera") { try? camera.give(81) })
        var leaders: [UInt64] = []
        while leaders.count < 3, let set = try await reading.next() {
            leaders.append(try #require(set.frames[0]).sequence)
        }
        #expect(leaders == [0, 40, 80])
        await session.stop()
    }
}
