// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import ObscuraDrivers
import TestSupport
import Testing

@Suite("FrameExtractor", .hangLimit)
struct FrameExtractorTests {
    /// A built-in camera that is read as fast as it is taken.
    static func quickPattern(_ width: Int, _ height: Int) -> CaptureDevice {
        CaptureDevice(
            driver: PatternDriver(size: PixelSize(width: width, height: height), isLive: false, name: "quick"))
    }

    static var lossless: MovieReadingOptions {
        var reading = MovieReadingOptions()
        reading.pace = .lossless
        return reading
    }

    @Test("A loop gives the camera's frames in order, as upright BGRA images")
    func loop() async throws {
        let extractor = FrameExtractor(.device(Self.quickPattern(320, 240)), reading: Self.lossless)
        var numbers: [UInt64] = []
        for try await frame in extractor.frames {
            #expect(frame.image.format == .bgra)
            #expect(frame.image.size == PixelSize(width: 320, height: 240))
            #expect(PatternScene.readSequence(of: frame.image) == frame.video.sequence)
            numbers.append(frame.video.sequence)
            if numbers.count == 50 { break }
        }
        #expect(numbers == Array(0..<50))
    }

    @Test("An image is made once, and kept with its frame")
    func imageOnce() async throws {
        let extractor = FrameExtractor(.device(Self.quickPattern(64, 48)), reading: Self.lossless)
        for try await frame in extractor.frames {
            #expect(frame.image.isIdentical(to: frame.image))
            break
        }
    }

    @Test("A frame of which no image can be made is dropped and counted, and the loop goes on")
    func failingImage() async throws {
        let extractor = FrameExtractor(.device(Self.quickPattern(64, 48)), reading: Self.lossless)
        extractor.effects = [
            VideoEffect("every other") { _, context in
                guard context.sequence % 2 == 0 else { throw CancellationError() }
            }
        ]
        var numbers: [UInt64] = []
        for try await frame in extractor.frames {
            #expect(frame.image.format == .bgra)
            numbers.append(frame.video.sequence)
            guard numbers.count == 5 else { continue }
            #expect(numbers == [0, 2, 4, 6, 8])
            let counts = try #require(extractor.ledger.readers.first { $0.isAttached }).frames
            #expect(counts.dropped[.transformFailed] == 4)
            break
        }
        #expect(numbers.count == 5)
    }

    @Test("Without images a frame has the camera's own picture, and nothing is converted")
    func withoutImages() async throws {
        let extractor = FrameExtractor(.device(Self.quickPattern(64, 48)), reading: Self.lossless)
        extractor.makesImages = false
        extractor.size = PixelSize(width: 0, height: -1)
        for try await frame in extractor.frames {
            #expect(frame.image.isIdentical(to: frame.video.buffer))
            #expect(frame.image.format != .bgra)
            break
        }
    }

    @Test("A size that no image can have ends the loop with an error")
    func impossibleImage() async {
        let extractor = FrameExtractor(.device(Self.quickPattern(64, 48)), reading: Self.lossless)
        extractor.size = PixelSize(width: 0, height: -1)
        let error = await #expect(throws: ObscuraError.self) { for try await _ in extractor.frames {} }
        #expect(error?.code == .invalidConfiguration)
    }

    @Test("One loop after another starts the camera again")
    func twoLoops() async throws {
        let extractor = FrameExtractor(.device(Self.quickPattern(64, 48)), reading: Self.lossless)
        for _ in 0..<20 {
            var count = 0
            for try await _ in extractor.frames {
                count += 1
                if count == 3 { break }
            }
            #expect(count == 3)
        }
    }

    @Test("The last loop stops the camera, but not one that was started by hand")
    func lastLoopStops() async throws {
        let extractor = FrameExtractor(.device(Self.quickPattern(64, 48)), reading: Self.lossless)
        let events = extractor.events
        for try await _ in extractor.frames { break }
        for await event in events {
            if case .stopped = event { break }
        }
        #expect(!extractor.isRunning)

        try await extractor.start()
        for try await _ in extractor.frames { break }
        #expect(extractor.isRunning)
        await extractor.stop()
        #expect(!extractor.isRunning)
    }

    @Test("A denied permission ends the loop by throwing, and opens nothing")
    func denied() async throws {
        let camera = CaptureDevice(
            driver: ReplayDriver(
                formats: [VideoFormat(pixelFormat: .i420, width: 64, height: 48)], script: [],
                authorizationStatus: .notDetermined, requestAccess: { false },
                refusal: { _ in ObscuraError(.capture, .deviceFailed, subject: "replay", reason: "it was opened") }))
        let extractor = FrameExtractor(.device(camera))
        await #expect {
            for try await _ in extractor.frames {}
        } throws: {
            ($0 as? ObscuraError)?.code == .notAuthorized
        }
    }

    @Test("Without a camera the error says what else there is")
    func noCamera() async throws {
        let extractor = FrameExtractor(.named("camera:no-such-camera"))
        await #expect {
            try await extractor.start()
        } throws: { error in
            guard let error = error as? ObscuraError else { return false }
            return error.code == .noSuchDevice && error.description.contains("pattern")
        }
    }

    @Test("A switch of cameras keeps the loop, and no frame of the old camera follows")
    func switchCamera() async throws {
        let small = Self.quickPattern(64, 48)
        let large = Self.quickPattern(128, 96)
        let extractor = FrameExtractor(.device(small), reading: Self.lossless)
        var switches = 0
        var expected = 64
        for try await frame in extractor.frames {
            #expect(frame.image.width == expected)
            if switches == 20 { break }
            switches += 1
            expected = expected == 64 ? 128 : 64
            try await extractor.switchCamera(to: .device(expected == 64 ? small : large))
        }
        #expect(switches == 20)
    }

    @Test("Turns and mirrors take effect while it runs, the last one wins")
    func orientation() async throws {
        let extractor = FrameExtractor(.device(Self.quickPattern(128, 96)), reading: Self.lossless)
        for try await frame in extractor.frames {
            extractor.orientation = .left
            extractor.orientation = .right
            extractor.isMirrored = true
            // A frame that was taken keeps what was wished when it was taken.
            #expect(frame.image.size == PixelSize(width: 128, height: 96))
            break
        }
        for try await frame in extractor.frames {
            #expect(frame.image.size == PixelSize(width: 96, height: 128))
            break
        }
    }

    @Test("A preset that the camera does not have is refused as an event, and the old one stays")
    func refusedPreset() async throws {
        let formats = [640, 320].map { VideoFormat(pixelFormat: .i420, width: $0, height: $0 * 3 / 4) }
        let picture = try PixelBuffer(format: .i420, width: 640, height: 480)
        let script = ReplayEvent.frames(1000, of: picture, at: FrameRate(100))
        let camera = CaptureDevice(driver: ReplayDriver(formats: formats, script: script))
        let extractor = FrameExtractor(.device(camera), preset: .vga640x480)
        let events = extractor.events
        try await extractor.start()
        extractor.preset = .hd4K3840x2160
        for await event in events {
            guard case .refused(let error) = event else { continue }
            #expect(error.code == .unsupportedFormat)
            break
        }
        #expect(extractor.preset == .vga640x480)
        #expect(extractor.isRunning)
        await extractor.stop()
    }

    @Test("The delegate is called on the main actor with the image already made")
    @MainActor
    func delegate() async throws {
        let extractor = FrameExtractor(.device(Self.quickPattern(64, 48)), reading: Self.lossless)
        let recorder = Recorder()
        extractor.setDelegate(recorder)
        try await extractor.start()
        let captured = await recorder.captured(5)
        await extractor.stop()
        #expect(captured == [0, 1, 2, 3, 4])
        #expect(recorder.hasImages)
        await recorder.sawState(.stopped)
        #expect(recorder.states.first == .running)
    }
}

/// Keeps what a delegate is told.
@MainActor
final class Recorder: FrameExtractorDelegate {
    private(set) var numbers: [UInt64] = []
    private(set) var states: [FrameExtractor.State] = []
    private(set) var hasImages = true
    private let changes = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    func extractor(_ extractor: FrameExtractor, didCapture frame: FrameExtractor.Frame) {
        numbers.append(frame.video.sequence)
        hasImages = hasImages && frame.image.format == .bgra
        changes.continuation.yield()
    }

    func extractor(_ extractor: FrameExtractor, didChange state: FrameExtractor.State) {
        states.append(state)
        changes.continuation.yield()
    }

    func captured(_ count: Int) async -> [UInt64] {
        for await _ in changes.stream where numbers.count >= count { break }
        return Array(numbers.prefix(count))
    }

    func sawState(_ state: FrameExtractor.State) async {
        if states.contains(state) { return }
        for await _ in changes.stream where states.contains(state) { break }
    }
}
