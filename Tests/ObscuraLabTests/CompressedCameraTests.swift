// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Glibc
import Obscura
import ObscuraMedia
import TestSupport
import Testing

/// Cameras that send Motion JPEG and H.264, by v4l2loopback: every number is read from the picture.
@Suite("A camera of compressed pictures", .guest, .serialized)
struct CompressedCameraTests {
    private static let frameCount = isLongForm ? 300 : 60
    private static let size = CameraSession.small

    @Test(
        "Every picture is whole and has its number",
        arguments: [
            (PixelFormat.mjpeg, "MJPG", ["-c:v", "mjpeg", "-q:v", "3", "-pix_fmt", "yuvj420p"]),
            (.h264, "H264", ["-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency", "-g", "10"]),
        ])
    func everyPicture(format: PixelFormat, name: String, encoder: [String]) async throws {
        let pictures = try Self.film(Self.frameCount * 3)
        defer { try? FileManager.default.removeItem(at: pictures) }
        let input = [
            "-f", "rawvideo", "-pix_fmt", "yuv420p", "-video_size", "320x180", "-framerate", "15", "-i", pictures.path,
        ]
        let feeder = try await LoopbackCamera(name, encoder: encoder, input: input)
        defer { feeder.stop() }
        let output = VideoDataOutput(lateFrames: .bounded(64))
        let run = try await CameraSession(LoopbackCamera.path, outputs: [output])
        var frames = output.frames.makeAsyncIterator()
        try await run.session.start()
        #expect(run.session.activeFormat(of: run.input)?.pixelFormat == format)
        var (first, last): (Int?, Int?)
        for _ in 0..<Self.frameCount {
            let frame = try #require(try await frames.next())
            #expect(frame.buffer.size == Self.size)
            let number = try #require(
                PatternScene.readSequence(of: frame.buffer))
            // The loopback's writer goes on to write into what is being read, so a picture may be newer than
            // its number says, by as many as there are buffers; but never is one missing that was counted.
            let offset = Int(number) - Int(frame.sequence)
            #expect(abs(offset - (first ?? offset)) <= 8)
            #expect(Int(number) > last ?? -1)
            first = first ?? offset
            last = Int(number)
        }
        let ledger = run.session.ledger
        await run.session.stop()
        let reader = try #require(ledger.readers.first?.frames)
        // An H.264 camera is joined in the middle: what comes before its next key frame cannot be seen.
        #expect(reader.dropped.total == reader.dropped[.deviceError])
        #expect(reader.dropped.total <= (format == .h264 ? 10 : 0))
        run.expectBalance()
        #expect(await becomes { PixelBuffer.liveCount == 0 })
    }

    @Test("One truncated JPEG is one deviceError, and nothing else is lost")
    func truncated() async throws {
        let camera = try HandFedCamera("MJPG", size: Self.size)
        let scene = try PatternScene(size: Self.size)
        // The device is a camera once it has a first picture, which the reader may see or not.
        try camera.give(try JPEGEncoder().encode(scene.draw(sequence: 1000, time: .zero)))
        let output = VideoDataOutput(lateFrames: .bounded(64))
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
        let feeder = try await LoopbackCamera("MJPG")
        defer { feeder.stop() }
        let output = VideoDataOutput(lateFrames: .bounded(8))
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

    /// So many pictures of the built-in camera, one after the other in a file.
    private static func film(_ count: Int) throws -> URL {
        let file = Lab.out.appending(path: "\(UUID().uuidString).yuv")
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        let scene = try PatternScene(size: size)
        for number in 0..<count {
            let picture = try scene.draw(sequence: UInt64(number), time: MediaTime(value: Int64(number), timescale: 15))
            try handle.write(contentsOf: Data(picture.packedBytes()))
        }
        try handle.close()
        return file
    }
}
