// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraBase
import ObscuraImaging
import ObscuraMedia
import ObscuraMovies
import TestSupport
import Testing

@Suite(.hangLimit) struct AssetWriterPictureTests {
    private func record(
        _ name: String, _ settings: VideoSettings, _ frames: [VideoFrame], options: AssetWriter.Options = .init()
    ) async throws -> String {
        let path = try Recordings.path(name)
        let writer = try AssetWriter(path: path, video: settings, options: options)
        try writer.startSession(at: .zero)
        for frame in frames { try await writer.append(frame) }
        try await writer.finish()
        try Recordings.expectPlays(path)
        return path
    }

    private func frames(
        _ count: Int = 3, _ format: PixelFormat = .i420, _ width: Int = 160, _ height: Int = 90,
        _ colorSpace: ColorSpace? = .bt709
    ) throws -> [VideoFrame] {
        try (0..<count).map { number in
            try Recordings.frame(
                number, at: MediaTime(value: Int64(number), timescale: 25), format: format, width: width,
                height: height, colorSpace: colorSpace)
        }
    }

    private func noise(_ count: Int) throws -> [VideoFrame] {
        try (0..<count).map { try Recordings.noise($0, at: MediaTime(value: Int64($0), timescale: 25)) }
    }

    @Test("Odd sides lose a row or column for H.264 and HEVC, and stay for the others", arguments: Recordings.codecs)
    func oddSizes(codec: VideoCodec) async throws {
        let path = try await record("movie.mkv", VideoSettings(codec: codec), frames(3, .i420, 163, 91))
        let stream = try #require(try StreamProbe(path).video)
        let isEven = codec == .h264 || codec == .hevc
        #expect(stream.width == (isEven ? 162 : 163) && stream.height == (isEven ? 90 : 91))
    }

    @Test(
        "Pictures of every format become a movie of the same picture",
        arguments: PixelFormat.allCases.filter { !$0.isCompressed }, [VideoCodec.h264, .mjpeg, .ffv1])
    func formats(format: PixelFormat, codec: VideoCodec) async throws {
        let source = try frames(2, format)
        var settings = VideoSettings(codec: codec, quality: 1)
        settings.keyFrameInterval = .seconds(1)
        let path = try await record("movie.mkv", settings, source)
        let raw = [UInt8](
            try Tool.run(
                "ffmpeg", ["-v", "error", "-i", path, "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "bgra", "-"]))
        let exact = try source[0].image(ImageRequest(pixelFormat: .bgra)).packedBytes()
        try #require(raw.count == exact.count)
        // Without alpha, which most of the formats do not have.
        var sum = 0
        for index in exact.indices where index % 4 != 3 { sum += abs(Int(raw[index]) - Int(exact[index])) }
        let error = Double(sum) / Double(exact.count)
        #expect(error < 6, "\(error)")
    }

    @Test("The colours of the source are said in the stream")
    func colors() async throws {
        for (space, name) in [(ColorSpace.bt709, "bt709"), (.bt601, "smpte170m"), (.bt2020, "bt2020nc")] {
            for range in ColorSpace.Range.allCases {
                var space = space
                space.range = range
                let path = try await record("movie.mp4", VideoSettings(), frames(2, .i420, 160, 90, space))
                let stream = try #require(try StreamProbe(path).video)
                #expect(stream.color_space == name && stream.color_range == (range == .full ? "pc" : "tv"))
                #expect(try MovieInfo.read(path).colorSpace == space)
            }
        }
    }

    @Test("A frame of another shape is fitted, with black beside it, and a turned one comes upright")
    func fitting() async throws {
        let settings = VideoSettings(size: PixelSize(width: 160, height: 90))
        var turned = try frames(1, .i420, 90, 160)[0]
        turned.attachments.uprightTurn = .right
        turned.presentationTime = MediaTime(value: 2, timescale: 25)
        let bright = try ["i420", "square"].enumerated().map { number, _ in
            var frame = try Recordings.frame(
                0, at: MediaTime(value: Int64(number), timescale: 25), width: number == 0 ? 160 : 90, height: 90)
            try frame.buffer.withMutableBytes(ofPlane: 0) { bytes in
                for index in 0..<bytes.byteCount { bytes.storeBytes(of: 200, toByteOffset: index, as: UInt8.self) }
            }
            return frame
        }
        let path = try await record("movie.mp4", settings, bright + [turned])
        let raw = [UInt8](
            try Tool.run("ffmpeg", ["-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "gray", "-"]))
        let area = 160 * 90
        try #require(raw.count == 3 * area)
        func pixel(_ frame: Int, _ x: Int, _ y: Int) -> UInt8 { raw[frame * area + y * 160 + x] }
        // (The tool makes gray of full range.)
        #expect(pixel(0, 5, 45) > 180 && pixel(0, 155, 45) > 180)
        #expect(pixel(1, 5, 45) < 20 && pixel(1, 155, 45) < 20 && pixel(1, 80, 45) > 180)
        #expect(pixel(2, 5, 45) > 20 && pixel(2, 155, 45) > 20)
    }

    @Test("The profile, the key frames and the bit rate are what was asked for")
    func encoding() async throws {
        var settings = VideoSettings(bitRate: 200_000, frameRate: FrameRate(25))
        settings.profile = .baseline
        settings.keyFrameInterval = .milliseconds(400)
        let path = try await record("movie.mp4", settings, frames(100))
        let probe = try StreamProbe(path)
        #expect(probe.video?.profile?.contains("Baseline") == true)
        let keys = try Probe(path).frames.enumerated().filter(\.element.isKey).map(\.offset)
        #expect(keys == Array(stride(from: 0, to: 100, by: 10)))
        let noisy = try await record("movie.mp4", VideoSettings(bitRate: 200_000, frameRate: FrameRate(25)), noise(100))
        let size = try #require(try FileManager.default.attributesOfItem(atPath: noisy)[.size] as? Int)
        #expect((80_000...160_000).contains(size), "\(size)")
    }

    @Test("Low quality is smaller than high quality", arguments: Recordings.codecs.filter { $0 != .ffv1 })
    func quality(codec: VideoCodec) async throws {
        func size(_ quality: Double) async throws -> Int {
            let path = try await record("movie.mp4", VideoSettings(codec: codec, quality: quality), noise(10))
            return try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
        }
        #expect(try await size(0.2) * 3 < size(0.9) * 2)
    }

    @Test("Without the GPL's encoders it says so, or what it used")
    func withoutGPL() async throws {
        var settings = VideoSettings()
        settings.encoders.allowsGPL = false
        let path = try Recordings.path("movie.mp4")
        let writer = try AssetWriter(path: path, video: settings)
        try writer.startSession(at: .zero)
        do {
            for frame in try frames(30) { try await writer.append(frame) }
            let report = try await writer.finish()
            #expect(report.videoEncoder != nil && report.videoEncoder?.hasPrefix("libx26") == false)
        } catch let error as ObscuraError {
            #expect(error.code == .encoderUnavailable && error.remedy == .allowGPLEncoders)
            _ = try? await writer.finish()
            #expect(try Recordings.neighbours(path) == [])
        }
    }

    @Test(
        "The compressed frames are handed out, with all that a decoder needs",
        arguments: Recordings.codecs.filter { $0 != .ffv1 })
    func handedOut(codec: VideoCodec) async throws {
        let got = Lock<[(EncodedFrame, VideoParameters)]>([])
        var options = AssetWriter.Options()
        options.onEncodedFrame = { frame, parameters in got.withLock { $0.append((frame, parameters)) } }
        var settings = VideoSettings(codec: codec)
        settings.keyFrameInterval = .milliseconds(200)
        let path = try await record("movie.mp4", settings, frames(20), options: options)
        let all = got.withLock { $0 }
        #expect(all.map(\.0.presentationTime) == (0..<20).map { MediaTime(value: $0, timescale: 25) })
        #expect(all.allSatisfy { $0.0.hostTime.nanoseconds == $0.0.presentationTime.nanoseconds })
        #expect(all.allSatisfy { $0.1.codec == codec && $0.1.size == PixelSize(width: 160, height: 90) })
        #expect(all.allSatisfy { $0.0.format.rawValue == codec.rawValue })
        if codec != .mjpeg {
            for (frame, parameters) in all {
                if codec == .h264 { #expect(H264AccessUnit.isKeyFrame(frame.data) == frame.isKeyFrame) }
                #expect(!parameters.sets.isEmpty && frame.data.starts(with: parameters.sets) == frame.isKeyFrame)
            }
            #expect(all.filter(\.0.isKeyFrame).count == 4)
        }
        // As a bare stream they are the movie.
        let stream = try TestMovies.file("handed.\(codec.rawValue)", Data(all.flatMap(\.0.data)))
        func decoded(_ path: String) throws -> Data {
            try Tool.run("ffmpeg", ["-v", "error", "-i", path, "-fps_mode", "passthrough", "-f", "rawvideo", "-"])
        }
        #expect(try decoded(stream) == decoded(path))
    }
}
