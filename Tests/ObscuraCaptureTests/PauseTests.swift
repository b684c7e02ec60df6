// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraCapture
import ObscuraMedia
import TestSupport
import Testing

/// A session gives its devices back for a while, and takes them again.
@Suite struct PauseTests {
    @Test(.timeLimit(.minutes(1))) func `A pause closes the device; the readers wait and go on afterwards`()
        async throws
    {
        let camera = HandCamera()
        let output = VideoDataOutput(lateFrames: .bounded(8))
        let session = try await CaptureSession.of(camera, [output])
        let events = EventRecord(session)
        var frames = output.frames.makeAsyncIterator()
        try await session.start()
        try camera.give(1)
        #expect(try await frames.next()?.attachments.isDiscontinuity == false)
        await session.pause()
        #expect(session.isPaused)
        #expect(!session.isRunning)
        #expect(camera.runs.map { $0.stops.now >= 1 } == [true])
        await session.pause()
        try await session.resume()
        #expect(session.isRunning)
        #expect(camera.runs.count == 2)
        try camera.give(2)
        #expect(try await frames.next()?.attachments.isDiscontinuity == true)
        #expect(try await frames.next()?.attachments.isDiscontinuity == false)
        await session.stop()
        #expect(try await frames.next() == nil)
        #expect(await events.reaches(4))
        #expect(events.all == ["started", "paused", "resumed", "stopped"])
        session.expectBalance()
    }

    @Test(.timeLimit(.minutes(1))) func `A stop ends a paused session and its readers`() async throws {
        let camera = HandCamera()
        let output = VideoDataOutput()
        let session = try await CaptureSession.of(camera, [output])
        var frames = output.frames.makeAsyncIterator()
        try await session.start()
        await session.pause()
        await session.stop()
        #expect(!session.isPaused)
        #expect(try await frames.next() == nil)
        try await session.start()
        #expect(session.isRunning)
        await session.stop()
    }

    @Test(.timeLimit(.minutes(1))) func `A device that is refused after a pause leaves the session paused`()
        async throws
    {
        let isTaken = Lock(false)
        let camera = HandCamera(start: { format, _ in
            if isTaken.withLock({ $0 }) { throw CaptureError(.deviceInUse, subject: "hand", reason: "taken") }
            return format
        })
        let output = VideoDataOutput()
        let session = try await CaptureSession.of(camera, [output])
        var frames = output.frames.makeAsyncIterator()
        try await session.start()
        await session.pause()
        isTaken.withLock { $0 = true }
        let error = await #expect(throws: CaptureError.self) { try await session.resume() }
        #expect(error?.code == .deviceInUse)
        #expect(session.isPaused)
        isTaken.withLock { $0 = false }
        // A start is what everybody tries.
        try await session.start()
        try camera.give(1)
        #expect(try await frames.next() != nil)
        await session.stop()
    }

    @Test(.timeLimit(.minutes(1))) func `A stop that comes while the device opens again closes it`() async throws {
        let gate = Count()
        let hasBegun = Count()
        let camera = HandCamera(start: { format, run in
            hasBegun.add()
            if hasBegun.now > 1 { _ = gate.blocksUntil(1) }
            if run.cancels.now > 0 { throw CaptureError(.cancelled, subject: "hand", reason: "cancelled") }
            return format
        })
        let session = try await CaptureSession.of(camera, [VideoDataOutput()])
        try await session.start()
        await session.pause()
        let resumption = Task {
            do throws(CaptureError) {
                try await session.resume()
                return CaptureError?.none
            } catch { return error }
        }
        #expect(await hasBegun.reaches(2))
        let stop = Task { await session.stop() }
        #expect(await becomes { camera.runs[1].cancels.now > 0 })
        gate.add()
        await stop.value
        #expect(await resumption.value?.code == .cancelled)
        #expect(!session.isRunning)
        #expect(!session.isPaused)
        #expect(camera.runs[1].stops.now >= 1)
    }

    @Test func `A session that does not run is neither paused nor resumed`() async throws {
        let session = try await CaptureSession.of(HandCamera(), [VideoDataOutput()])
        await session.pause()
        #expect(!session.isPaused)
        try await session.resume()
        #expect(!session.isRunning)
    }
}
