// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraCapture
import ObscuraMedia
import TestSupport
import Testing

/// A session gives its devices back for a while, and takes them again.
@Suite struct PauseTests {
    @Test(.hangLimit) func `A pause closes the device; the readers wait and go on afterwards`()
        async throws
    {
        let camera = HandCamera()
        let output = VideoDataOutput(latePolicy: .bounded(8))
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

    @Test(.hangLimit) func `A stop ends a paused session and its readers`() async throws {
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

    @Test(.hangLimit) func `A device that is refused after a pause leaves the session paused`()
        async throws
    {
        let isTaken = Lock(false)
        let camera = HandCamera(start: { format, _ in
            if isTaken.withLock({ $0 }) { throw ObscuraError(.capture, .deviceInUse, subject: "hand", reason: "taken") }
            return format
        })
        let output = VideoDataOutput()
        let session = try await CaptureSession.of(camera, [output])
        var frames = output.frames.makeAsyncIterator()
        try await session.start()
        await session.pause()
        isTaken.withLock { $0 = true }
        let error = await #expect(throws: ObscuraError.self) { try await session.resume() }
        #expect(error?.code == .deviceInUse)
        #expect(session.isPaused)
        isTaken.withLock { $0 = false }
        // A start is what everybody tries.
        try await session.start()
        try camera.give(1)
        #expect(try await frames.next() != nil)
        await session.stop()
    }

    @Test(.hangLimit) func `A stop that comes while the device opens again closes it`() async throws {
        let gate = Count()
        let hasBegun = Count()
        let camera = HandCamera(start: { format, run in
            hasBegun.add()
            if hasBegun.now > 1 { _ = gate.blocksUntil(1) }
            if run.cancels.now > 0 { throw ObscuraError(.capture, .cancelled, subject: "hand", reason: "cancelled") }
            return format
        })
        let session = try await CaptureSession.of(camera, [VideoDataOutput()])
        try await session.start()
        await session.pause()
        let resumption = Task {
            do throws(ObscuraError) {
                try await session.resume()
                return ObscuraError?.none
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

    @Test(.hangLimit, arguments: [false, true])
    func `A delegate that is taken out and put back during a pause gets frames again`(atOnce: Bool) async throws {
        let camera = HandCamera()
        let (output, other) = (VideoDataOutput(name: "moved"), VideoDataOutput(name: "kept"))
        let (delegate, witness) = (RecordingDelegate(), RecordingDelegate())
        output.setDelegate(delegate)
        other.setDelegate(witness)
        let session = try await CaptureSession.of(camera, [output, other])
        try await session.start()
        try camera.give(1)
        #expect(await delegate.frames.reaches(1))
        #expect(await witness.frames.reaches(1))
        await session.pause()
        if atOnce {
            try await session.configure {
                $0.removeOutput(output)
                try $0.addOutput(output)
            }
        } else {
            try await session.configure { $0.removeOutput(output) }
            try await session.configure { try $0.addOutput(output) }
        }
        try await session.resume()
        try camera.give(1)
        #expect(await delegate.frames.reaches(2))
        #expect(await witness.frames.reaches(2))
        await session.stop()
        // Who waited through the pause has one account.
        #expect(session.ledger.readers.filter { $0.name.hasPrefix("kept") }.map(\.frames.offered) == [2])
        session.expectBalance()
    }

    /// A camera, and a film that has three frames and then ends.
    private func filmed(
        _ camera: HandCamera, _ film: HandCamera, _ outputs: [VideoDataOutput]
    ) async throws -> CaptureSession {
        let session = CaptureSession()
        let inputs = try [camera, film].map { try CaptureDeviceInput(device: $0.device) }
        try await session.configure {
            for input in inputs { try $0.addInput(input) }
            for output in outputs { try $0.addOutput(output) }
            try $0.connect(outputs[1], to: inputs[1])
        }
        return session
    }

    @Test(.hangLimit) func `A film that had ended stays at its end, and what waits of it can be taken`()
        async throws
    {
        let (camera, film) = (HandCamera("camera"), HandCamera("film", mark: 2))
        let outputs = [VideoDataOutput(), VideoDataOutput(name: "film", latePolicy: .bounded(8))]
        let session = try await filmed(camera, film, outputs)
        var frames = outputs[0].frames.makeAsyncIterator()
        var filmed = outputs[1].frames.makeAsyncIterator()
        let delegate = RecordingDelegate()
        outputs[1].setDelegate(delegate)
        try await session.start()
        try film.give(3)
        film.sink?.finish(throwing: nil)
        #expect(await delegate.endings.reaches(1))
        #expect(try await filmed.next()?.sequence == 0)
        await session.pause()
        #expect(try await filmed.next()?.sequence == 1)
        try await session.resume()
        #expect(film.runs.count == 1)
        #expect(camera.runs.count == 2)
        #expect(try await filmed.next()?.sequence == 2)
        #expect(try await filmed.next() == nil)
        // Who comes now is told of the end at once.
        var late = outputs[1].frames.makeAsyncIterator()
        #expect(try await late.next() == nil)
        try camera.give(1)
        #expect(try await frames.next() != nil)
        camera.sink?.finish(throwing: nil)
        #expect(await becomes { !session.isRunning })
        #expect(delegate.endings.now == 1)
        // Another start begins again with both.
        try await session.start()
        #expect(film.runs.count == 2)
        await session.stop()
        session.expectBalance()
    }

    @Test(.hangLimit) func `Changes during a pause find a film at its end, or take it out`() async throws {
        let (camera, film) = (HandCamera("camera"), HandCamera("film", mark: 2))
        let outputs = [VideoDataOutput(), VideoDataOutput(name: "film", latePolicy: .bounded(8))]
        let session = try await filmed(camera, film, outputs)
        var filmed = outputs[1].frames.makeAsyncIterator()
        try await session.start()
        try film.give(1)
        film.sink?.finish(throwing: nil)
        await session.pause()
        let late = VideoDataOutput(name: "late")
        let delegate = RecordingDelegate()
        late.setDelegate(delegate)
        let input = try #require(session.inputs.last)
        try await session.configure {
            try $0.addOutput(late)
            try $0.connect(late, to: input)
        }
        #expect(await delegate.endings.reaches(1))
        #expect(try await filmed.next()?.mark == 2)
        #expect(try await filmed.next() == nil)
        try await session.configure { $0.removeInput(input) }
        try await session.resume()
        #expect(session.isRunning)
        #expect(film.runs.count == 1)
        #expect(session.ledger.inputs.filter { $0.device == "hand:film" }.map(\.isRunning) == [false])
        // What took from the film takes from the camera now.
        try camera.give(1)
        #expect(await delegate.frames.reaches(1))
        #expect(delegate.marks == [1])
        await session.stop()
        session.expectBalance()
    }

    @Test(.hangLimit) func `A session whose sources have all ended in a pause stops when it resumes`()
        async throws
    {
        let camera = HandCamera()
        let output = VideoDataOutput(latePolicy: .bounded(8))
        let session = try await CaptureSession.of(camera, [output])
        let events = EventRecord(session)
        var frames = output.frames.makeAsyncIterator()
        let (entered, gate) = (Count(), Count())
        try await session.start()
        try camera.give(1)
        // The end comes while the pause already waits for its turn.
        let change = Task {
            try await session.configure { _ in
                entered.add()
                _ = gate.blocksUntil(1)
            }
        }
        #expect(await entered.reaches(1))
        let pause = Task { await session.pause() }
        camera.sink?.finish(throwing: nil)
        gate.add()
        try await change.value
        await pause.value
        if session.isPaused { try await session.resume() }
        #expect(await becomes { events.all.last == "stopped" })
        #expect(camera.runs.count == 1)
        #expect(try await frames.next() != nil)
        #expect(try await frames.next() == nil)
        session.expectBalance()
    }
}
