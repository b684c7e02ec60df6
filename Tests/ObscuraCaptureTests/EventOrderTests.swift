// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraCapture
import ObscuraMedia
import TestSupport
import Testing

/// What a device tells while it is being opened is announced after the session's own word.
@Suite struct EventOrderTests {
    @Test(.hangLimit) func `A device that is waited for is interrupted after the session has started`()
        async throws
    {
        let camera = HandCamera(start: { format, run in
            run.sink?.interrupted(.deviceInUse)
            return format
        })
        let session = try await CaptureSession.of(camera, [VideoDataOutput()])
        let events = EventRecord(session)
        try await session.start()
        await session.pause()
        try await session.resume()
        await session.stop()
        #expect(await events.reaches(6))
        #expect(
            events.all == [
                "started", "interrupted: deviceInUse", "paused", "resumed", "interrupted: deviceInUse", "stopped",
            ])
    }

    @Test(.hangLimit) func `A camera that comes into a running session may be interrupted at once`()
        async throws
    {
        let session = try await CaptureSession.of(HandCamera("first"), [VideoDataOutput()])
        let events = EventRecord(session)
        try await session.start()
        let second = HandCamera(
            "second",
            start: { format, run in
                run.sink?.interrupted(.deviceInUse)
                return format
            })
        try await session.configure { try $0.addInput(CaptureDeviceInput(device: second.device)) }
        second.sink?.resumed()
        await session.stop()
        #expect(await events.reaches(4))
        #expect(events.all == ["started", "interrupted: deviceInUse", "interruption ended", "stopped"])
    }

    @Test(.hangLimit) func `An interruption that is over before the start is announced is not told`()
        async throws
    {
        let camera = HandCamera(start: { format, run in
            for reason in InterruptionReason.allCases {
                run.sink?.interrupted(reason)
                run.sink?.interrupted(.stalled)
                run.sink?.resumed()
            }
            return format
        })
        let session = try await CaptureSession.of(camera, [VideoDataOutput()])
        let events = EventRecord(session)
        try await session.start()
        camera.sink?.interrupted(.stalled)
        await session.stop()
        #expect(await events.reaches(3))
        #expect(events.all == ["started", "interrupted: stalled", "stopped"])
    }

    @Test(.hangLimit) func `What an old run still tells after a pause is not announced`() async throws {
        let camera = HandCamera()
        let session = try await CaptureSession.of(camera, [VideoDataOutput()])
        let events = EventRecord(session)
        try await session.start()
        let sink = camera.sink
        await session.pause()
        sink?.interrupted(.deviceDisconnected)
        await session.stop()
        #expect(sink != nil)
        #expect(await events.reaches(3))
        #expect(events.all == ["started", "paused", "stopped"])
    }
}
