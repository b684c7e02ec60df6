// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import ObscuraMedia
import TestSupport
import Testing

/// vivid's own error injections: each has its event, its error and its recovery.
@Suite("Faults of a camera", .guest, .serialized)
struct CameraFaultTests {
    private let camera: VividCamera

    init() throws {
        camera = try #require(try VividCamera.all().first)
    }

    /// A session that runs, and a reader of it that has its first frame.
    private func running(
        _ latePolicy: LateFramePolicy = .bounded(64)
    ) async throws -> (CameraSession, VideoDataOutput.Frames.Iterator) {
        let output = VideoDataOutput(latePolicy: latePolicy)
        let run = try await CameraSession(camera.path, outputs: [output])
        var frames = output.frames.makeAsyncIterator()
        try await run.session.start()
        _ = try #require(try await frames.next())
        return (run, frames)
    }

    @Test("What the driver drops is counted as the driver's, not as ours")
    func dropped() async throws {
        try camera.set("percentage_of_dropped_buffers", to: 30)
        defer { try? camera.set("percentage_of_dropped_buffers", to: 0) }
        let (run, iterator) = try await running()
        var frames = iterator
        var gaps: UInt64 = 0
        let count = isLongForm ? 1000 : 100
        for _ in 0..<count { gaps += try #require(try await frames.next()).attachments.gap }
        let ledger = run.session.ledger
        await run.session.stop()
        #expect(ledger.readers.first?.frames.dropped.total == 0)
        #expect(try #require(ledger.inputs.first).gaps >= gaps)
        // Of 100 frames 43 are dropped on the way to 100 others, give or take; 15 would be a miracle.
        #expect(gaps > UInt64(count) * 15 / 100 && gaps < UInt64(count) * 90 / 100, "\(gaps)")
    }

    @Test("A frame that the driver flags as broken is one deviceError of each reader")
    func brokenFrame() async throws {
        let (run, iterator) = try await running()
        var frames = iterator
        try camera.set("inject_v4l2_buf_flag_error", to: 1)
        #expect(await becomes { run.session.ledger.inputs.first?.lost == 1 })
        _ = try await frames.next()
        let ledger = run.session.ledger
        await run.session.stop()
        #expect(ledger.inputs.first?.gaps == 0)
        #expect(ledger.readers.first?.frames.dropped[.deviceError] == 1)
        run.expectBalance()
    }

    @Test("A buffer that the driver refuses to take back is offered again")
    func refusedBuffer() async throws {
        let (run, iterator) = try await running(.latest)
        var frames = iterator
        for _ in 0..<20 {
            try camera.set("inject_vidioc_qbuf_error", to: 1)
            for _ in 0..<3 { #expect(try await frames.next() != nil) }
        }
        #expect(await becomes { run.events.all == ["started"] })
        #expect(run.session.ledger.inputs.first?.copied == 0)
        await run.session.stop()
    }

    @Test(
        "A start that fails says so, and the next one works",
        arguments: [
            "inject_vidioc_reqbufs_error", "inject_vidioc_streamon_error", "inject_vidioc_qbuf_error",
        ])
    func failedStart(control: String) async throws {
        let output = VideoDataOutput()
        let run = try await CameraSession(camera.path, outputs: [output])
        try camera.set(control, to: 1)
        let error = await #expect(throws: ObscuraError.self) { try await run.session.start() }
        #expect(error?.code == .deviceFailed)
        #expect(error?.errno != nil)
        #expect(!run.session.isRunning)
        var frames = output.frames.makeAsyncIterator()
        try await run.session.start()
        #expect(try await frames.next() != nil)
        await run.session.stop()
    }

    @Test("A stream that breaks is started again, with a discontinuity")
    func brokenStream() async throws {
        let (run, iterator) = try await running()
        var frames = iterator
        for round in 1...3 {
            try camera.set("inject_fatal_streaming_error", to: 1)
            var frame = try await frames.next()
            while let next = frame, !next.attachments.isDiscontinuity { frame = try await frames.next() }
            #expect(frame != nil)
            // The events come on their own way, and may be later than the frame.
            #expect(
                await becomes {
                    let events = run.events.all
                    return events.count { $0 == "interrupted: streamFailed" } == round
                        && events.last == "interruption ended"
                })
        }
        await run.session.stop()
        run.expectBalance()
    }

    @Test("A camera whose source changes is started again")
    func changedSource() async throws {
        // Its television input, which tells of changes of the signal; the webcam does not.
        try Lab.run("v4l2-ctl", "--device", camera.path, "--set-input=1")
        defer { _ = try? Lab.run("v4l2-ctl", "--device", camera.path, "--set-input=0") }
        let (run, iterator) = try await running()
        var frames = iterator
        // "Selected Standard", which is the same one.
        defer { try? camera.set("standard_signal_mode", to: 0) }
        try camera.set("standard_signal_mode", to: 4)
        #expect(await becomes { run.events.all.contains("interrupted: streamFailed") })
        #expect(await becomes { run.events.all.last == "interruption ended" })
        var frame = try await frames.next()
        while let next = frame, !next.attachments.isDiscontinuity { frame = try await frames.next() }
        #expect(frame != nil)
        await run.session.stop()
        run.expectBalance()
    }

    @Test("A number that wraps is no gap")
    func wrappedNumber() async throws {
        try camera.set("wrap_sequence_number", to: 1)
        defer { try? camera.set("wrap_sequence_number", to: 0) }
        let (run, iterator) = try await running()
        var frames = iterator
        for _ in 0..<150 { _ = try await frames.next() }
        #expect(run.session.ledger.inputs.first?.gaps ?? 99 < 3)
        await run.session.stop()
    }

    @Test("A size that the camera has not is refused with its modes, before anything is touched")
    func wrongSize() async throws {
        let format = VideoFormat(pixelFormat: .yuyv, width: 321, height: 181, frameRate: FrameRate(30))
        let error = await #expect(throws: ObscuraError.self) {
            try await CameraSession(camera.path, format: format, outputs: [VideoDataOutput()])
        }
        #expect(error?.code == .unsupportedFormat)
        #expect(error?.advice?.contains("320x180") == true)
    }
}
