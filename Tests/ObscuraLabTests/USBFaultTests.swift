// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Obscura
import ObscuraDrivers
import ObscuraMedia
import TestSupport
import Testing

/// Faults of emulated USB cameras, as uvcvideo reports them.
@Suite("Faults of a USB camera", .guest, .serialized)
struct USBFaultTests {
    private static let raw = VideoFormat(pixelFormat: .yuyv, width: 160, height: 120, frameRate: FrameRate(15))
    private static let compressed = VideoFormat(pixelFormat: .mjpeg, width: 320, height: 180, frameRate: FrameRate(15))

    /// A session on the first camera whose reader has its first frame.
    private struct Run {
        let camera: USBCamera
        let session: CameraSession
        private var frames: VideoDataOutput.Frames.Iterator
        /// The numbers in the frames so far.
        private(set) var numbers: [UInt64] = []

        init(_ format: VideoFormat) async throws {
            camera = try #require(try USBCamera.all().first)
            let output = VideoDataOutput(latePolicy: .bounded(64))
            session = try await CameraSession(camera.path, format: format, outputs: [output])
            frames = output.frames.makeAsyncIterator()
            try await session.session.start()
            try await read(1)
        }

        mutating func next() async throws -> VideoFrame { try #require(try await frames.next()) }

        /// Reads the numbers in the next frames.
        mutating func read(_ count: Int) async throws {
            for _ in 0..<count {
                numbers.append(try #require(PatternScene.readSequence(of: try await next().buffer)))
            }
        }

        /// How many numbers are missing between the first and the last.
        var missing: UInt64 { (numbers.last ?? 0) - (numbers.first ?? 0) + 1 - UInt64(numbers.count) }

        /// The first frame after an interruption.
        mutating func nextDiscontinuity() async throws -> VideoFrame {
            while true {
                let frame = try await next()
                if frame.attachments.isDiscontinuity { return frame }
            }
        }

        var input: SessionLedger.Input? { session.session.ledger.inputs.first }
        var dropped: UInt64? { session.session.ledger.readers.first?.frames.dropped[.deviceError] }

        func stop() async {
            await session.session.stop()
            session.expectBalance()
        }
    }

    @Test("A halted endpoint is a stall; the stream is started again and continues")
    func halted() async throws {
        var run = try await Run(Self.raw)
        let events = run.session.events
        let interruption = ["interrupted: stalled", "interruption ended"]
        for round in 1...2 {
            try run.camera.tell("halt")
            _ = try await run.nextDiscontinuity()
            let expected = ["started"] + (0..<round).flatMap { _ in interruption }
            #expect(await becomes { events.all == expected }, "\(events.all)")
            // The driver returns its queued buffers, unfilled, with the number 0.
            #expect(run.input?.gaps == 0 && run.input?.lost == 0 && run.dropped == 0)
        }
        await run.stop()
    }

    @Test("A camera that sends nothing is a stall, and continues when it sends again")
    func frozen() async throws {
        var run = try await Run(Self.compressed)
        let events = run.session.events
        try run.camera.tell("freeze")
        #expect(await becomes { events.all.last == "interrupted: stalled" })
        try run.camera.tell("thaw")
        _ = try await run.nextDiscontinuity()
        #expect(await becomes { events.all.last == "interruption ended" })
        await run.stop()
    }

    @Test("Damaged frames that the driver drops are gaps, not ours", arguments: ["fault", "half", "empty"])
    func driverDrops(kind: String) async throws {
        var run = try await Run(Self.raw)
        try run.camera.tell("corrupt", kind, "3")
        try await run.read(10)
        #expect(run.missing == 3, "\(run.numbers)")
        #expect(run.input?.gaps == 3 && run.input?.lost == 0)
        #expect(run.dropped == 0)
        #expect(run.session.events.all == ["started"])
        await run.stop()
    }

    @Test("Damaged frames that the driver passes on are a deviceError each", arguments: ["fault", "half"])
    func driverPasses(kind: String) async throws {
        try await withDamagedFrames {
            var run = try await Run(Self.raw)
            try run.camera.tell("corrupt", kind, "3")
            let session = run.session.session
            #expect(await becomes { session.ledger.inputs.first?.lost == 3 })
            try await run.read(5)
            #expect(run.missing == 3, "\(run.numbers)")
            #expect(run.input?.gaps == 0 && run.dropped == 3)
            #expect(run.session.events.all == ["started"])
            await run.stop()
        }
    }

    @Test("A camera whose frames are all damaged is a stall, and continues with the first whole one")
    func onlyDamaged() async throws {
        try await withDamagedFrames {
            var run = try await Run(Self.raw)
            let events = run.session.events
            try run.camera.tell("corrupt", "fault", "150")
            #expect(await becomes { events.all.last == "interrupted: stalled" }, "\(events.all)")
            _ = try await run.nextDiscontinuity()
            #expect(await becomes { events.all.last == "interruption ended" }, "\(events.all)")
            #expect(run.input?.lost ?? 0 > 10)
            await run.stop()
        }
    }

    /// Runs `body` while the driver passes damaged frames on.
    private func withDamagedFrames(_ body: () async throws -> Void) async throws {
        let parameter = "/sys/module/uvcvideo/parameters/nodrop"
        try Lab.run("sh", "-c", "echo 1 >\(parameter)")
        defer { _ = try? Lab.run("sh", "-c", "echo 0 >\(parameter)") }
        // The driver reads it when the camera is plugged in.
        try USBCamera.reset()
        defer { try? USBCamera.reset() }
        try await body()
    }

    @Test("A truncated JPEG is one deviceError, and nothing else is lost")
    func truncated() async throws {
        var run = try await Run(Self.compressed)
        try run.camera.tell("corrupt", "half", "1")
        try await run.read(10)
        #expect(run.missing == 1, "\(run.numbers)")
        #expect(run.input?.gaps == 0 && run.dropped == 1)
        await run.stop()
    }

    @Test("A JPEG of other bytes does not end the stream")
    func noise() async throws {
        var run = try await Run(Self.compressed)
        try run.camera.tell("corrupt", "noise", "5")
        var last: UInt64 = 0
        var good = 0
        // Of a damaged one the blocks are missing.
        for _ in 0..<100 where good < 5 {
            guard let number = PatternScene.readSequence(of: try await run.next().buffer), number > last else {
                continue
            }
            (last, good) = (number, good + 1)
        }
        #expect(good == 5 && run.input?.gaps == 0)
        #expect(run.session.events.all == ["started"])
        await run.stop()
    }

    @Test("A frame with the parity of the one before is missing, and the driver does not count it")
    func sameParity() async throws {
        var run = try await Run(Self.raw)
        try run.camera.tell("corrupt", "same-id", "1")
        try await run.read(10)
        #expect(run.missing == 1, "\(run.numbers)")
        #expect(run.input?.gaps == 0 && run.dropped == 0)
        await run.stop()
    }

    @Test("A frame whose end is not marked is whole")
    func unmarkedEnd() async throws {
        var run = try await Run(Self.compressed)
        try run.camera.tell("corrupt", "no-end", "3")
        try await run.read(10)
        #expect(run.missing == 0, "\(run.numbers)")
        #expect(run.input?.gaps == 0 && run.dropped == 0)
        await run.stop()
    }

    @Test("A frame that the camera leaves out is no gap")
    func leftOut() async throws {
        var run = try await Run(Self.raw)
        try run.camera.tell("drop", "2")
        try await run.read(10)
        #expect(run.missing == 2, "\(run.numbers)")
        #expect(run.input?.gaps == 0)
        await run.stop()
    }
}
