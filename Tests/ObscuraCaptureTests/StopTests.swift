// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraBase
import ObscuraCapture
import ObscuraMedia
import TestSupport
import Testing

/// After a stop has returned, no new callback begins, whoever called it and whenever.
@Suite struct StopTests {
    private func endless() -> PatternDriver {
        PatternDriver(size: PixelSize(width: 64, height: 48), isLive: false)
    }

    @Test(.hangLimit, arguments: [false, true], [false, true])
    func `A delegate may stop the session from its callback, also when it waits for that`(
        waits: Bool, hasQueue: Bool
    ) async throws {
        let holder = Lock<CaptureSession?>(nil)
        let stopped = Count()
        let isFirst = Lock(true)
        let delegate = RecordingDelegate { _ in
            guard
                isFirst.withLock({ isFirst in
                    defer { isFirst = false }; return isFirst
                })
            else { return }
            Task {
                await holder.withLock { $0 }?.stop()
                stopped.add()
            }
            if waits { _ = stopped.blocksUntil(1) }
        }
        let output = VideoDataOutput(latePolicy: .lossless)
        output.setDelegate(delegate, on: hasQueue ? .queue(nil) : .arrival)
        let session = try await CaptureSession.of(endless(), [output])
        holder.withLock { $0 = session }
        let events = EventRecord(session)
        try await session.start()
        #expect(await stopped.reaches(1))
        let frames = delegate.frames.now
        #expect(!session.isRunning)
        #expect(await events.reaches(2))
        // Had it waited for its own callback, it would have been named.
        #expect(events.all == ["started", "stopped"])
        // Another start gives frames again, so the ones before were really over.
        try await session.start()
        #expect(await delegate.frames.reaches(frames + 20))
        await session.stop()
        session.expectBalance()
        holder.withLock { $0 = nil }
    }

    @Test(.hangLimit)
    func `A delegate and another thread may stop the session at the same time, and none waits for the other`()
        async throws
    {
        let holder = Lock<CaptureSession?>(nil)
        let hasStopped = Count()
        let delegate = RecordingDelegate { _ in
            Task {
                // The other stop waits for this callback by now.
                if await becomes({ holder.withLock { $0 }?.isRunning == false }) {
                    await holder.withLock { $0 }?.stop()
                }
                hasStopped.add()
            }
            _ = hasStopped.blocksUntil(1)
        }
        let output = VideoDataOutput()
        output.setDelegate(delegate)
        let camera = HandCamera()
        let session = try await CaptureSession.of(camera, [output])
        holder.withLock { $0 = session }
        let events = EventRecord(session)
        try await session.start()
        try camera.give()
        #expect(await delegate.frames.reaches(1))
        await session.stop()
        #expect(await hasStopped.reaches(1))
        #expect(await events.reaches(2))
        #expect(events.all == ["started", "stopped"])
        holder.withLock { $0 = nil }
    }

    @Test(.hangLimit) func `A delegate may remove its output from its callback, and then stop the session`()
        async throws
    {
        let holder = Lock<CaptureSession?>(nil)
        let (output, stopped) = (VideoDataOutput(), Count())
        let delegate = RecordingDelegate { _ in
            Task {
                let session = holder.withLock { $0 }
                try? await session?.configure { $0.removeOutput(output) }
                await session?.stop()
                stopped.add()
            }
            _ = stopped.blocksUntil(1)
        }
        output.setDelegate(delegate)
        let camera = HandCamera()
        let session = try await CaptureSession.of(camera, [output])
        holder.withLock { $0 = session }
        let events = EventRecord(session)
        try await session.start()
        try camera.give()
        #expect(await stopped.reaches(1))
        #expect(session.outputs.isEmpty)
        #expect(await events.reaches(2))
        // Had it waited for its own callback, it would have been named.
        #expect(events.all == ["started", "stopped"])
        holder.withLock { $0 = nil }
    }

    @Test(.hangLimit, arguments: [false, true])
    func `No frame is delivered before the session has started`(hasQueue: Bool) async throws {
        let holder = Lock<CaptureSession?>(nil)
        let (isFirst, begun, early) = (Lock(true), Count(), Count())
        let delegate = RecordingDelegate { _ in
            let isFirst = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            guard isFirst else { return }
            if holder.withLock({ $0 })?.isRunning == false { early.add() }
            begun.add()
        }
        let output = VideoDataOutput()
        output.setDelegate(delegate, on: hasQueue ? .queue(nil) : .arrival)
        // With many connections, a start goes on for a while after the first of them is ready.
        let others = (0..<500).map { _ in VideoDataOutput() }
        let session = try await CaptureSession.of(endless(), [output] + others)
        holder.withLock { $0 = session }
        for round in 1...(isLongForm ? 200 : 20) {
            isFirst.withLock { $0 = true }
            try await session.start()
            #expect(await begun.reaches(round))
            await session.stop()
        }
        #expect(early.now == 0)
        holder.withLock { $0 = nil }
    }

    @Test(.hangLimit) func `A loop may stop the session from its body`() async throws {
        let output = VideoDataOutput(latePolicy: .lossless)
        let session = try await CaptureSession.of(endless(), [output])
        try await session.start()
        var count = 0
        for try await _ in output.frames {
            count += 1
            if count == 5 { await session.stop() }
        }
        #expect(count == 5)
        #expect(try session.reader("video loop").frames.delivered == 5)
        session.expectBalance()
    }

    @Test(.hangLimit, arguments: [false, true])
    func `No callback begins after any of several stops at once has returned`(hasQueue: Bool) async throws {
        let delegate = RecordingDelegate()
        let output = VideoDataOutput(latePolicy: .lossless)
        output.setDelegate(delegate, on: hasQueue ? .queue(nil) : .arrival)
        let session = try await CaptureSession.of(endless(), [output])
        for _ in 0..<(isLongForm ? 300 : 60) {
            let before = delegate.frames.now
            try await session.start()
            #expect(await delegate.frames.reaches(before + 2))
            let counts = await withTaskGroup(of: Int.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        await session.stop()
                        return delegate.frames.now
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(!session.isRunning)
            #expect(counts.allSatisfy { $0 == delegate.frames.now })
        }
    }

    /// The caller of a stop reads the ledger next.
    @Test(.hangLimit, arguments: [false, true])
    func `A callback has been counted when a stop that waited for it returns`(hasQueue: Bool) async throws {
        for _ in 0..<(isLongForm ? 300 : 60) {
            let delegate = RecordingDelegate()
            let output = VideoDataOutput(latePolicy: .lossless)
            output.setDelegate(delegate, on: hasQueue ? .queue(nil) : .arrival)
            let session = try await CaptureSession.of(endless(), [output])
            try await session.start()
            #expect(await delegate.frames.reaches(2))
            await session.stop()
            let delivered = session.ledger.readers.reduce(0) { $0 + $1.frames.delivered }
            #expect(delivered == UInt64(delegate.frames.now))
        }
    }

    @Test(.hangLimit) func `Starts and stops from many tasks end where the last one says`() async throws {
        let delegate = RecordingDelegate()
        let output = VideoDataOutput()
        output.setDelegate(delegate)
        let session = try await CaptureSession.of(endless(), [output])
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<80 {
                group.addTask {
                    if index % 2 == 0 { try? await session.start() } else { await session.stop() }
                }
            }
        }
        await session.stop()
        #expect(!session.isRunning)
        try await session.start()
        #expect(session.isRunning)
        let before = delegate.frames.now
        #expect(await delegate.frames.reaches(before + 1))
        await session.stop()
        session.expectBalance()
    }

    @Test(.hangLimit) func `A stop during a start has the device give up, and the start says so`()
        async throws
    {
        let entered = Count()
        let isSlow = Lock(true)
        let camera = HandCamera(start: { format, run in
            guard isSlow.withLock({ $0 }) else { return format }
            entered.add()
            guard run.cancels.blocksUntil(1) else { return format }
            throw ObscuraError(.capture, .timedOut, subject: "hand", reason: "it gave up")
        })
        let output = VideoDataOutput()
        let session = try await CaptureSession.of(camera, [output])
        let start = Task { () async -> ObscuraError? in
            do throws(ObscuraError) { try await session.start() } catch { return error }
            return nil
        }
        #expect(await entered.reaches(1))
        await session.stop()
        #expect(!session.isRunning)
        #expect(await start.value?.code == .cancelled)
        #expect(camera.runs.last?.stops.now == 1)
        isSlow.withLock { $0 = false }
        try await session.start()
        #expect(session.isRunning)
        await session.stop()
    }

    @Test(.hangLimit) func `A stop during a change has the new device give up`() async throws {
        let entered = Count()
        let slow = HandCamera(
            "slow",
            start: { format, run in
                entered.add()
                guard run.cancels.blocksUntil(1) else { return format }
                throw ObscuraError(.capture, .timedOut, subject: "hand", reason: "it gave up")
            })
        let first = HandCamera("first")
        let session = try await CaptureSession.of(first, [VideoDataOutput()])
        try await session.start()
        let change = Task { () async -> ObscuraError? in
            do throws(ObscuraError) {
                try await session.configure {
                    for input in $0.inputs { $0.removeInput(input) }
                    try $0.addInput(CaptureDeviceInput(device: slow.device))
                }
            } catch {
                return error
            }
            return nil
        }
        #expect(await entered.reaches(1))
        await session.stop()
        #expect(!session.isRunning)
        #expect(await change.value?.code == .timedOut)
        #expect(first.runs.last?.stops.now == 1)
        #expect(session.inputs.first?.device == first.device)
    }

    @Test(.hangLimit) func `A stop while a permission is pending leaves the device alone`() async throws {
        let asked = Count()
        let answer = Count()
        let camera = HandCamera(
            authorizationStatus: .notDetermined,
            requestAccess: {
                asked.add()
                return await answer.reaches(1)
            })
        let session = try await CaptureSession.of(camera, [VideoDataOutput()])
        let start = Task { () async -> ObscuraError? in
            do throws(ObscuraError) { try await session.start() } catch { return error }
            return nil
        }
        #expect(await asked.reaches(1))
        await session.stop()
        answer.add()
        #expect(await start.value?.code == .cancelled)
        #expect(!session.isRunning)
        #expect(camera.runs.isEmpty)
    }

    @Test(.hangLimit) func `A permission that is denied ends the start with that error`() async throws {
        let camera = HandCamera(authorizationStatus: .notDetermined, requestAccess: { false })
        let session = try await CaptureSession.of(camera, [VideoDataOutput()])
        let error = await #expect(throws: ObscuraError.self) { try await session.start() }
        #expect(error?.code == .notAuthorized)
        #expect(error?.advice?.contains("administrator") == true)
        #expect(camera.runs.isEmpty)
        #expect(throws: ObscuraError.self) {
            try CaptureDeviceInput(device: HandCamera(authorizationStatus: .denied).device)
        }
    }

    @Test(.hangLimit)
    func `A callback that never returns does not hold a stop up for ever, and is named`() async throws {
        let gate = Count()
        let delegate = RecordingDelegate { _ in _ = gate.blocksUntil(1) }
        let output = VideoDataOutput(name: "stubborn")
        output.setDelegate(delegate)
        let camera = HandCamera()
        let session = try await CaptureSession.of(camera, [output])
        let events = EventRecord(session)
        try await session.start()
        try camera.give(3)
        #expect(await delegate.frames.reaches(1))
        // It returns while the callback still runs.
        await session.stop()
        #expect(gate.now == 0 && !session.isRunning)
        #expect(await events.reaches(3))
        #expect(events.all == ["started", "busy: stubborn", "stopped"])
        gate.add()
        #expect(await becomes { camera.pictures.withLock { $0 } == 0 })
        #expect(delegate.frames.now == 1)
        session.expectBalance()
    }

    @Test(.hangLimit)
    func `A stop after the source's own end keeps what still waits from the delegate`() async throws {
        let gate = Count()
        let delegate = RecordingDelegate { _ in _ = gate.blocksUntil(1) }
        let output = VideoDataOutput(latePolicy: .bounded(8))
        output.setDelegate(delegate)
        let camera = HandCamera()
        let session = try await CaptureSession.of(camera, [output])
        let events = EventRecord(session)
        try await session.start()
        try camera.give(5)
        #expect(await delegate.frames.reaches(1))
        camera.sink?.finish(throwing: nil)
        #expect(await events.reaches(2))
        #expect(events.all == ["started", "stopped"])
        let stop = Task { await session.stop() }
        #expect(await becomes { session.ledger.readers.allSatisfy { !$0.isAttached } })
        gate.add()
        await stop.value
        #expect(delegate.frames.now == 1)
        #expect(delegate.endings.now == 0)
        session.expectBalance()
    }

    @Test(.hangLimit)
    func `A stop before any start ends the loops that wait, and a start is still possible`()
        async throws
    {
        let camera = HandCamera()
        let output = VideoDataOutput()
        let session = try await CaptureSession.of(camera, [output])
        var frames = output.frames.makeAsyncIterator()
        await session.stop()
        #expect(try await frames.next() == nil)
        try await session.start()
        var others = output.frames.makeAsyncIterator()
        try camera.give()
        #expect(try await others.next()?.sequence == 0)
        await session.stop()
    }

    @Test(.hangLimit) func `A session that is let go of while it runs ends its loops and its camera`()
        async throws
    {
        let camera = HandCamera()
        let output = VideoDataOutput()
        var session: CaptureSession? = try await CaptureSession.of(camera, [output])
        try await session?.start()
        var frames = output.frames.makeAsyncIterator()
        try camera.give()
        #expect(try await frames.next() != nil)
        session = nil
        #expect(try await frames.next() == nil)
        #expect(await camera.runs.last?.stops.reaches(1) == true)
    }

    @Test(.hangLimit) func `Very many starts and stops leave no thread and no picture behind`() async {
        await #expect(processExitsWith: .success) {
            do {
                let delegate = RecordingDelegate()
                let output = VideoDataOutput()
                output.setDelegate(delegate)
                let driver = PatternDriver(size: PixelSize(width: 64, height: 48), isLive: false)
                let session = try await CaptureSession.of(driver, [output])
                for cycle in 0..<(isLongForm ? 1000 : 200) {
                    try await session.start()
                    if cycle % 2 == 0 {
                        var frames = output.frames.makeAsyncIterator()
                        let frame = try await frames.next()
                        try #require(frame != nil)
                    }
                    await session.stop()
                    let count = delegate.frames.now
                    await Task.yield()
                    try #require(delegate.frames.now == count)
                }
                try #require(session.ledger.readers.allSatisfy { $0.frames.isBalanced && !$0.isAttached })
            }
            let isClean = await becomes { PixelBuffer.liveCount == 0 && ownThreads().isEmpty }
            try #require(isClean, "\(PixelBuffer.liveCount) pictures, threads \(ownThreads())")
        }
    }
}

/// The names of the library's threads that run; those that convert pictures stay for the process.
private func ownThreads() -> [String] {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.compactMap { try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8) }
        .filter { $0.hasPrefix("obs-") && !$0.hasPrefix("obs-transform") }
}
