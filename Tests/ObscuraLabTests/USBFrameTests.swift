// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import ObscuraBase
import ObscuraDrivers
import ObscuraMedia
import TestSupport
import Testing

/// The frames of emulated USB cameras: each has its number, in the form of `PatternScene`, and bars of known colors.
@Suite("The frames of a USB camera", .guest, .serialized)
struct USBFrameTests {
    private let camera: USBCamera

    init() throws {
        camera = try #require(try USBCamera.all().first)
    }

    @Test("The modes are those of the descriptors; a continuous range of intervals has the common rates")
    func modes() throws {
        let formats = try CaptureDevice.named("camera:\(camera.path)").formats
        let expected: [(format: PixelFormat, width: Int, height: Int, rates: [Int])] = [
            (.yuyv, 160, 120, [30, 15, 10]), (.yuyv, 320, 180, [30, 15, 10]), (.yuyv, 320, 240, [30, 15, 10]),
            (.yuyv, 640, 480, [10, 5]), (.mjpeg, 320, 180, [30, 15, 10]), (.mjpeg, 320, 240, [30, 25, 20, 15, 10, 5]),
            (.mjpeg, 640, 480, [15, 10]),
        ]
        for mode in expected {
            let size = PixelSize(width: mode.width, height: mode.height)
            let rates = formats.filter { $0.pixelFormat == mode.format && $0.size == size }
                .compactMap { $0.frameRate.map { Int($0.framesPerSecond.rounded()) } }
            #expect(rates == mode.rates, "\(mode)")
        }
        #expect(formats.count == 22)
    }

    @Test("At 30 frames per second no frame is lost", arguments: [PixelFormat.yuyv, .mjpeg])
    func everyFrame(format: PixelFormat) async throws {
        let size = format == .yuyv ? PixelSize(width: 160, height: 120) : CameraSession.small
        let format = VideoFormat(pixelFormat: format, width: size.width, height: size.height, frameRate: FrameRate(30))
        let output = VideoDataOutput(latePolicy: .bounded(64))
        let run = try await CameraSession(camera.path, format: format, outputs: [output])
        var frames = output.frames.makeAsyncIterator()
        try await run.session.start()
        var numbers: [UInt64] = []
        var times: [HostTime] = []
        for _ in 0..<(isLongForm ? 600 : 60) {
            let frame = try #require(try await frames.next())
            numbers.append(try #require(PatternScene.readSequence(of: frame.buffer)))
            times.append(frame.hostTime)
            #expect(frame.attachments.gap == 0 && !frame.attachments.isHostTimeEstimated)
        }
        let ledger = run.session.ledger
        await run.session.stop()
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 + 1 == $1 }, "\(numbers)")
        #expect(ledger.inputs.first?.gaps == 0 && ledger.inputs.first?.lost == 0)
        #expect(ledger.readers.first?.frames.dropped.total == 0)
        expectInterval(times, 1 / 30)
        run.expectBalance()
    }

    @Test("Every size streams, in both pixel formats, with the colors of its bars")
    func bars() async throws {
        let formats = try CaptureDevice.named("camera:\(camera.path)").formats
        let sizes = Dictionary(grouping: formats) { "\($0.pixelFormat) \($0.size)" }.values.compactMap(\.first)
        #expect(sizes.count == 7)
        for format in sizes {
            let output = VideoDataOutput(pixelFormat: .bgra)
            let run = try await CameraSession(camera.path, format: format, outputs: [output])
            var frames = output.frames.makeAsyncIterator()
            try await run.session.start()
            let picture = try #require(try await frames.next()).buffer
            await run.session.stop()
            #expect(picture.size == format.size)
            for (index, bar) in VividCamera.bars.enumerated() {
                let x = (2 * index + 1) * picture.width / (2 * VividCamera.bars.count)
                let offset = picture.height / 4 * picture.bytesPerRow(ofPlane: 0) + 4 * x
                let pixel = picture.withBytes(ofPlane: 0) { bytes in
                    (0..<3).map { Int(bytes.unsafeLoad(fromByteOffset: offset + $0, as: UInt8.self)) }
                }
                let isClose = zip(pixel, [bar.blue, bar.green, bar.red]).allSatisfy { abs($0 - 255 * $1) <= 3 }
                #expect(isClose, "\(format) bar \(index): \(pixel)")
            }
        }
    }

    @Test("A rate within a continuous range of intervals is set")
    func continuousRate() async throws {
        let format = VideoFormat(pixelFormat: .mjpeg, width: 320, height: 240, frameRate: FrameRate(20))
        try await expectInterval(format, 1 / 20)
    }

    @Test("A camera that slows down in the dark has true time stamps and no gaps")
    func slowerRate() async throws {
        let format = VideoFormat(pixelFormat: .yuyv, width: 160, height: 120, frameRate: FrameRate(30))
        try camera.tell("rate", "8")
        defer { _ = try? camera.tell("rate", "0") }
        try await expectInterval(format, 1 / 8)
    }

    private func expectInterval(_ format: VideoFormat, _ expected: Double) async throws {
        let output = VideoDataOutput(latePolicy: .bounded(64))
        let run = try await CameraSession(camera.path, format: format, outputs: [output])
        var frames = output.frames.makeAsyncIterator()
        try await run.session.start()
        var times: [HostTime] = []
        while times.count < 15 { times.append(try #require(try await frames.next()).hostTime) }
        #expect(run.session.ledger.inputs.first?.gaps == 0)
        await run.session.stop()
        expectInterval(times, expected)
    }

    /// Expects that the median interval is within a tenth of `expected`, in seconds.
    private func expectInterval(_ times: [HostTime], _ expected: Double) {
        let intervals = zip(times, times.dropFirst()).map { Double(($1 - $0).wholeNanoseconds) / 1e9 }.sorted()
        let median = intervals[intervals.count / 2]
        #expect(abs(median - expected) < expected / 10, "\(intervals)")
    }
}
