// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraCapture
import ObscuraMedia
import TestSupport
import Testing

@Suite struct LateFramesTests {
    @Test(
        .hangLimit,
        arguments: [
            (.latest, [9], 9), (.bounded(3), [7, 8, 9], 7), (.bounded(20), Array(0..<10), 0),
        ] as [(LateFramePolicy, [UInt64], UInt64)])
    func `A slow reader gets the newest frames in order, and the rest is counted late`(
        policy: LateFramePolicy, expected: [UInt64], late: UInt64
    ) async throws {
        let camera = HandCamera()
        let output = VideoDataOutput(latePolicy: policy)
        let session = try await CaptureSession.of(camera, [output])
        var frames = output.frames.makeAsyncIterator()
        try await session.start()
        try camera.give(10)
        #expect(camera.pictures.withLock { $0 } == expected.count)
        for sequence in expected { #expect(try await frames.next()?.sequence == sequence) }
        let books = try session.reader("video loop").frames
        #expect(books.dropped[.late] == late)
        #expect(books.inHand == 1)
        #expect(books.delivered == UInt64(expected.count - 1))
        #expect(books.isBalanced)
        await session.stop()
        #expect(try await frames.next() == nil)
        #expect(camera.pictures.withLock { $0 } == 0)
    }

    @Test(.hangLimit) func `A lossless reader has the source wait, and misses nothing`() async throws {
        let camera = HandCamera()
        let output = VideoDataOutput(latePolicy: .lossless(2))
        let session = try await CaptureSession.of(camera, [output])
        var frames = output.frames.makeAsyncIterator()
        try await session.start()
        let given = Count()
        let thread = WorkerThread(name: "giver") {
            for _ in 0..<50 {
                try? camera.give()
                given.add()
            }
        }
        for expected in 0..<50 as Range<UInt64> {
            #expect(await given.reaches(min(50, Int(expected) + 2)))
            // Two wait, one is being taken in; more there cannot be.
            #expect(given.now <= Int(expected) + 2)
            #expect(try await frames.next()?.sequence == expected)
        }
        #expect(await onThread { thread?.ends() } == true)
        #expect(try session.reader("video loop").frames.dropped.total == 0)
        await session.stop()
    }

    @Test(.hangLimit) func `A delegate is told of each frame it does not get, and why`() async throws {
        let camera = HandCamera()
        let output = VideoDataOutput()
        let gate = Count()
        let delegate = RecordingDelegate { _ in _ = gate.blocksUntil(1) }
        output.setDelegate(delegate)
        let session = try await CaptureSession.of(camera, [output])
        try await session.start()
        try camera.give()
        #expect(await delegate.frames.reaches(1))
        try camera.give(5)
        gate.add()
        #expect(await delegate.frames.reaches(2))
        #expect(await delegate.drops.reaches(4))
        #expect(delegate.sequences == [0, 5])
        #expect(delegate.dropped.allSatisfy { $0.reason == .late })
        #expect(delegate.dropped.map(\.count).reduce(0, +) == 4)
        #expect(delegate.dropped.last?.sequence == 4)
        await session.stop()
        session.expectBalance()
    }
}
