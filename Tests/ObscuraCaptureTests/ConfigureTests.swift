// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraCapture
import ObscuraMedia
import TestSupport
import Testing

/// A change takes effect all at once, or not at all.
@Suite struct ConfigureTests {
    private static let other = VideoFormat(pixelFormat: .gray8, width: 16, height: 8, frameRate: FrameRate(30))

    private func error(of change: () async throws(ObscuraError) -> Void) async -> ObscuraError? {
        do throws(ObscuraError) { try await change() } catch { return error }
        return nil
    }

    @Test(.hangLimit)
    func `A mode that the device refuses leaves it running in the old one, with a discontinuity`() async throws {
        let camera = HandCamera(
            formats: [HandCamera.small, Self.other],
            start: { format, _ in
                guard format == HandCamera.small else {
                    throw ObscuraError(.capture, .deviceFailed, subject: "hand", reason: "it will not")
                }
                return format
            })
        let output = VideoDataOutput(latePolicy: .bounded(10))
        let session = try await CaptureSession.of(camera, [output])
        let input = try #require(session.inputs.first)
        try await session.configure { try $0.setFormat(HandCamera.small, for: input) }
        var frames = output.frames.makeAsyncIterator()
        try await session.start()
        try camera.give(2)
        #expect(try await frames.next()?.sequence == 0)
        let refusal = await error { () async throws(ObscuraError) in
            try await session.configure {
                try $0.setFormat(Self.other, for: input)
                $0.preset = .low
                try $0.addOutput(VideoDataOutput(name: "new"))
            }
        }
        #expect(refusal?.code == .deviceFailed)
        #expect(session.isRunning)
        #expect(session.preset == .high)
        #expect(session.outputs.map(\.name) == ["video"])
        #expect(session.activeFormat(of: input) == HandCamera.small)
        #expect(camera.runs.map(\.format) == [HandCamera.small, Self.other, HandCamera.small])
        #expect(camera.runs.map(\.stops.now) == [1, 1, 0])
        try camera.give(2)
        let after = try #require(try await frames.next())
        #expect(after.sequence == 2)
        #expect(after.attachments.isDiscontinuity)
        #expect(try await frames.next()?.attachments.isDiscontinuity == false)
        // What waited of the old run was left.
        #expect(try session.reader("video loop").frames.dropped[.discontinuity] == 1)
        #expect(session.ledger.inputs.map(\.received) == [2, 2])
        #expect(session.ledger.inputs.map(\.isRunning) == [true, false])
        await session.stop()
        session.expectBalance()
    }

    @Test(.hangLimit)
    func `When the old mode is refused too, everybody is told and the session stops`() async throws {
        let starts = Count()
        let camera = HandCamera(
            formats: [HandCamera.small, Self.other],
            start: { format, _ in
                starts.add()
                guard starts.now == 1 else {
                    throw ObscuraError(.capture, .deviceDisconnected, subject: "hand", reason: "it is gone")
                }
                return format
            })
        let output = VideoDataOutput()
        let delegate = RecordingDelegate()
        output.setDelegate(delegate)
        let session = try await CaptureSession.of(camera, [output])
        let input = try #require(session.inputs.first)
        try await session.configure { try $0.setFormat(HandCamera.small, for: input) }
        let events = EventRecord(session)
        var frames = output.frames.makeAsyncIterator()
        try await session.start()
        let refusal = await error { () async throws(ObscuraError) in
            try await session.configure { try $0.setFormat(Self.other, for: input) }
        }
        #expect(refusal?.code == .deviceDisconnected)
        #expect(await events.reaches(3))
        #expect(events.all == ["started", "error: deviceDisconnected", "stopped"])
        #expect(!session.isRunning)
        let thrown = await #expect(throws: ObscuraError.self) { try await frames.next() }
        #expect(thrown?.code == .deviceDisconnected)
        #expect(await delegate.endings.reaches(1))
        #expect(delegate.errors.first??.code == .deviceDisconnected)
    }

    @Test(.hangLimit) func `A change that cannot be is refused before any device is touched`() async throws {
        let camera = HandCamera()
        let output = VideoDataOutput()
        let session = try await CaptureSession.of(camera, [output])
        let input = try #require(session.inputs.first)
        try await session.start()
        let duplicate = try CaptureDeviceInput(device: camera.device)
        #expect(!session.canAddInput(input))
        #expect(!session.canAddInput(duplicate))
        #expect(!session.canAddOutput(output))
        #expect(session.canAddOutput(VideoDataOutput()))
        #expect(session.canAddInput(try CaptureDeviceInput(device: HandCamera("other").device)))
        #expect(session.refusal(of: input)?.reason.contains("already") == true)
        #expect(session.refusal(of: duplicate)?.reason.contains("twice") == true)
        #expect(session.refusal(of: output)?.code == .invalidConfiguration)
        let stranger = VideoDataOutput()
        for change: @Sendable (inout CaptureSession.Configuration) throws -> Void in [
            { try $0.addInput(duplicate) }, { try $0.connect(stranger, to: input) },
            { try $0.setFormat(nil, for: duplicate) }, { try $0.setFormat(Self.other, for: input) },
            { _ in throw CancellationError() },
        ] {
            #expect(await error { () async throws(ObscuraError) in try await session.configure(change) } != nil)
        }
        #expect(camera.runs.count == 1)
        #expect(session.inputs == [input])
        #expect(session.isRunning)
        await session.stop()
    }

    @Test(.hangLimit) func `The first frame of another mode or camera is marked as a discontinuity`() async throws {
        let (camera, other) = (HandCamera(formats: [HandCamera.small, Self.other]), HandCamera("other"))
        let output = VideoDataOutput(latePolicy: .bounded(10))
        let session = try await CaptureSession.of(camera, [output])
        let input = try #require(session.inputs.first)
        try await session.configure { try $0.setFormat(HandCamera.small, for: input) }
        var frames = output.frames.makeAsyncIterator()
        try await session.start()
        try camera.give(1)
        #expect(try await frames.next()?.attachments.isDiscontinuity == false)
        try await session.configure { try $0.setFormat(Self.other, for: input) }
        try camera.give(2)
        #expect(try await frames.next()?.attachments.isDiscontinuity == true)
        #expect(try await frames.next()?.attachments.isDiscontinuity == false)
        #expect(session.ledger.inputs.map(\.received) == [2, 1])
        #expect(session.ledger.inputs.map(\.isRunning) == [true, false])
        try await session.configure { try $0.replaceInput(input, with: CaptureDeviceInput(device: other.device)) }
        try other.give(2)
        #expect(try await frames.next()?.attachments.isDiscontinuity == true)
        #expect(try await frames.next()?.attachments.isDiscontinuity == false)
        await session.stop()
        session.expectBalance()
    }

    @Test(.hangLimit) func `A camera that is added leaves the frames of the others as they are`() async throws {
        let (camera, other) = (HandCamera(), HandCamera("other"))
        let (output, second) = (VideoDataOutput(latePolicy: .bounded(10)), VideoDataOutput(name: "second"))
        let session = try await CaptureSession.of(camera, [output])
        var frames = output.frames.makeAsyncIterator()
        var others = second.frames.makeAsyncIterator()
        try await session.start()
        let input = try CaptureDeviceInput(device: other.device)
        try await session.configure {
            try $0.addInput(input)
            try $0.addOutput(second)
            try $0.connect(second, to: input)
        }
        try camera.give(1)
        try other.give(1)
        #expect(try await frames.next()?.attachments.isDiscontinuity == false)
        #expect(try await others.next()?.attachments.isDiscontinuity == false)
        await session.stop()
        session.expectBalance()
    }

    @Test(.hangLimit) func `An output that comes or goes disturbs nobody`() async throws {
        let camera = HandCamera()
        let first = VideoDataOutput(name: "first", latePolicy: .bounded(100))
        let second = VideoDataOutput(name: "second", latePolicy: .bounded(100))
        let session = try await CaptureSession.of(camera, [first])
        var frames = first.frames.makeAsyncIterator()
        var others = second.frames.makeAsyncIterator()
        try await session.start()
        try camera.give(2)
        try await session.configure { try $0.addOutput(second) }
        try camera.give(2)
        try await session.configure { $0.removeOutput(second) }
        try camera.give(2)
        for expected in 0..<6 as Range<UInt64> {
            let frame = try #require(try await frames.next())
            #expect(frame.sequence == expected)
            #expect(!frame.attachments.isDiscontinuity)
        }
        #expect(camera.runs.count == 1)
        // The loop of an output that has left is at its end.
        #expect(try await others.next() == nil)
        #expect(second.connection.input == nil)
        await session.stop()
        session.expectBalance()
    }

    @Test(.hangLimit)
    func `After a switch of cameras no frame of the old one comes, and outputs and readers live on`() async throws {
        let sizes = [PixelSize(width: 64, height: 48), PixelSize(width: 72, height: 40)]
        let cameras = sizes.enumerated().map { index, size in
            CaptureDevice(driver: PatternDriver(size: size, frameRate: FrameRate(1000), name: "camera \(index)"))
        }
        let output = VideoDataOutput(latePolicy: .bounded(50))
        let widths = Lock<[Int]>([])
        let delegate = RecordingDelegate { frame in
            widths.withLock { if $0.last != frame.buffer.width { $0.append(frame.buffer.width) } }
        }
        output.setDelegate(delegate)
        let session = CaptureSession()
        try await session.configure {
            try $0.addInput(CaptureDeviceInput(device: cameras[0]))
            try $0.addOutput(output)
        }
        var frames = output.frames.makeAsyncIterator()
        try await session.start()
        let switches = isLongForm ? 200 : 40
        for index in 1...switches {
            let camera = cameras[index % 2]
            try await session.configure {
                for input in $0.inputs { $0.removeInput(input) }
                try $0.addInput(CaptureDeviceInput(device: camera))
            }
            for _ in 0..<3 {
                let frame = try #require(try await frames.next())
                #expect(frame.buffer.size == sizes[index % 2])
            }
            #expect(await becomes { widths.withLock { $0.last } == sizes[index % 2].width })
        }
        #expect(output.connection.input?.device == cameras[switches % 2])
        await session.stop()
        // Each switch is seen once: no frame of the camera before came in between.
        #expect(widths.withLock { $0.count } <= switches + 1)
        #expect(delegate.endings.now == 0)
        session.expectBalance()
    }

    @Test(.hangLimit) func `Without a camera a running session waits for one, and drops what it left`()
        async throws
    {
        let (first, second) = (HandCamera("first", mark: 1), HandCamera("second", mark: 2))
        let output = VideoDataOutput(latePolicy: .bounded(10))
        let session = try await CaptureSession.of(first, [output])
        var frames = output.frames.makeAsyncIterator()
        try await session.start()
        try first.give(3)
        #expect(try await frames.next()?.mark == 1)
        try await session.configure { for input in $0.inputs { $0.removeInput(input) } }
        #expect(output.connection.input == nil)
        #expect(try session.reader("video loop").frames.dropped[.discontinuity] == 2)
        #expect(first.runs.first?.stops.now == 1)
        try first.give()
        try await session.configure { try $0.addInput(CaptureDeviceInput(device: second.device)) }
        #expect(session.isRunning)
        try second.give()
        #expect(try await frames.next()?.mark == 2)
        await session.stop()
        session.expectBalance()
    }

    @Test(.hangLimit)
    func `A restart frees a driver that waits for a lossless reader`() async throws {
        let given = Count()
        let freed = Count()
        let camera = HandCamera(
            formats: [HandCamera.small, Self.other],
            onStop: {
                if given.blocksUntil(1) { freed.add() }
            })
        let output = VideoDataOutput(latePolicy: .lossless(1))
        let session = try await CaptureSession.of(camera, [output])
        let input = try #require(session.inputs.first)
        try await session.configure { try $0.setFormat(HandCamera.small, for: input) }
        var frames = output.frames.makeAsyncIterator()
        try await session.start()
        try camera.give()
        _ = WorkerThread.detach(name: "giver") {
            // The first of these waits for the reader, which does not read.
            try? camera.give(3)
            given.add()
        }
        try await session.configure { try $0.setFormat(Self.other, for: input) }
        #expect(freed.now == 1)
        #expect(session.activeFormat(of: input) == Self.other)
        try camera.give(at: .zero, sequence: 50)
        #expect(try await frames.next()?.sequence == 50)
        await session.stop()
        session.expectBalance()
    }

    @Test(.hangLimit) func `Two cameras feed the outputs that are connected to them`() async throws {
        let (front, back) = (HandCamera("front", mark: 1), HandCamera("back", mark: 2))
        let (one, two) = (VideoDataOutput(name: "one"), VideoDataOutput(name: "two"))
        let session = CaptureSession()
        let inputs = [try CaptureDeviceInput(device: front.device), try CaptureDeviceInput(device: back.device)]
        try await session.configure {
            for input in inputs { try $0.addInput(input) }
            try $0.addOutput(one)
            try $0.addOutput(two)
            try $0.connect(two, to: inputs[1])
        }
        var (ones, twos) = (one.frames.makeAsyncIterator(), two.frames.makeAsyncIterator())
        try await session.start()
        try front.give()
        try back.give()
        #expect(try await ones.next()?.mark == 1)
        #expect(try await twos.next()?.mark == 2)
        try await session.configure { try $0.connect(one, to: inputs[1]) }
        try front.give()
        try back.give()
        #expect(try await ones.next()?.mark == 2)
        // One of the two sources ends: the other goes on.
        front.sink?.finish(throwing: nil)
        try back.give()
        #expect(try await twos.next()?.mark == 2)
        #expect(session.isRunning)
        await session.stop()
    }

    @Test(.hangLimit) func `When one of two cameras does not open, neither runs`() async throws {
        let first = HandCamera("first")
        let second = HandCamera(
            "second",
            start: { _, _ in
                throw ObscuraError(.capture, .deviceInUse, subject: "second", reason: "another process has it")
            })
        let session = CaptureSession()
        try await session.configure {
            try $0.addInput(CaptureDeviceInput(device: first.device))
            try $0.addInput(CaptureDeviceInput(device: second.device))
            try $0.addOutput(VideoDataOutput())
        }
        let refusal = await error { () async throws(ObscuraError) in try await session.start() }
        #expect(refusal?.code == .deviceInUse)
        #expect(!session.isRunning)
        #expect(first.runs.first?.stops.now == 1)
        #expect(second.runs.first?.stops.now == 1)
    }
}
