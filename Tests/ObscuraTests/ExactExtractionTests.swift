// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Obscura
import ObscuraMedia
import TestSupport
import Testing

/// Whole movies through a running session: every frame, at its time, in its colours.
@Suite("Extraction of movies", .hangLimit)
struct ExactExtractionTests {
    /// One movie that ffmpeg makes of a moving test picture.
    struct Movie: Sendable, CustomTestStringConvertible {
        var name: String
        var size = "320x180"
        var arguments: [String]
        var testDescription: String { name }

        func path() throws -> String {
            // The hue turns, so that saturated primaries of all kinds come by.
            let source = "testsrc2=s=\(size):r=25:d=0.8,hue=H=0.2*t:s=1.5"
            return try TestMovies.path("exact-\(name)", ["-f", "lavfi", "-i", source] + arguments)
        }

        static func h264(_ name: String, size: String = "320x180", _ arguments: String...) -> Movie {
            Movie(name: name + ".mp4", size: size, arguments: ["-c:v", "libx264", "-qp", "10"] + arguments)
        }
    }

    static let movies: [Movie] = [
        .h264("untagged", "-pix_fmt", "yuv420p"),
        .h264(
            "bt709", "-vf", "scale=out_color_matrix=bt709", "-pix_fmt", "yuv420p", "-colorspace", "bt709",
            "-color_primaries", "bt709", "-color_trc", "bt709"),
        .h264(
            "bt2020", "-vf", "scale=out_color_matrix=bt2020", "-pix_fmt", "yuv420p", "-colorspace", "bt2020nc",
            "-color_primaries", "bt2020", "-color_trc", "bt2020-10"),
        .h264(
            "full", "-vf", "scale=out_color_matrix=bt709:out_range=pc", "-pix_fmt", "yuv420p", "-color_range", "pc",
            "-colorspace", "bt709"),
        .h264("b-frames", "-pix_fmt", "yuv420p", "-bf", "3", "-g", "12"),
        .h264("odd", size: "641x361", "-pix_fmt", "yuv444p"),
        Movie(name: "odd-420.mkv", size: "641x361", arguments: ["-c:v", "ffv1", "-pix_fmt", "yuv420p"]),
        .h264("10-bit", "-pix_fmt", "yuv420p10le"),
        .h264(
            "10-bit-2020", "-vf", "scale=out_color_matrix=bt2020", "-pix_fmt", "yuv422p10le", "-colorspace",
            "bt2020nc"),
        .h264("4-2-2", "-pix_fmt", "yuv422p"),
        .h264("4-4-4", "-pix_fmt", "yuv444p"),
        Movie(
            name: "variable.mkv",
            arguments: ["-vf", "select='mod(n,3)'", "-fps_mode", "vfr", "-c:v", "libx264", "-pix_fmt", "yuv420p"]),
        Movie(name: "mjpeg.avi", arguments: ["-c:v", "mjpeg", "-q:v", "3", "-pix_fmt", "yuvj420p"]),
        Movie(name: "vp9.webm", arguments: ["-c:v", "libvpx-vp9", "-b:v", "1M", "-cpu-used", "8"]),
    ]

    @Test("Every frame comes once, in order, at ffprobe's time, within 1 of the exact colours", arguments: movies)
    func exact(_ movie: Movie) async throws {
        try await compare(try movie.path(), everyPictureOf: 1)
    }

    @Test(
        "A real film of 1,056 frames: all of them, in order, each tenth compared on every pixel",
        .enabled("OBSCURA_TEST_MOVIE names no film") {
            ProcessInfo.processInfo.environment["OBSCURA_TEST_MOVIE"] != nil
        })
    func film() async throws {
        let film = try #require(ProcessInfo.processInfo.environment["OBSCURA_TEST_MOVIE"])
        let frames = try await compare(film, everyPictureOf: isLongForm ? 10 : 50)
        #expect(frames == 1056)
    }

    /// Reads the movie with two readers at once, one of the decoder's samples and one of BGRA.
    @discardableResult
    private func compare(_ path: String, everyPictureOf step: Int) async throws -> Int {
        var reading = MovieReadingOptions()
        reading.pace = .lossless
        let native = VideoDataOutput(name: "native", latePolicy: .lossless)
        let converted = VideoDataOutput(name: "bgra", pixelFormat: .bgra, latePolicy: .lossless)
        let session = CaptureSession()
        let input = try CaptureDeviceInput(device: .named(path, reading: reading))
        try await session.configure {
            try $0.addInput(input)
            try $0.addOutput(native)
            try $0.addOutput(converted)
        }
        var natives = native.frames.makeAsyncIterator()
        var conversions = converted.frames.makeAsyncIterator()
        try await session.start()

        let probe = try Probe(path)
        let reference = try FFmpegPictures(path, step: step)
        var count = 0
        while let source = try await natives.next(), let frame = try await conversions.next() {
            let index = count
            count += 1
            guard index < probe.frames.count else { continue }
            try #require(source.sequence == frame.sequence)
            #expect(frame.sequence == UInt64(index))
            #expect(frame.presentationTime == probe.frames[index].time)
            guard index % step == 0 else { continue }
            let difference = try #require(ExactPicture.largestDifference(of: frame.buffer, from: source.buffer))
            #expect(difference <= 1, "frame \(index) is off by \(difference)")
            let other = try #require(
                try reference.next().flatMap { ExactPicture.largestDifference(of: frame.buffer, from: $0[...]) })
            #expect(other <= 2, "frame \(index) is off by \(other) from ffmpeg's")
        }
        #expect(count == probe.frames.count)
        let readers = session.ledger.readers
        #expect(readers.allSatisfy { $0.frames.dropped.total == 0 && $0.frames.isBalanced })
        return count
    }
}

/// The pictures of a movie as ffmpeg converts them to BGRA with its exact settings, one at a time.
final class FFmpegPictures {
    private let pipe: UnsafeMutablePointer<FILE>
    private let byteCount: Int

    init(_ path: String, step: Int) throws {
        let size = try Tool.run(
            "ffprobe",
            ["-v", "error", "-select_streams", "v:0", "-show_entries", "stream=width,height", "-of", "csv=p=0", path])
        let sides = String(decoding: size, as: UTF8.self).split { ",\n".contains($0) }.compactMap { Int($0) }
        try #require(sides.count >= 2)
        byteCount = sides[0] * sides[1] * 4
        let command = [
            "ffmpeg", "-nostdin", "-v", "error", "-i", path, "-vf", "select=not(mod(n\\,\(step)))", "-fps_mode",
            "passthrough", "-sws_flags", "neighbor+accurate_rnd+full_chroma_int", "-pix_fmt", "bgra", "-f", "rawvideo",
            "-",
        ]
        pipe = try #require(popen(command.map { "'\($0)'" }.joined(separator: " "), "r"))
    }

    deinit {
        pclose(pipe)
    }

    /// The bytes of the next picture; nil after the last one.
    func next() throws -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: byteCount)
        return fread(&bytes, 1, byteCount, pipe) == byteCount ? bytes : nil
    }
}
