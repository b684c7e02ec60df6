// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Glibc
import Obscura
import ObscuraDrivers
import ObscuraMedia
import TestSupport
import Testing

/// Cameras that send Motion JPEG and H.264, by v4l2loopback: every number is read from the picture.
@Suite("A camera of compressed pictures", .guest, .serialized)
struct CompressedCameraTests {
    private static let frameCount = isLongForm ? 300 : 60
    private static let size = CameraSession.small

    @Test("Every picture is whole and has its number", arguments: [(PixelFormat.mjpeg, "MJPG"), (.h264, "H264")])
    func everyPicture(format: PixelFormat, name: String) async throws {
        let pictures = try Self.encoded(format)
        let camera = try HandFedCamera(name, size: Self.size)
        // The device is a camera once it has a first picture, which the reader may see or not.
        try camera.give(pictures[0])
        let output = VideoDataOutput(latePolicy: .bounded(64))
        let run = try await CameraSession(LoopbackCamera.path, outputs: [output])
        var frames = output.frames.makeAsyncIterator()
        try await run.session.start()
        #expect(run.session.activeFormat(of: run.input)?.pixelFormat == format)
        var seen: [(number: Int, sequence: Int)] = []
        for (number, picture) in pictures.enumerated() {
            try camera.give(picture)
            // One at a time: the device would write the next one into what is being read.
            while seen.last?.number != number {
                let frame = try #require(try await frames.next())
                #expect(frame.buffer.size == Self.size)
                seen.append(
                    (Int(try #require(PatternScene.readSequence(of: frame.buffer))), Int(frame.sequence)))
            }
        }
        let ledger = run.session.ledger
        await run.session.stop()
        if seen.count > 1, seen[1].number == 0 { seen.removeFirst() }
        #expect(seen.map(\.number) == Array(pictures.indices))
        // None is missing that was counted, and none is counted twice.
        #expect(Set(seen.map { $0.sequence - $0.number }).count == 1, "\(seen)")
        let reader = try #require(ledger.readers.first?.frames)
        #expect(reader.dropped.total == 0)
        run.expectBalance()
        #expect(await becomes { PixelBuffer.liveCount == 0 })
    }

    @Test("One truncated JPEG is one deviceError, and nothing else is lost")
    func truncated() async throws {
        let camera = try HandFedCamera("MJPG", size: Self.size)
        let scene = try PatternScene(size: Self.size)
        // The device is a camera once it has a first picture, which the reader may see or not.
        try camera.give(try JPEGEncoder().encode(scene.draw(sequence: 1000, time: .zero)))
        let output = VideoDataOutput(latePolicy: .bounded(64))
        let run = try await CameraSession(LoopbackCamera.path, outputs: [output])
        var frames = output.frames.makeAsyncIterator()
        try await run.session.start()
        var seen: [UInt64] = []
        for number in 0..<9 {
            let picture = try scene.draw(sequence: UInt64(number), time: .zero)
            let jpeg = try JPEGEncoder().encode(picture)
            try camera.give(number == 4 ? Array(jpeg.prefix(jpeg.count / 2)) : jpeg)
            if number == 4 {
                // Decoded when the reader comes to it, with the next one.
                continue
            }
            while seen.last != UInt64(number) {
                let frame = try #require(try await frames.next())
                seen.append(try #require(PatternScene.readSequence(of: frame.buffer)))
            }
        }
        let ledger = run.session.ledger
        await run.session.stop()
        #expect(seen.filter { $0 < 1000 } == [0, 1, 2, 3, 5, 6, 7, 8])
        let reader = try #require(ledger.readers.first?.frames)
        #expect(reader.dropped[.deviceError] == 1)
        #expect(reader.dropped.total == 1)
        run.expectBalance()
    }

    @Test("A camera that gives no frames is missed, started again, and goes on by itself")
    func stalled() async throws {
        let feeder = try await LoopbackCamera()
        defer { feeder.stop() }
        let output = VideoDataOutput(latePolicy: .bounded(8))
        let run = try await CameraSession(LoopbackCamera.path, outputs: [output])
        var frames = output.frames.makeAsyncIterator()
        try await run.session.start()
        #expect(try await frames.next() != nil)
        feeder.halt()
        #expect(await becomes { run.events.all.last == "interrupted: stalled" })
        feeder.goOn()
        var frame = try await frames.next()
        while let next = frame, !next.attachments.isDiscontinuity { frame = try await frames.next() }
        #expect(frame != nil)
        #expect(await becomes { run.events.all.last == "interruption ended" })
        await run.session.stop()
        run.expectBalance()
    }

    /// Pictures of the built-in camera, each of them as `ffmpeg` encodes it.
    private static func encoded(_ format: PixelFormat) throws -> [[UInt8]] {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let film = folder("film.yuv")
        let scene = try PatternScene(size: size)
        var bytes: [UInt8] = []
        for number in 0..<frameCount {
            let time = MediaTime(value: Int64(number), timescale: 15)
            bytes += try scene.draw(sequence: UInt64(number), time: time).packedBytes()
        }
        try Data(bytes).write(to: URL(fileURLWithPath: film))
        let input = [
            "-f", "rawvideo", "-pix_fmt", "yuv420p", "-video_size", "320x180", "-framerate", "15", "-i", film,
        ]
        if format == .h264 {
            let arguments = ["-preset", "ultrafast", "-tune", "zerolatency", "-g", "10"]
            let slices = ["-x264-params", "sliced-threads=0"]
            return try H264Stream("numbers.h264", of: input, arguments + slices).accessUnits
        }
        let encoder = ["-c:v", "mjpeg", "-q:v", "3", "-pix_fmt", "yuvj420p"]
        try Tool.run("ffmpeg", ["-v", "error"] + input + encoder + [folder("%04d.jpg")])
        return try (1...frameCount).map { try folder.bytes(of: String(format: "%04d.jpg", $0)) }
    }
}
