// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Obscura
import ObscuraBase
import ObscuraDrivers
import ObscuraMedia
import ObscuraMovies
import TestSupport
import Testing

/// What effects do to a movie that is being recorded, seen in the decoded file.
@Suite(.hangLimit) struct RecordedEffectsTests {
    private func path() -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("obscura-\(UUID().uuidString).mp4").path
    }

    private func frames(_ path: String) throws -> [PixelBuffer] {
        let reader = try MovieReader(path)
        var pictures: [PixelBuffer] = []
        while let frame = try reader.nextFrame() { pictures.append(frame.buffer) }
        return pictures
    }

    private func record(_ seconds: Double, _ movie: MovieFileOutput, watching output: VideoDataOutput) async throws {
        for try await _ in output.frames where movie.recordedDuration.seconds >= seconds { break }
    }

    @Test func `an effect that is set and taken off while it records shows on exactly those frames`() async throws {
        let size = PixelSize(width: 320, height: 180)
        let movie = MovieFileOutput(audio: nil)
        let watch = VideoDataOutput(name: "watch")
        let session = try await CaptureSession.of(PatternDriver(size: size, frameRate: FrameRate(30)), [movie, watch])
        let painted = Lock<Set<UInt64>>([])
        // A red patch in the upper corner, where no number is shown.
        let patch = VideoEffect("patch") { picture, context in
            painted.withLock { _ = $0.insert(context.sequence) }
            let stride = picture.bytesPerRow(ofPlane: 0)
            try picture.withMutableBytes(ofPlane: 0) { bytes in
                for place in 0..<(24 * 24) {
                    let at = (place / 24) * stride + 4 * (place % 24)
                    bytes.storeBytes(of: 0xffff_0000, toByteOffset: at, as: UInt32.self)
                }
            }
        }
        try await session.start()
        let path = path()
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await movie.startRecording(to: path)
        let connection = try #require(movie.connection(with: .video))
        try await record(0.5, movie, watching: watch)
        connection.effects = [.mono, patch]
        try await record(1.2, movie, watching: watch)
        connection.effects = []
        try await record(1.8, movie, watching: watch)
        let result = try #require(await movie.stopRecording())
        await session.stop()
        #expect(result.isUsable)
        var shown: [Bool] = []
        for picture in try frames(path) {
            let number = try #require(PatternScene.readSequence(of: picture))
            var request = ImageRequest(pixelFormat: .bgra)
            request.crop = PixelRect(x: 8, y: 8, width: 8, height: 8)
            let bytes = try ImageTransformer.transform(picture, request).packedBytes()
            let isRed = bytes[2] > 200 && bytes[1] < 60 && bytes[0] < 60
            #expect(isRed == painted.withLock { $0.contains(number) }, "frame \(number)")
            shown.append(isRed)
        }
        // Off, on, off.
        let changes = zip(shown.dropFirst(), shown).count { $0 != $1 }
        #expect(changes == 2 && shown.first == false && shown.last == false && shown.count > 45)
    }

    @Test(.enabled("OBSCURA_TEST_FACES names no folder") { Self.faces != nil })
    func `a movie shows the mask of the faces, and an effect beside it`() async throws {
        let still = try Still(contentsOf: "\(#require(Self.faces))/astronaut.png")
        let size = PixelSize(width: 320, height: 320)
        let picture = try ImageTransformer.transform(still.picture, ImageRequest(pixelFormat: .bgra, size: size))
        let rate = FrameRate(30)
        let camera = ReplayDriver(
            formats: [VideoFormat(pixelFormat: .bgra, width: 320, height: 320, frameRate: rate)],
            script: ReplayEvent.frames(1800, of: picture, at: rate))
        let faces = try FaceOutput()
        let movie = MovieFileOutput(audio: nil)
        let watch = VideoDataOutput(name: "watch")
        let session = try await CaptureSession.of(camera, [movie, faces, watch])
        movie.connection(with: .video)?.effects = [.mono, FaceMask().effect(of: faces)]
        try await session.start()
        for await detection in faces.detections where !detection.faces.isEmpty { break }
        let path = path()
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await movie.startRecording(to: path)
        try await record(1, movie, watching: watch)
        movie.connection(with: .video)?.effects = [.mono]
        try await record(1.5, movie, watching: watch)
        await movie.stopRecording()
        await session.stop()
        let green = try frames(path).map { picture -> Int in
            let bytes = try ImageTransformer.transform(picture, ImageRequest(pixelFormat: .bgra)).packedBytes()
            var count = 0
            for place in stride(from: 0, to: bytes.count, by: 4) {
                let (blue, green, red) = (Int(bytes[place]), Int(bytes[place + 1]), Int(bytes[place + 2]))
                if green > blue + 60, green > red + 60 { count += 1 }
            }
            return count
        }
        #expect(green.prefix(25).allSatisfy { $0 > 150 } && green.suffix(8).allSatisfy { $0 == 0 }, "\(green)")
    }

    static let faces = ProcessInfo.processInfo.environment["OBSCURA_TEST_FACES"]
}
