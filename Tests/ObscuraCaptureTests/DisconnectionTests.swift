// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraCapture
import ObscuraMedia
import TestSupport
import Testing

/// What a session does when its camera is unplugged.
@Suite struct DisconnectionTests {
    private func session(
        _ camera: HandCamera, _ output: VideoDataOutput, _ policy: CaptureDeviceInput.DisconnectionPolicy
    ) async throws -> CaptureSession {
        let session = CaptureSession()
        try await session.configure {
            try $0.addInput(CaptureDeviceInput(device: camera.device, whenDisconnected: policy))
            try $0.addOutput(output)
        }
        return session
    }

    @Test(.hangLimit) func `The reader waits for the camera, unless told otherwise`() async throws {
        let (camera, output) = (HandCamera(), VideoDataOutput(latePolicy: .bounded(4)))
        let session = try await session(camera, output, .wait)
        var frames = output.frames.makeAsyncIterator()
        try await session.start()
        camera.sink?.interrupted(.deviceDisconnected)
        await session.settle()
        #expect(session.isRunning)
        camera.sink?.resumed()
        try camera.give(1)
        #expect(try await frames.next()?.attachments.isDiscontinuity == true)
        await session.stop()
    }

    @Test(.hangLimit) func `It ends the readers with an error, and the session, where that is asked for`()
        async throws
    {
        let (camera, output) = (HandCamera(), VideoDataOutput())
        let session = try await session(camera, output, .end)
        let events = EventRecord(session)
        var frames = output.frames.makeAsyncIterator()
        try await session.start()
        camera.sink?.interrupted(.deviceDisconnected)
        let error = await #expect(throws: ObscuraError.self) { _ = try await frames.next() }
        #expect(error?.code == .deviceDisconnected)
        #expect(await events.reaches(4))
        #expect(
            events.all == ["started", "interrupted: deviceDisconnected", "error: deviceDisconnected", "stopped"])
        #expect(camera.runs[0].stops.now >= 1)
    }

    @Test(.hangLimit) func `It does not wait for a consumer of sound, which gets all of it before the error`()
        async throws
    {
        let microphone = HandMicrophone()
        var form = microphone.format
        form.isInterleaved = false
        let output = AudioDataOutput(format: form, latePolicy: .lossless(1))
        let session = CaptureSession()
        try await session.configure {
            let device = CaptureDevice(driver: microphone)
            try $0.addInput(CaptureDeviceInput(device: device, whenDisconnected: .end))
            try $0.addOutput(output)
        }
        let events = EventRecord(session)
        var buffers = output.buffers.makeAsyncIterator()
        try await session.start()
        // The converter keeps the second one back, and the queue is full.
        microphone.give(2)
        microphone.sink?.interrupted(.deviceDisconnected)
        #expect(await events.reaches(4))
        #expect(events.all.last == "stopped")
        #expect(try await buffers.next()?.position == 0)
        #expect(try await buffers.next()?.position == 2)
        let error = await #expect(throws: ObscuraError.self) { _ = try await buffers.next() }
        #expect(error?.code == .deviceDisconnected)
        session.expectBalance()
    }

    @Test(.hangLimit) func `It takes another camera, where that is asked for, and its readers go over`()
        async throws
    {
        let (camera, spare) = (HandCamera("first", mark: 1), HandCamera("spare", mark: 2))
        let output = VideoDataOutput(latePolicy: .bounded(4))
        let session = try await session(camera, output, .switchTo { _ in spare.device })
        var frames = output.frames.makeAsyncIterator()
        try await session.start()
        camera.sink?.interrupted(.deviceDisconnected)
        await session.settle()
        #expect(session.inputs.map(\.device) == [spare.device])
        try spare.give(2)
        let first = try #require(try await frames.next())
        #expect(first.mark == 2)
        #expect(first.attachments.isDiscontinuity)
        #expect(try await frames.next()?.attachments.isDiscontinuity == false)
        #expect(camera.runs[0].stops.now >= 1)
        await session.stop()
        session.expectBalance()
    }

    @Test(.hangLimit) func `Another camera that refuses is told, and the first one is waited for`()
        async throws
    {
        let camera = HandCamera()
        let spare = HandCamera(
            "spare",
            start: { _, _ in
                throw ObscuraError(.capture, .deviceInUse, subject: "spare", reason: "taken")
            })
        let output = VideoDataOutput(latePolicy: .bounded(4))
        let session = try await session(camera, output, .switchTo { _ in spare.device })
        let events = EventRecord(session)
        var frames = output.frames.makeAsyncIterator()
        try await session.start()
        camera.sink?.interrupted(.deviceDisconnected)
        #expect(await events.reaches(3))
        #expect(events.all.last == "refused: deviceInUse")
        camera.sink?.resumed()
        try camera.give(1)
        #expect(try await frames.next() != nil)
        await session.stop()
    }

    @Test func `A camera takes the place of another with its connections`() async throws {
        let cameras = [HandCamera("a"), HandCamera("b"), HandCamera("c")]
        let inputs = try cameras.map { try CaptureDeviceInput(device: $0.device) }
        let outputs = [VideoDataOutput(), VideoDataOutput()]
        let session = CaptureSession()
        try await session.configure {
            for input in inputs.prefix(2) { try $0.addInput(input) }
            for output in outputs { try $0.addOutput(output) }
            try $0.connect(outputs[1], to: inputs[1])
        }
        try await session.configure { try $0.replaceInput(inputs[1], with: inputs[2]) }
        #expect(session.inputs == [inputs[0], inputs[2]])
        #expect(outputs[1].connection.input == inputs[2])
        let error = await #expect(throws: ObscuraError.self) {
            try await session.configure { try $0.replaceInput(inputs[1], with: inputs[0]) }
        }
        #expect(error?.code == .invalidConfiguration)
    }

    /// What comes before the policy's turn on the session's thread.
    enum Meanwhile: CaseIterable {
        case `return`, stop, pause
    }

    @Test(.hangLimit, arguments: [false, true], Meanwhile.allCases)
    func `A policy whose turn comes when its camera is back, or the session is not running, does nothing`(
        ends: Bool, meanwhile: Meanwhile
    ) async throws {
        let (camera, spare, chosen) = (HandCamera("first"), HandCamera("spare", mark: 2), Count())
        let output = VideoDataOutput(latePolicy: .bounded(4))
        let policy = CaptureDeviceInput.DisconnectionPolicy.switchTo { _ in
            chosen.add()
            return spare.device
        }
        let session = try await session(camera, output, ends ? .end : policy)
        let events = EventRecord(session)
        try await session.start()
        let (entered, gate) = (Count(), Count())
        let change = Task {
            try await session.configure { _ in
                entered.add()
                _ = gate.blocksUntil(1)
            }
        }
        #expect(await entered.reaches(1))
        let run = camera.runs[0]
        let before = Task {
            switch meanwhile {
            case .return: break
            case .stop: await session.stop()
            case .pause: await session.pause()
            }
        }
        switch meanwhile {
        case .return:
            run.sink?.interrupted(.deviceDisconnected)
            run.sink?.resumed()
        case .stop:
            #expect(await becomes { !session.isRunning })
            run.sink?.interrupted(.deviceDisconnected)
        case .pause: break
        }
        gate.add()
        try await change.value
        await before.value
        if meanwhile == .pause { run.sink?.interrupted(.deviceDisconnected) }
        await session.settle()
        #expect(chosen.now == 0)
        #expect(spare.runs.isEmpty)
        #expect(session.inputs.map(\.device) == [camera.device])
        #expect(run.stops.now == (meanwhile == .return ? 0 : 1))
        await session.stop()
        #expect(await becomes { events.all.last == "stopped" })
        #expect(!events.all.contains("error: deviceDisconnected"))
    }
}
