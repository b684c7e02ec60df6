// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraCapture
import ObscuraMedia
import TestSupport
import Testing

/// One reader that does not read is nobody else's trouble.
@Suite struct IndependenceTests {
    private static let frames = 100

    /// Nine outputs with delegates that take every frame, beside what `stuck` does to the tenth.
    private func expectNineLoseNothing(
        stuck: VideoDataOutput, _ body: (CaptureSession) async throws -> Void
    ) async throws {
        let camera = HandCamera()
        let delegates = (0..<9).map { _ in RecordingDelegate() }
        let outputs = delegates.enumerated().map { index, delegate in
            let output = VideoDataOutput(name: "free \(index)")
            output.setDelegate(delegate)
            return output
        }
        let session = try await CaptureSession.of(camera, [stuck] + outputs)
        try await session.start()
        for count in 1...Self.frames {
            try camera.give()
            for delegate in delegates { #expect(await delegate.frames.reaches(count)) }
        }
        for delegate in delegates { #expect(delegate.sequences == (0..<UInt64(Self.frames)).map { $0 }) }
        for reader in session.ledger.readers where reader.name.hasPrefix("free") {
            #expect(reader.frames.offered == UInt64(Self.frames))
            #expect(reader.frames.dropped.total == 0)
        }
        session.expectBalance()
        try await body(session)
        await session.stop()
        session.expectBalance()
    }

    @Test(.hangLimit) func `Nine outputs lose nothing beside a loop that is suspended`() async throws {
        let stuck = VideoDataOutput(name: "stuck")
        let loop = stuck.frames.makeAsyncIterator()
        try await expectNineLoseNothing(stuck: stuck) { session in
            let books = try session.reader("stuck").frames
            #expect(books.dropped[.late] == UInt64(Self.frames - 1))
            #expect(books.waiting == 1)
        }
        withExtendedLifetime(loop) {}
    }

    @Test(.hangLimit) func `Nine outputs lose nothing beside a delegate that blocks`() async throws {
        let stuck = VideoDataOutput(name: "stuck")
        let gate = Count()
        let delegate = RecordingDelegate { _ in _ = gate.blocksUntil(1) }
        stuck.setDelegate(delegate)
        try await expectNineLoseNothing(stuck: stuck) { session in
            let books = try session.reader("stuck").frames
            #expect(books.dropped[.late] == UInt64(Self.frames) - books.waiting - books.inHand)
            #expect(books.inHand == 1)
            gate.add()
        }
    }

    @Test(.hangLimit)
    func `Delegates and a loop on an executor of its own lose nothing while tasks fill Swift's executor`() async {
        // Here every test's tasks would be held up: in a process of its own.
        await #expect(processExitsWith: .success) {
            let camera = HandCamera()
            let delegate = RecordingDelegate()
            let output = VideoDataOutput(pixelFormat: .bgra)
            output.setDelegate(delegate)
            let session = try await CaptureSession.of(camera, [output])
            let loop = VideoDataOutput(name: "loop")
            try await session.configure { try $0.addOutput(loop) }
            let looped = Count()
            let task = Task(executorPreference: ThreadExecutor()) {
                for try await _ in loop.frames { looped.add() }
            }
            try await session.start()
            let isAttached = await becomes { session.ledger.readers.contains { $0.name.hasPrefix("loop") } }
            try #require(isAttached)

            let gate = Count()
            let (filled, emptied) = (Count(), Count())
            // More than the executor has threads.
            let taskCount = WorkerPool.coreCount + 16
            for _ in 0..<taskCount {
                Task.detached {
                    filled.add()
                    _ = gate.blocksUntil(1)
                    emptied.add()
                }
            }
            // From here on nothing is awaited: this thread drives the camera.
            for count in 1...50 {
                try camera.give()
                try #require(delegate.frames.blocksUntil(count), "the delegate is stuck")
                try #require(looped.blocksUntil(count), "the loop is stuck")
            }
            try #require(filled.now < taskCount, "the executor was never full")
            gate.add()
            await session.stop()
            try await task.value
            try #require(delegate.sequences == (0..<50).map { $0 })
            // Tasks that have not ended when the process does would look like a leak.
            try #require(await emptied.reaches(taskCount))
        }
    }

    @Test(.hangLimit) func `A hoarder gets no more, is named, and harms only itself`() async throws {
        let camera = HandCamera()
        let hoarder = VideoDataOutput(name: "hoarder", leaseLimit: 4)
        let quick = VideoDataOutput(name: "quick")
        let hoard = Lock<[VideoFrame]>([])
        let keeper = RecordingDelegate { frame in hoard.withLock { $0.append(frame) } }
        let reader = RecordingDelegate()
        hoarder.setDelegate(keeper)
        quick.setDelegate(reader)
        let session = try await CaptureSession.of(camera, [hoarder, quick])
        try await session.start()
        for count in 1...60 {
            try camera.give()
            #expect(await reader.frames.reaches(count))
            if count <= 4 { #expect(await keeper.frames.reaches(count)) }
        }
        let books = try session.reader("hoarder")
        #expect(books.held == 4)
        #expect(try #require(books.heldFor) > .zero)
        #expect(books.frames.delivered + books.frames.inHand == 4)
        #expect(books.frames.dropped[.outOfBuffers] + books.frames.waiting == 56)
        #expect(try session.reader("quick").frames.dropped.total == 0)
        // What the delegates still have: the hoard, and the quick one's last.
        #expect(await becomes { camera.pictures.withLock { $0 } <= 6 })

        // Letting go of one frame lets one frame in again.
        hoard.withLock { _ = $0.removeFirst() }
        try camera.give()
        #expect(await keeper.frames.reaches(5))
        #expect(await becomes { (try? session.reader("hoarder").held) == 4 })
        await session.stop()
        session.expectBalance()
        hoard.withLock { $0.removeAll() }
        #expect(await becomes { camera.pictures.withLock { $0 } == 0 })
        #expect(try session.reader("hoarder").held == 0)
    }

    @Test(.hangLimit)
    func `A device with four buffers never starves for a hoarder: frames are copied instead`() async throws {
        let clock = ManualClock()
        let picture = try PixelBuffer(format: .gray8, width: 16, height: 16)
        let driver = ReplayDriver(
            formats: [VideoFormat(pixelFormat: .gray8, width: 16, height: 16)],
            script: ReplayEvent.frames(60, of: picture, at: FrameRate(100)), bufferCount: 4)
        let hoarder = VideoDataOutput(name: "hoarder", leaseLimit: 8)
        let quick = VideoDataOutput(name: "quick")
        let hoard = Lock<[VideoFrame]>([])
        let keeper = RecordingDelegate { frame in hoard.withLock { $0.append(frame) } }
        hoarder.setDelegate(keeper)
        let reader = RecordingDelegate()
        quick.setDelegate(reader)
        let session = try await CaptureSession.of(driver, [hoarder, quick], clock: clock)
        try await session.start()
        for count in 1...60 {
            #expect(await reader.frames.reaches(count))
            if count < 60 { #expect(await onThread { clock.nextDeadline(within: waitLimit) } != nil) }
            clock.advance(by: .milliseconds(10))
        }
        let input = try #require(session.ledger.inputs.first)
        #expect(input.received == 60)
        #expect(input.gaps == 0)
        #expect(input.lost == 0)
        #expect(input.copied >= 50)
        #expect(reader.sequences == (0..<60).map { $0 })
        #expect(try session.reader("hoarder").held == 8)
        await session.stop()
        hoard.withLock { $0.removeAll() }
        withExtendedLifetime(keeper) {}
    }
}

/// One thread. An actor's own executor would not do: Swift resumes a continuation on the global executor, unless
/// the task prefers another.
private final class ThreadExecutor: TaskExecutor {
    private let pool = WorkerPool(name: "loop", threads: 1)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        pool.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
