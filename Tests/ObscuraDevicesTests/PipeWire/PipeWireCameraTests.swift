// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraCapture
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraDevices

// One after the other: a graph whose readers wait for a processor loses frames.
@Suite("Cameras of PipeWire", .pipeWireSession, .hangLimit, .serialized)
struct PipeWireCameraTests {
    private let size = ["--sizes", "64x48"]
    private let clock = SystemClock()

    /// A run of a camera, in its first mode unless one is given.
    private func run(
        _ session: PipeWireSession, _ name: String, _ record: FrameRecord, format: VideoFormat? = nil
    ) async throws -> any CaptureRun {
        let driver = try await session.driver(name)
        return driver.makeRun(RunRequest(videoFormat: format), sink: record, clock: clock)
    }

    @Test(
        "All frames of each format arrive, with their colors",
        arguments: [
            ("YUY2", PixelFormat.yuyv), ("UYVY", .uyvy), ("YVYU", .yvyu), ("NV12", .nv12), ("NV21", .nv21),
            ("I420", .i420), ("YV12", .i420), ("RGB", .rgb24), ("BGR", .bgr24), ("RGBA", .rgba), ("BGRA", .bgra),
            ("ARGB", .argb), ("ABGR", .abgr), ("BGRx", .bgrx), ("RGBx", .rgbx), ("xRGB", .xrgb), ("xBGR", .xbgr),
        ])
    func formats(_ name: String, _ format: PixelFormat) async throws {
        let session = try await PipeWireSession.shared
        try await withCamera(session, ["--formats", name, "--rate", "100"] + size) { _, record in
            let count = isLongForm ? 1000 : 100
            #expect(await becomes { record.frames >= count })
        } check: { account in
            #expect(account.sizes == [PixelSize(width: 64, height: 48)])
            #expect(account.wrongColors == 0 && account.lost == 0 && account.estimated == 0)
            // PipeWire loses frames if a busy machine wakes the reader up late. They are counted; the long form allows
            // none.
            #expect(account.gaps == 0 || !isLongForm)
            #expect(account.sequences.last == UInt64(account.frames) + account.gaps - 1)
        }
    }

    /// Runs a camera with these options until the body returns, and stops it.
    private func withCamera(
        _ session: PipeWireSession, _ options: [String],
        _ body: (PipeWireTestCamera, FrameRecord) async throws -> Void, check: (FrameRecord.Account) throws -> Void
    ) async throws {
        let camera = try await session.camera(options)
        let record = FrameRecord()
        let run = try await run(session, camera.name, record)
        try await start(run)
        try await body(camera, record)
        await onThread { run.stop() }
        try check(record.account.withLock { $0 })
    }

    @Test("Frames in DMA-BUF memory arrive, and their descriptors can be passed on")
    func dma() async throws {
        let session = try await PipeWireSession.shared
        let camera = try await session.camera(["--dma", "yes", "--rate", "200"] + size)
        let descriptors = Lock(0)
        let record = FrameRecord { frame in
            if frame.buffer.dmaDescriptors.count == 1 { descriptors.withLock { $0 += 1 } }
        }
        let run = try await run(session, camera.name, record)
        try await start(run)
        #expect(await becomes { record.frames >= 100 })
        await onThread { run.stop() }
        let account = record.account.withLock { $0 }
        #expect(account.wrongColors == 0)
        #expect(descriptors.withLock { $0 } == account.frames)
    }

    @Test("Frames that the producer drops are gaps, and damaged ones are lost")
    func faults() async throws {
        let session = try await PipeWireSession.shared
        try await withCamera(session, ["--rate", "200"] + size) { camera, record in
            #expect(await becomes { record.frames >= 10 })
            camera.tell("drop 7")
            #expect(await becomes { record.account.withLock { $0.gaps } >= 7 })
            camera.tell("corrupt 1000")
            #expect(await becomes { record.account.withLock { $0.lost } >= 3 })
            camera.tell("corrupt 0")
            let now = record.frames
            #expect(await becomes { record.frames > now + 10 })
        } check: { account in
            let steps = zip(account.sequences, account.sequences.dropFirst()).map { $1 - $0 }
            #expect(steps.contains { $0 >= 8 } && account.wrongColors == 0 && account.events == [])
            #expect(account.sequences.last == UInt64(account.frames + account.lost) + account.gaps - 1)
        }
    }

    @Test("A camera that delivers only damaged frames is stalled, until one is whole")
    func damagedFrames() async throws {
        let session = try await PipeWireSession.shared
        try await withCamera(session, ["--rate", "200"] + size) { camera, record in
            #expect(await becomes { record.frames >= 10 })
            camera.tell("corrupt 1000000")
            #expect(await becomes { record.events == ["stalled"] })
            camera.tell("corrupt 0")
            #expect(await becomes { record.events == ["stalled", "resumed"] })
        } check: { account in
            #expect(account.lost > 100 && account.wrongColors == 0)
        }
    }

    @Test("A producer without a header has frames without gaps, and times of arrival")
    func withoutHeader() async throws {
        let session = try await PipeWireSession.shared
        try await withCamera(session, ["--header", "no", "--rate", "200"] + size) { _, record in
            #expect(await becomes { record.frames >= 50 })
        } check: { account in
            #expect(account.estimated == account.frames && account.gaps == 0)
            #expect(account.sequences == Array(0..<UInt64(account.frames)))
        }
    }

    @Test("The crop of a frame is applied, and its transform is passed on")
    func cropAndTransform() async throws {
        let session = try await PipeWireSession.shared
        try await withCamera(
            session, ["--crop", "17,10,32x20", "--transform", "5", "--formats", "NV12", "--rate", "200"] + size
        ) { _, record in
            #expect(await becomes { record.frames >= 20 })
        } check: { account in
            // The left edge is even in a format with shared chroma.
            #expect(account.sizes == [PixelSize(width: 33, height: 20)])
            #expect(account.turns == [.right] && account.mirrored == account.frames && account.wrongColors == 0)
        }
    }

    @Test("The buffers of a run are free for the next one, except those of frames that readers still hold")
    func nextRun() async throws {
        let session = try await PipeWireSession.shared
        let camera = try await session.camera(["--rate", "100"] + size)
        let held = Lock<[(frame: VideoFrame, color: [UInt8])]>([])
        // More runs than there are buffers: the producer keeps them from one run to the next.
        for round in 0..<15 {
            let record = FrameRecord { frame in
                held.withLock { held in
                    if held.count < 2 { held.append((frame, frame.buffer.firstColor)) }
                }
            }
            let run = try await run(session, camera.name, record)
            try await start(run)
            #expect(await becomes { record.frames >= 2 }, "round \(round)")
            await onThread { run.stop() }
        }
        #expect(held.withLock { $0.allSatisfy { $0.frame.buffer.firstColor == $0.color } })
    }

    @Test("A camera that stalls is reported, and its frames resume")
    func stall() async throws {
        let session = try await PipeWireSession.shared
        try await withCamera(session, ["--rate", "100"] + size) { camera, record in
            #expect(await becomes { record.frames >= 10 })
            camera.tell("stall")
            #expect(await becomes { record.events.contains("stalled") })
            // Frames that nobody receives.
            camera.tell("drop 5")
            camera.tell("go")
            #expect(await becomes { record.events == ["stalled", "resumed"] })
            let now = record.frames
            #expect(await becomes { record.frames > now + 10 })
        } check: { account in
            #expect(account.wrongColors == 0)
        }
    }

    @Test("A disconnected camera is waited for, and no other camera takes its place", arguments: [isLongForm ? 20 : 5])
    func unplugged(times: Int) async throws {
        let session = try await PipeWireSession.shared
        let other = try await session.camera(size)
        var camera = try await session.camera(["--rate", "100"] + size)
        let record = FrameRecord()
        let run = try await run(session, camera.name, record)
        try await start(run)
        #expect(await becomes { record.frames >= 10 })
        let descriptors = openDescriptorCount()
        for round in 1...times {
            await camera.unplug()
            #expect(await becomes { record.events.count == 2 * round - 1 })
            camera = try await session.camera(["--rate", "100"] + size, name: camera.name)
            #expect(await becomes { record.events.count == 2 * round })
        }
        #expect(record.events == Array(repeating: ["deviceDisconnected", "resumed"], count: times).flatMap { $0 })
        #expect(!other.events.contains("format"))
        // Each round would leave those of a connection; other tests of the process may have some.
        #expect(openDescriptorCount() < descriptors + 10 * times)
        await onThread { run.stop() }
    }

    @Test("A daemon that is killed and started again is an interruption")
    func restart() async throws {
        let session = try await PipeWireSession()
        var camera = try await session.camera(["--rate", "100"] + size)
        let record = FrameRecord()
        let run = try await run(session, camera.name, record)
        try await start(run)
        #expect(await becomes { record.frames >= 10 })
        session.restart()
        #expect(await becomes { record.events == ["deviceDisconnected"] })
        // The camera ended with the daemon.
        await camera.unplug()
        _ = await becomes { session.remote.isAvailable() && (try? PipeWireGraph(session.remote).objects()) != nil }
        camera = try await session.camera(["--rate", "100"] + size, name: camera.name)
        #expect(await becomes { record.events == ["deviceDisconnected", "resumed"] })
        await onThread { run.stop() }
    }

    @Test("MJPEG frames arrive as they are")
    func compressed() async throws {
        let session = try await PipeWireSession.shared
        let folder = try TemporaryFolder()
        let path = folder("picture.jpg")
        try Tool.run(
            "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x48", "-frames:v", "1", path])
        let bytes = try folder.bytes(of: "picture.jpg")
        let camera = try await session.camera(["--jpeg", path, "--rate", "100"] + size)
        let driver = try await session.driver(camera.name)
        let format = try #require(driver.formats.first { $0.pixelFormat == .mjpeg })
        let record = FrameRecord()
        let run = driver.makeRun(RunRequest(videoFormat: format), sink: record, clock: clock)
        try await start(run)
        #expect(await becomes { record.account.withLock { $0.encoded } >= 20 })
        await onThread { run.stop() }
        #expect(record.account.withLock { $0.encodedBytes } == bytes)
    }

    @Test("A format that the camera does not have is an error, not a wait")
    func rejected() async throws {
        let session = try await PipeWireSession.shared
        let camera = try await session.camera(size)
        let driver = try await session.driver(camera.name)
        #expect(driver.formats == [VideoFormat(pixelFormat: .yuyv, width: 64, height: 48, frameRate: FrameRate(30))])
        let format = VideoFormat(pixelFormat: .nv12, width: 640, height: 480, frameRate: FrameRate(30))
        let run = driver.makeRun(RunRequest(videoFormat: format), sink: FrameRecord(), clock: clock)
        await #expect { try await start(run) } throws: {
            ($0 as? ObscuraError)?.code == .unsupportedFormat
        }
        await onThread { run.stop() }
    }

    @Test("A camera that another program uses in another format delivers that format")
    func secondClient() async throws {
        let session = try await PipeWireSession.shared
        let camera = try await session.camera(["--sizes", "64x48,32x24", "--rate", "100"])
        let driver = try await session.driver(camera.name)
        let (large, small) = (FrameRecord(), FrameRecord())
        let first = try await run(session, camera.name, large)
        try await start(first)
        #expect(await becomes { large.frames >= 10 })
        let format = try #require(driver.formats.first { $0.width == 32 })
        let second = driver.makeRun(RunRequest(videoFormat: format), sink: small, clock: clock)
        let agreed = try await onThread { Result { try second.start() } }.get()
        #expect(agreed.video?.size == PixelSize(width: 64, height: 48))
        #expect(await becomes { small.frames >= 10 })
        for run in [first, second] { await onThread { run.stop() } }
        #expect(small.account.withLock { $0.sizes } == [PixelSize(width: 64, height: 48)])
        #expect(large.account.withLock { $0.wrongColors } == 0 && small.account.withLock { $0.wrongColors } == 0)
    }

    @Test("A camera whose format changes is restarted, in the most similar format that it has then")
    func formatChange() async throws {
        let session = try await PipeWireSession.shared
        try await withCamera(session, ["--rate", "100"] + size) { camera, record in
            #expect(await becomes { record.frames >= 10 })
            camera.tell("size 32x24")
            // The node agrees on a format again.
            let other = try session.program("pw-cli c '\(camera.name)' Suspend '{}'")
            #expect(await becomes { record.account.withLock { $0.sizes.count } == 2 })
            other.stop()
        } check: { account in
            #expect(account.sizes == [PixelSize(width: 64, height: 48), PixelSize(width: 32, height: 24)])
            #expect(account.error == nil && account.events.last == "resumed")
        }
    }

    @Test("A stop during the start returns at once")
    func cancelled() async throws {
        let session = try await PipeWireSession.shared
        let camera = try await session.camera(size)
        camera.tell("stall")
        let run = try await run(session, camera.name, FrameRecord())
        run.cancel()
        await #expect(throws: ObscuraError.self) { try await start(run) }
        await onThread { run.stop() }
    }

    @Test(
        "A reader that keeps every frame gets no more than its limit, and others get all",
        arguments: ["no", "yes"])
    func hoarder(overwrites: String) async throws {
        let session = try await PipeWireSession.shared
        let camera = try await session.camera(["--overwrite", overwrites, "--rate", "200"] + size)
        let (greedy, quick) = (
            VideoDataOutput(name: "greedy"), VideoDataOutput(name: "quick", latePolicy: .bounded(64))
        )
        let capture = try await CaptureSession.of(try await session.driver(camera.name), [greedy, quick])
        let hoard = Lock<[(frame: VideoFrame, color: [UInt8])]>([])
        let hoarder = Task {
            for try await frame in greedy.frames {
                hoard.withLock { $0.append((frame, frame.buffer.firstColor)) }
            }
        }
        var frames = quick.frames.makeAsyncIterator()
        try await capture.start()
        for _ in 0..<300 { _ = try #require(try await frames.next()) }
        let ledger = capture.ledger
        await capture.stop()
        try await hoarder.value
        let books = try #require(ledger.readers.first { $0.name.hasPrefix("greedy") })
        #expect(books.held == 8)
        #expect(books.frames.dropped[.outOfBuffers] > 0)
        #expect(ledger.readers.first { $0.name.hasPrefix("quick") }?.frames.dropped.total == 0)
        let input = try #require(ledger.inputs.first)
        #expect(input.copied > 0)
        // Also those of a producer that writes to buffers which readers hold.
        let changed = hoard.withLock { $0.count { $0.frame.buffer.firstColor != $0.color } }
        #expect(changed == 0)
        hoard.withLock { $0.removeAll() }
    }
}

private func start(_ run: any CaptureRun) async throws {
    _ = try await onThread { Result { try run.start() } }.get()
}

/// The number of descriptors that the process has open.
private func openDescriptorCount() -> Int {
    FileTree().names(in: "/proc/self/fd")?.count ?? 0
}
