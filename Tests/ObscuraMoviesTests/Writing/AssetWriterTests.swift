// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraMedia
import ObscuraMovies
import TestSupport
import Testing

@Suite(.hangLimit) struct AssetWriterTests {
    /// Every container with everything that it takes.
    static let pairs: [(MovieContainer, VideoCodec?, AudioCodec?)] = {
        var pairs: [(MovieContainer, VideoCodec?, AudioCodec?)] = []
        for container in MovieContainer.allCases {
            for codec in VideoCodec.allCases where container.takes(codec) { pairs.append((container, codec, nil)) }
            for codec in AudioCodec.allCases where container.takes(codec) { pairs.append((container, .h264, codec)) }
            pairs.append((container, .hevc, .aac))
            pairs.append((container, nil, .aac))
        }
        return pairs.filter { $0.1?.mayEncodeHere ?? true }
    }()

    @Test("Every container plays with everything that it takes, and counts and durations are exact", arguments: pairs)
    func everyPair(container: MovieContainer, video: VideoCodec?, audio: AudioCodec?) async throws {
        let path = try Recordings.path("movie.\(container.rawValue)")
        let writer = try AssetWriter(
            path: path, video: video.map { VideoSettings(codec: $0, frameRate: FrameRate(30)) },
            audio: audio.map { AudioSettings(codec: $0) })
        let start = MediaTime(value: 1_000, timescale: 30)
        try writer.startSession(at: start)
        for number in 0..<60 {
            let time = start + MediaTime(value: Int64(number), timescale: 30)
            if video != nil {
                try await writer.append(
                    Recordings.frame(number, at: time, duration: MediaTime(value: 1, timescale: 30)))
            }
            if audio != nil {
                try await writer.append(Recordings.tone(from: number * 1600, count: 1600, start: start))
            }
        }
        let report = try await writer.finish()
        try Recordings.expectPlays(path)
        #expect(try Recordings.neighbours(path) == ["movie.\(container.rawValue)"])
        #expect(report.videoFrameCount == (video == nil ? 0 : 60) && !report.isFragmented)
        #expect(report.byteCount == (try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64))
        let probe = try StreamProbe(path)
        if let video {
            let stream = try #require(probe.video)
            #expect(stream.codec_name == video.rawValue && stream.nb_read_packets == "60")
            let frames = try Probe(path).frames
            #expect(frames.count == 60)
            // Matroska counts in milliseconds, and puts the encoder's own samples in front.
            let origin = try #require(frames.first?.time)
            for (number, frame) in frames.enumerated() {
                let exact = MediaTime(value: Int64(number), timescale: 30)
                let time = try #require(frame.time) - origin
                #expect(container == .mkv ? abs((time - exact).seconds) <= 0.001 : time == exact)
            }
            if container != .mkv {
                #expect(origin == .zero && frames.allSatisfy { $0.duration == MediaTime(value: 1, timescale: 30) })
                #expect(abs(probe.seconds(stream.duration) - 2) < 0.000_01)
            }
        }
        if let audio {
            let stream = try #require(probe.audio)
            #expect(stream.codec_name == (audio == .pcm ? "pcm_s16le" : audio.rawValue))
            #expect(stream.sample_rate == "48000" && stream.channels == 2)
            let sound = try Tool.run("ffmpeg", ["-v", "error", "-i", path, "-map", "0:a", "-f", "f32le", "-"])
            // Within one of the encoder's frames.
            // FFmpeg 5 does not tell Matroska of the samples that AAC's encoder puts in front: they are played too.
            let most = container == .mkv && audio == .aac ? 2048 : 1024
            #expect(abs(sound.count / 8 - 96_000) <= most, "\(sound.count / 8) samples")
        }
        #expect(abs(probe.seconds(probe.format.duration) - 2) < 0.045)
    }

    @Test("An invalid pair or setting is refused before anything is written")
    func invalidSettings() throws {
        func code(
            _ name: String, _ video: VideoSettings? = VideoSettings(), _ audio: AudioSettings? = nil
        ) throws -> ObscuraError.Code? {
            let path = try Recordings.path(name)
            defer { #expect((try? Recordings.neighbours(path)) == []) }
            do throws(ObscuraError) {
                _ = try AssetWriter(path: path, video: video, audio: audio)
            } catch {
                #expect(!error.description.isEmpty)
                return error.code
            }
            return nil
        }
        for container in MovieContainer.allCases {
            for codec in VideoCodec.allCases where !container.takes(codec) {
                #expect(try code("a.\(container.rawValue)", VideoSettings(codec: codec)) == .invalidSettings)
            }
            for codec in AudioCodec.allCases where !container.takes(codec) {
                #expect(try code("a.\(container.rawValue)", nil, AudioSettings(codec: codec)) == .invalidSettings)
            }
        }
        #expect(try code("a.avi") == .invalidSettings)
        #expect(try code("a.mp4", nil) == .invalidSettings)
        #expect(try code("a.mp4", VideoSettings(bitRate: -1)) == .invalidSettings)
        #expect(try code("a.mp4", VideoSettings(quality: 2)) == .invalidSettings)
        #expect(try code("a.mp4", VideoSettings(quality: .nan)) == .invalidSettings)
        #expect(try code("a.mp4", VideoSettings(size: PixelSize(width: 0, height: 5))) == .invalidSettings)
        var profile = VideoSettings()
        profile.profile = .main10
        #expect(try code("a.mp4", profile) == .invalidSettings)
        #expect(try code("a.mp4", nil, AudioSettings(sampleRate: 47_999)) == .invalidSettings)
        #expect(try code("a.mp4", nil, AudioSettings(channelCount: 0)) == .invalidSettings)
        #expect(try code("a.mp4", nil, AudioSettings(codec: .opus, sampleRate: 44_100)) == .invalidSettings)
        #expect {
            try AssetWriter(path: "/dev/null/a.mp4")
        } throws: {
            ($0 as? ObscuraError)?.code == .notWritable
        }
    }

    @Test("Calls that do not go with what was called before are refused, and do no harm")
    func states() async throws {
        let path = try Recordings.path("movie.mp4")
        let writer = try AssetWriter(path: path)
        func code(_ body: () async throws -> Void) async -> ObscuraError.Code? {
            do {
                try await body()
                return nil
            } catch {
                return (error as? ObscuraError)?.code
            }
        }
        let frame = try Recordings.frame(0, at: .zero)
        #expect(await code { try await writer.append(frame) } == .invalidState)
        #expect(await code { try writer.endSession() } == .invalidState)
        try writer.startSession(at: .zero)
        #expect(await code { try writer.startSession(at: .zero) } == .invalidState)
        #expect(await code { try await writer.append(Recordings.tone(from: 0, count: 100)) } == .invalidState)
        try await Recordings.feed(writer, frames: 5, audio: false)
        try await writer.finish()
        #expect(await code { try await writer.append(frame) } == .invalidState)
        #expect(await code { try await writer.finish() } == .invalidState)
        #expect(try Probe(path).frames.count == 5)
    }

    @Test("A file that is there is not replaced unless asked, and then only by a whole one")
    func existing() async throws {
        let path = try Recordings.path("movie.mp4")
        try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
        #expect { try AssetWriter(path: path) } throws: { ($0 as? ObscuraError)?.code == .fileExists }
        var options = AssetWriter.Options()
        options.overwrites = true
        let writer = try AssetWriter(path: path, options: options)
        try writer.startSession(at: .zero)
        try await Recordings.feed(writer, frames: 5, audio: false)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
        #expect { try AssetWriter(path: path, options: options) } throws: {
            ($0 as? ObscuraError)?.code == .fileExists
        }
        try await writer.finish()
        #expect(try Probe(path).frames.count == 5)
    }

    @Test("Cancelling leaves nothing behind")
    func cancelling() async throws {
        for container in MovieContainer.allCases {
            let path = try Recordings.path("movie.\(container.rawValue)")
            let writer = try AssetWriter(path: path)
            try writer.startSession(at: .zero)
            try await Recordings.feed(writer, frames: 5, audio: false)
            await writer.cancel()
            #expect(try Recordings.neighbours(path) == [])
            await #expect(throws: ObscuraError.self) { try await writer.finish() }
        }
    }

    @Test("A movie for which no picture came has its sound")
    func soundAlone() async throws {
        let path = try Recordings.path("movie.mp4")
        let writer = try AssetWriter(path: path, audio: AudioSettings())
        try writer.startSession(at: .zero)
        for second in 0..<2 { try await writer.append(Recordings.tone(from: second * 48_000, count: 48_000)) }
        let report = try await writer.finish()
        #expect(report.videoFrameCount == 0 && report.videoEncoder == nil)
        #expect(try StreamProbe(path).streams.map(\.codec_type) == ["audio"])
    }

    @Test("A movie to which nothing was appended is an error and no file")
    func nothing() async throws {
        let path = try Recordings.path("movie.mp4")
        let writer = try AssetWriter(path: path)
        try writer.startSession(at: .zero)
        await #expect { try await writer.finish() } throws: { ($0 as? ObscuraError)?.code == .invalidState }
        #expect(try Recordings.neighbours(path) == [])
    }
}
