// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import ObscuraBase
import ObscuraDrivers
import TestSupport
import Testing

/// Keeps the numbers of the frames it got.
private final class CountingWriter: FrameWriter {
    let capacity = 2
    private let state = Lock((numbers: [UInt64](), isClosed: false))
    private let failsAt: Int?

    init(failsAt: Int? = nil) {
        self.failsAt = failsAt
    }

    var numbers: [UInt64] { state.withLock { $0.numbers } }
    var counts: WrittenFrames { WrittenFrames() }

    func append(_ frame: VideoFrame, until deadline: HostTime?) throws(ObscuraError) -> Bool {
        try state.withLock { state throws(ObscuraError) in
            if state.numbers.count == failsAt { _ = try FramePathPattern("") }
            state.numbers.append(frame.sequence)
            return true
        }
    }

    func close() { state.withLock { $0.isClosed = true } }
    func finish(until deadline: HostTime?) throws(ObscuraError) {}
}

@Suite(.hangLimit) struct FrameExportTests {
    /// The built-in camera, as fast as it goes.
    private let film = CaptureDevice(
        driver: PatternDriver(size: PixelSize(width: 64, height: 48), frameRate: FrameRate(25), isLive: false))

    private func export(
        _ writer: CountingWriter, _ change: (inout FrameExport.Settings) -> Void = { _ in }
    ) async -> FrameExport.Report {
        var settings = FrameExport.Settings()
        change(&settings)
        return await FrameExport(from: film, to: writer, settings: settings).run()
    }

    @Test("Exactly as many frames come as were asked for, from the first one on")
    func count() async throws {
        let writer = CountingWriter()
        let report = await export(writer) { $0.count = 7 }
        #expect(writer.numbers == Array(0..<7))
        guard case .limitReached = report.ending else { throw Unexpected(report.ending) }
        let account = try #require(report.reader).frames
        #expect(account.isBalanced && account.delivered >= 7)
        #expect(report.first == .zero && report.last == MediaTime(value: 6, timescale: 25))
    }

    @Test(
        "A stream has the exact pixels of each frame, whichever thread converts them",
        arguments: [nil, .bgra, .rgb24, .gray8] as [PixelFormat?])
    func stream(format: PixelFormat?) async throws {
        let folder = try TemporaryFolder()
        let writer = try FrameStreamWriter(.file(folder("frames.raw")), layout: .raw)
        var settings = FrameExport.Settings()
        settings.count = 30
        settings.image.pixelFormat = format
        let images = Lock([UInt8]())
        let export = FrameExport(from: film, to: writer, settings: settings) { _, frame in
            let image = (try? frame.image(ImageRequest(pixelFormat: format)))?.packedBytes() ?? []
            images.withLock { $0 += image }
        }
        let report = await export.run()
        guard case .limitReached = report.ending else { throw Unexpected(report.ending) }
        #expect(try folder.bytes(of: "frames.raw") == images.withLock { $0 })
        let counts = writer.counts
        #expect(counts.frames == 30 && counts.pixelFormat == format ?? .i420 && counts.size?.width == 64)
        #expect(try #require(report.reader).frames.isBalanced)
    }

    @Test func `large frames wait one by one, small ones in fours`() async throws {
        let sizes = [(64, 48, 4), (1280, 720, 4), (1920, 1080, 2), (3840, 2160, 1), (16384, 16384, 1)]
        for (width, height, count) in sizes {
            let format = VideoFormat(pixelFormat: .i420, width: width, height: height)
            #expect(FrameExport.waitingFrames(of: format) == count, "\(width)x\(height)")
        }
        #expect(FrameExport.waitingFrames(of: nil) == 4)
        let folder = try TemporaryFolder()
        let size = PixelSize(width: 3840, height: 2160)
        let large = CaptureDevice(driver: PatternDriver(size: size, frameRate: FrameRate(25), isLive: false))
        let writer = try FrameStreamWriter(.file(folder("frames.raw")), layout: .raw)
        var settings = FrameExport.Settings()
        settings.count = 4
        let report = await FrameExport(from: large, to: writer, settings: settings).run()
        guard case .limitReached = report.ending else { throw Unexpected(report.ending) }
        #expect(writer.counts.frames == 4 && writer.counts.bytes == 4 * 3840 * 2160 * 3 / 2)
        #expect(try #require(report.reader).frames.isBalanced)
    }

    /// The writer is then never woken by a half-full queue.
    @Test("A stream continues although the caller keeps all frames but one")
    func keptFrames() async throws {
        let folder = try TemporaryFolder()
        let writer = try FrameStreamWriter(.file(folder("frames.raw")), layout: .raw)
        var settings = FrameExport.Settings()
        settings.count = 20
        let kept = Lock([VideoFrame]())
        let capacity = writer.capacity
        let export = FrameExport(from: film, to: writer, settings: settings) { number, frame in
            if number < capacity - 1 { kept.withLock { $0.append(frame) } }
        }
        let report = await export.run()
        guard case .limitReached = report.ending else { throw Unexpected(report.ending) }
        #expect(writer.counts.frames == 20)
        #expect(kept.withLock { $0.count } == capacity - 1)
        kept.withLock { $0 = [] }
    }

    @Test("A duration counts from the first frame, and its end is not in it")
    func duration() async {
        let writer = CountingWriter()
        _ = await export(writer) { $0.duration = MediaTime(value: 2, timescale: 5) }
        #expect(writer.numbers == Array(0..<10))
    }

    @Test("Every n-th frame is the first, and then each n-th")
    func every() async throws {
        let writer = CountingWriter()
        let report = await export(writer) {
            $0.frameStride = 3
            $0.count = 4
        }
        #expect(writer.numbers == [0, 3, 6, 9])
        #expect(try #require(report.reader).frames.skipped >= 6)
    }

    @Test("An interval thins out")
    func interval() async {
        let writer = CountingWriter()
        _ = await export(writer) {
            $0.interval = MediaTime(value: 1, timescale: 5)
            $0.count = 3
        }
        #expect(writer.numbers == [0, 5, 10])
    }

    @Test("A writer that fails ends it, with its error")
    func failure() async throws {
        let writer = CountingWriter(failsAt: 3)
        let report = await export(writer) { $0.count = 100 }
        guard case .failed(let error) = report.ending else { throw Unexpected(report.ending) }
        #expect(error.code == .invalidPath)
        #expect(writer.numbers == [0, 1, 2])
    }

    @Test("Stopping ends it, also from the callback of a frame")
    func stop() async throws {
        let writer = CountingWriter()
        let holder = Lock<FrameExport?>(nil)
        let export = FrameExport(from: film, to: writer) { number, _ in
            if number == 4 { holder.withLock { $0 }?.stop() }
        }
        holder.withLock { $0 = export }
        let report = await export.run()
        holder.withLock { $0 = nil }
        guard case .stopped = report.ending else { throw Unexpected(report.ending) }
        #expect(writer.numbers == Array(0..<5))
    }

    @Test("A camera that may not be used is an error")
    func refused() async throws {
        let device = CaptureDevice(
            driver: ReplayDriver(
                formats: [VideoFormat(pixelFormat: .i420, width: 4, height: 4)], script: [],
                authorizationStatus: .denied))
        let report = await FrameExport(from: device, to: CountingWriter()).run()
        guard case .failed(let error) = report.ending else { throw Unexpected(report.ending) }
        #expect(error.code == .notAuthorized)
    }

    @Test("The end of the source is the end")
    func end() async throws {
        let picture = try Pictures.make(.i420, 4, 4)
        let device = CaptureDevice(
            driver: ReplayDriver(
                formats: [VideoFormat(pixelFormat: .i420, width: 4, height: 4)],
                script: ReplayEvent.frames(1, of: picture, at: FrameRate(1000)) + [
                    ReplayEvent(at: .milliseconds(1), .end)
                ]))
        let writer = CountingWriter()
        let report = await FrameExport(from: device, to: writer).run()
        guard case .sourceEnded = report.ending else { throw Unexpected(report.ending) }
        #expect(writer.numbers == [0])
    }
}

/// An ending that a test did not expect.
private struct Unexpected: Error, CustomStringConvertible {
    let description: String

    init(_ ending: FrameExport.Ending) {
        description = "ended with \(ending)"
    }
}
