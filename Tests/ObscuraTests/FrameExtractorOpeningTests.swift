// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import ObscuraDrivers
import ObscuraMedia
import TestSupport
import Testing

/// What may happen while a front door opens: switches, stops, denials, cancellations.
@Suite("FrameExtractor, opening", .hangLimit)
struct FrameExtractorOpeningTests {
    private static func camera(_ width: Int) -> CaptureDevice {
        FrameExtractorTests.quickPattern(width, 48)
    }

    private static func extractor(_ device: CaptureDevice) -> FrameExtractor {
        FrameExtractor(.device(device), reading: FrameExtractorTests.lossless)
    }

    /// A camera whose permission is asked, and given or refused when the test says so.
    private static func asked(
        _ answer: AsyncStream<Bool>, _ asking: AsyncStream<Void>.Continuation
    ) throws -> CaptureDevice {
        let picture = try PixelBuffer(format: .i420, width: 64, height: 48)
        return CaptureDevice(
            driver: ReplayDriver(
                formats: [VideoFormat(pixelFormat: .i420, width: 64, height: 48)],
                script: ReplayEvent.frames(1000, of: picture, at: FrameRate(200)), authorizationStatus: .notDetermined,
                requestAccess: {
                    asking.yield()
                    for await isGranted in answer { return isGranted }
                    return false
                }))
    }

    @Test("A switch before the first use chooses the camera, and its frames come")
    func switchFirst() async throws {
        let extractor = Self.extractor(Self.camera(64))
        extractor.preset = .low
        try await extractor.switchCamera(to: .device(Self.camera(128)))
        for try await frame in extractor.frames {
            #expect(frame.image.width == 128)
            break
        }
        #expect(extractor.preset == .low)
    }

    @Test("What gives sound alone is refused in plain words, also as the camera to switch to")
    func soundAlone() async throws {
        let path = try TestMovies.path("tone.m4a", ["-f", "lavfi", "-i", "sine=d=1", "-c:a", "aac"])
        for source in [path, "tone"] {
            let extractor = FrameExtractor(source: source)
            let error = await #expect(throws: ObscuraError.self) { for try await _ in extractor.frames {} }
            #expect(error?.reason == "it has audio but no video" && error?.subject == source)
        }
        let extractor = Self.extractor(Self.camera(64))
        await #expect(throws: ObscuraError.self) { try await extractor.switchCamera(to: .named(path)) }
    }

    @Test("Of two switches at once one camera is left")
    func switchesAtOnce() async throws {
        for _ in 0..<20 {
            let extractor = Self.extractor(Self.camera(64))
            try await extractor.start()
            async let first: Void = extractor.switchCamera(to: .device(Self.camera(128)))
            async let second: Void = extractor.switchCamera(to: .device(Self.camera(192)))
            _ = try await (first, second)
            #expect(extractor.ledger.inputs.filter(\.isRunning).count == 1)
            await extractor.stop()
        }
    }

    @Test("A stop while permission is pending ends the loop at once, and nothing runs afterwards")
    func stopWhileAsking() async throws {
        let (answer, answers) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
        let (asking, asks) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let extractor = FrameExtractor(.device(try Self.asked(answer, asks)))
        let loop = Task {
            var count = 0
            for try await _ in extractor.frames { count += 1 }
            return count
        }
        for await _ in asking { break }
        await extractor.stop()
        #expect(try await loop.value == 0)
        answers.yield(true)
        await extractor.stop()
        #expect(!extractor.isRunning)
    }

    @Test("Cancelling a loop while permission is pending ends it at once")
    func cancelWhileAsking() async throws {
        let (answer, answers) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
        let (asking, asks) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let extractor = FrameExtractor(.device(try Self.asked(answer, asks)))
        let loop = Task {
            for try await _ in extractor.frames {}
        }
        for await _ in asking { break }
        loop.cancel()
        try await loop.value
        answers.yield(true)
        #expect(!extractor.isRunning)
    }

    @Test("Everybody who waits for a start is told of the denial")
    func deniedForAll() async throws {
        let (answer, answers) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
        let (asking, asks) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let extractor = FrameExtractor(.device(try Self.asked(answer, asks)))
        let loops = (0..<3).map { _ in
            Task { () -> ObscuraError.Code? in
                do {
                    for try await _ in extractor.frames {}
                    return nil
                } catch {
                    return (error as? ObscuraError)?.code
                }
            }
        }
        for await _ in asking { break }
        answers.yield(false)
        answers.finish()
        for loop in loops { #expect(await loop.value == .notAuthorized) }
    }

    @Test("A camera that is switched to is asked for first, also while another one runs")
    func switchAsks() async throws {
        let (answer, answers) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
        let (asking, asks) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let extractor = Self.extractor(Self.camera(128))
        try await extractor.start()
        answers.yield(false)
        let guarded = try Self.asked(answer, asks)
        await #expect {
            try await extractor.switchCamera(to: .device(guarded))
        } throws: {
            ($0 as? ObscuraError)?.code == .notAuthorized
        }
        for await _ in asking { break }
        #expect(extractor.isRunning)
        #expect(extractor.ledger.inputs.filter(\.isRunning).count == 1)
        await extractor.stop()
    }

    @Test("A loop over a film that is over ends; after a new start it gets the film again")
    func afterTheEnd() async throws {
        let picture = try PixelBuffer(format: .i420, width: 64, height: 48)
        let script = ReplayEvent.frames(3, of: picture, at: FrameRate(500)) + [ReplayEvent(at: .milliseconds(10), .end)]
        let camera = CaptureDevice(
            driver: ReplayDriver(
                formats: [VideoFormat(pixelFormat: .i420, width: 64, height: 48)], script: script))
        let extractor = Self.extractor(camera)
        for _ in 0..<5 {
            var count = 0
            for try await _ in extractor.frames { count += 1 }
            #expect(count == 3)
        }
    }
}
