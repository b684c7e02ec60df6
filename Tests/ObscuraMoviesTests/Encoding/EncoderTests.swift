// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraBase
import ObscuraFFmpeg
import ObscuraMedia
import ObscuraMovies
import TestSupport
import Testing

/// Encoders without a file make what is in the movie of an ``AssetWriter``.
@Suite(.hangLimit) struct EncoderTests {
    private static let frame = MediaTime(value: 1, timescale: 30)
    /// Times of a live source, whose nanoseconds no encoder counts.
    private static let start = MediaTime(value: 1_234_567_890_123_457, timescale: 1_000_000_000)

    private func frames(_ count: Int, width: Int = 160, height: Int = 90) throws -> [VideoFrame] {
        try (0..<count).map { number in
            try Recordings.frame(
                number, at: Self.start + MediaTime(value: Int64(number), timescale: 30), duration: Self.frame,
                width: width, height: height)
        }
    }

    private func encode(_ encoder: VideoEncoder, _ frames: [VideoFrame]) async throws -> [EncodedFrame] {
        var encoded: [EncodedFrame] = []
        for frame in frames { encoded += try await encoder.encode(frame) }
        return try await encoded + encoder.finish()
    }

    @Test(
        "The 300 frames of each codec are those of a movie, in order and with their own times",
        arguments: Recordings.codecs)
    func video(codec: VideoCodec) async throws {
        let frames = try frames(300)
        let encoder = try VideoEncoder(VideoSettings(codec: codec))
        #expect(encoder.parameters == nil)
        let encoded = try await encode(encoder, frames)
        let inMovie = Lock<[EncodedFrame]>([])
        var options = AssetWriter.Options()
        options.onEncodedFrame = { frame, _ in inMovie.withLock { $0.append(frame) } }
        let path = try Recordings.path("movie.mkv")
        let writer = try AssetWriter(path: path, video: VideoSettings(codec: codec), options: options)
        try writer.startSession(at: Self.start)
        for frame in frames { try await writer.append(frame) }
        try await writer.finish()

        let movie = inMovie.withLock { $0 }
        #expect(movie.count == 300 && encoded.map(\.isKeyFrame) == movie.map(\.isKeyFrame))
        // The lookahead of x264 164 reads a few bytes past its memory (valgrind), so its choices depend on what lies there.
        if codec != .h264 { #expect(encoded.map(\.data) == movie.map(\.data)) }
        #expect(encoded.map(\.presentationTime) == frames.map(\.presentationTime))
        #expect(encoded.map(\.decodeTime) == frames.map(\.presentationTime))
        #expect(encoded.map(\.hostTime) == frames.map(\.hostTime))
        #expect(encoded.map(\.sequence) == frames.map(\.sequence))
        #expect(encoded.allSatisfy { abs(($0.duration ?? .zero).seconds - Self.frame.seconds) < 0.000_002 })
        let parameters = try #require(encoder.parameters)
        #expect(parameters.codec == codec && parameters.size == PixelSize(width: 160, height: 90))
        #expect(encoded.allSatisfy { $0.format.rawValue == codec.rawValue && $0.width == 160 && $0.height == 90 })
        // No file holds FFV1 on its own.
        guard codec != .ffv1 else { return }
        let stream = try TestMovies.file("encoder.\(codec.rawValue)", Data(encoded.flatMap(\.data)))
        let (own, others) = (try decoded(stream), try decoded(path))
        #expect(own.count == others.count && own.count >= 300 * 160 * 90 * 3 / 2)
        let squares = zip(own, others).reduce(0) { $0 + (Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1)) }
        // More than 40 dB.
        #expect(Double(squares) / Double(max(1, own.count)) < 6.5, "\(squares)")
    }

    /// The pixels of all frames, as ffmpeg decodes them.
    private func decoded(_ path: String) throws -> Data {
        try Tool.run("ffmpeg", ["-v", "error", "-i", path, "-fps_mode", "passthrough", "-f", "rawvideo", "-"])
    }

    @Test("The packets of each audio codec are those of a movie", arguments: AudioCodec.allCases)
    func audio(codec: AudioCodec) async throws {
        let encoder = try AudioEncoder(AudioSettings(codec: codec))
        let path = try Recordings.path("sound.mkv")
        let writer = try AssetWriter(path: path, video: nil, audio: AudioSettings(codec: codec))
        try writer.startSession(at: Self.start)
        var encoded: [EncodedAudio] = []
        for number in 0..<300 {
            let buffer = Recordings.tone(from: number * 1600, count: 1600, start: Self.start)
            encoded += try await encoder.encode(buffer)
            try await writer.append(buffer)
        }
        encoded += try await encoder.finish()
        try await writer.finish()

        let movie = try Tool.run("ffmpeg", ["-v", "error", "-i", path, "-map", "0:a", "-c", "copy", "-f", "data", "-"])
        #expect(Data(encoded.flatMap(\.data)) == movie)
        let parameters = encoder.parameters
        #expect(parameters.codec == codec && parameters.sampleRate == 48_000 && parameters.channelCount == 2)
        switch codec {
        // AAC-LC, 48 kHz, stereo; ISO/IEC 14496-3, section 1.6.2.1.
        case .aac: #expect(parameters.configuration.starts(with: [0x11, 0x90]) && parameters.priming == 1024)
        case .opus: #expect(parameters.configuration.starts(with: Array("OpusHead".utf8)) && parameters.priming == 312)
        case .flac: #expect(parameters.configuration.count == 34 && parameters.priming == 0)
        case .pcm: #expect(parameters.configuration.isEmpty && parameters.priming == 0)
        }
        // One packet follows the other, from the priming to the end of the audio.
        let first = try #require(encoded.first).presentationTime
        let priming = MediaTime(value: Int64(parameters.priming), timescale: 48_000)
        #expect(abs((Self.start - priming - first).seconds) < 0.000_01)
        for (one, next) in zip(encoded, encoded.dropFirst()) {
            #expect(abs((one.presentationTime + one.duration - next.presentationTime).seconds) < 0.000_01)
        }
        let end = try #require(encoded.last.map { $0.presentationTime + $0.duration })
        #expect((0..<0.1).contains((end - Self.start).seconds - 10 + 0.000_01))
    }

    @Test("Hours of silence are encoded at once, without a gap", arguments: [AudioCodec.aac, .opus])
    func longSilence(codec: AudioCodec) throws {
        let encoder = try AudioStreamEncoder(AudioSettings(codec: codec))
        let silence: Int64 = 5 * 3600 * 48_000 + 123
        func tone(_ number: Int) throws -> AudioBuffer {
            let buffer = Recordings.tone(from: number * 48_000, count: 48_000, start: .zero)
            let resampler = try AudioResampler(from: buffer.format, to: encoder.format)
            return try #require(try resampler.convert(buffer).first)
        }
        var packets = try encoder.append(tone(0)) + encoder.appendSilence(silence)
        #expect(encoder.end == 48_000 + silence)
        packets += try encoder.append(tone(1)) + encoder.finish()
        let size = codec == .aac ? 1024 : 960 as Int64
        for (one, next) in zip(packets, packets.dropFirst()) where next.units - one.units != size {
            Issue.record("\(next.units) follows \(one.units)")
            break
        }
        let last = try #require(packets.last)
        #expect((0..<2 * size).contains(last.units + last.duration - 2 * 48_000 - silence + size))
        // The second tone is where it belongs.
        let loud = packets.filter { $0.byteCount > 100 }.map(\.units)
        #expect(loud.allSatisfy { $0 < 96_000 || $0 > silence + 36_000 } && loud.count > 80)
    }

    @Test(
        "Samples at which the encoder of AAC fails or stops, as those of a broken file, become silence",
        arguments: [Float.nan, -Float.infinity, 1e30])
    func absurdSamples(value: Float) async throws {
        let encoder = try AudioEncoder(AudioSettings(codec: .aac))
        var samples = [Float](repeating: 0.1, count: 2 * 8192)
        samples[5000] = value
        let buffer = AudioBuffer(
            format: AudioFormat(), samples: .float32(samples), presentationTime: Self.start,
            hostTime: HostTime(nanoseconds: 0))
        let encoded = try await encoder.encode(buffer) + encoder.finish()
        #expect(encoded.count >= 8)
    }

    @Test(
        "Units with their lengths, and a configuration, are those of an MP4 file",
        arguments: [VideoCodec.h264, .hevc].filter(\.mayEncodeHere))
    func lengths(codec: VideoCodec) async throws {
        let frames = try frames(60)
        var options = VideoEncoder.Options()
        options.layout = .lengthPrefixed
        let encoder = try VideoEncoder(VideoSettings(codec: codec), options: options)
        let encoded = try await encode(encoder, frames)
        let path = try Recordings.path("movie.mp4")
        let writer = try AssetWriter(path: path, video: VideoSettings(codec: codec))
        try writer.startSession(at: Self.start)
        for frame in frames { try await writer.append(frame) }
        try await writer.finish()

        // With start codes in place of the lengths, and the parameter sets in front, it plays.
        let parameters = try #require(encoder.parameters)
        var stream = parameters.sets
        for frame in encoded {
            var rest = frame.data[...]
            while rest.count > 4 {
                let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
                stream += [0, 0, 0, 1] + rest.dropFirst(4).prefix(length)
                rest = rest.dropFirst(4 + length)
            }
            #expect(rest.isEmpty)
        }
        let played = try TestMovies.file("lengths.\(codec.rawValue)", Data(stream))
        #expect(try decoded(played).count == 60 * 160 * 90 * 3 / 2)
        let file = try Data(contentsOf: URL(fileURLWithPath: path))
        let type = try #require(file.range(of: Data((codec == .h264 ? "avcC" : "hvcC").utf8)))
        let length = file[(type.lowerBound - 4)..<type.lowerBound].reduce(0) { $0 << 8 | Int($1) }
        let box = Array(file[type.upperBound..<(type.lowerBound - 4 + length)])
        let own = parameters.configuration
        if codec == .h264 {
            #expect(own == box)
        } else {
            // FFmpeg tells the smallest part that can be decoded on its own (bytes 13 and 14), which nobody needs.
            try #require(own.count >= 23)
            #expect(own[..<13] == box[..<13] && own[15..<19] == box[15..<19])
            // One layer, lengths of four bytes, and an array for each kind of parameter set.
            #expect(own[21] & 0x3b == 0x0b && own[22] == 3)
            var (sets, rest) = ([[UInt8]](), own[23...])
            for kind in [UInt8(32), 33, 34] {
                #expect(rest.first == 0x80 | kind && Array(rest.dropFirst().prefix(2)) == [0, 1])
                let length = rest.dropFirst(3).prefix(2).reduce(0) { $0 << 8 | Int($1) }
                sets.append(Array(rest.dropFirst(5).prefix(length)))
                rest = rest.dropFirst(5 + length)
            }
            // x265 has a message besides.
            let kinds = AnnexB.units(in: parameters.sets).filter { (32...34).contains($0[0] >> 1 & 0x3f) }
            #expect(rest.isEmpty && sets == kinds)
        }
    }

    @Test func `A source that begins again is encoded with its own times`() async throws {
        let (video, audio) = (
            try VideoEncoder(VideoSettings(codec: .mjpeg)), try AudioEncoder(AudioSettings(codec: .pcm))
        )
        var (times, sound): ([MediaTime], [EncodedAudio]) = ([], [])
        // Four days of a host clock, a file, and the clock again.
        let starts = [Self.start, .zero, Self.start + MediaTime(value: 60, timescale: 1)]
        for start in starts {
            for number in 0..<30 {
                let time = start + MediaTime(value: Int64(number), timescale: 30)
                times += try await video.encode(Recordings.frame(number, at: time)).map(\.presentationTime)
                sound += try await audio.encode(Recordings.tone(from: number * 1600, count: 1600, start: start))
            }
        }
        times += try await video.finish().map(\.presentationTime)
        sound += try await audio.finish()
        let offsets = (0..<30).map { MediaTime(value: Int64($0), timescale: 30) }
        #expect(times == starts.flatMap { start in offsets.map { start + $0 } })
        // Without the silence of four days.
        #expect(sound.reduce(0) { $0 + $1.data.count } == 3 * 48_000 * 4)
        for start in starts {
            #expect(sound.contains { abs(($0.presentationTime - start).seconds - 0.5) < 0.03 })
        }
    }

    @Test func `A key frame on request is one, and low latency returns each frame at once`() async throws {
        var options = VideoEncoder.Options()
        options.isLowLatency = true
        let encoder = try VideoEncoder(options: options)
        var keys: [Bool] = []
        for (number, frame) in try frames(30).enumerated() {
            let encoded = try await encoder.encode(frame, isKeyFrame: number == 17)
            #expect(encoded.count == 1 && encoded[0].presentationTime == frame.presentationTime)
            keys += encoded.map(\.isKeyFrame)
        }
        #expect(keys.indices.filter { keys[$0] } == [0, 17])
        #expect(try await encoder.finish().isEmpty)
    }

    @Test("A new bit rate counts from the next frame on", .enabled(if: VideoCodec.h264.mayEncodeHere))
    func bitRate() async throws {
        var options = VideoEncoder.Options()
        options.isLowLatency = true
        let encoder = try VideoEncoder(VideoSettings(bitRate: 200_000), options: options)
        func size(_ seconds: Range<Int>) async throws -> Int {
            var bytes = 0
            for number in (seconds.lowerBound * 30)..<(seconds.upperBound * 30) {
                let frame = try Recordings.noise(number, at: MediaTime(value: Int64(number), timescale: 30))
                bytes += try await encoder.encode(frame).reduce(0) { $0 + $1.data.count }
            }
            return bytes
        }
        let low = try await size(0..<6)
        try #require(encoder.parameters?.encoder == "libx264")
        try await encoder.setBitRate(1_600_000)
        _ = try await size(6..<8)
        let high = try await size(8..<14)
        #expect(high > 4 * low, "\(low), \(high)")
        await #expect(throws: ObscuraError.self) { try await encoder.setBitRate(-1) }
    }

    @Test func `What an encoder cannot do, it says`() async throws {
        #expect(throws: ObscuraError.self) { try VideoEncoder(VideoSettings(quality: 2)) }
        #expect(throws: ObscuraError.self) { try AudioEncoder(AudioSettings(codec: .opus, sampleRate: 44_100)) }
        let encoder = try VideoEncoder(VideoSettings(codec: .mjpeg))
        let frames = try frames(3)
        #expect(try await encoder.encode(frames[0]).count == 0)
        // Neither low latency nor a bit rate.
        await #expect { try await encoder.setBitRate(1_000_000) } throws: {
            ($0 as? ObscuraError)?.code == .invalidSettings
        }
        // An earlier frame is skipped, and the encoder continues.
        _ = try await encoder.encode(frames[2])
        _ = try await encoder.encode(frames[1])
        #expect(try await encoder.finish().map(\.presentationTime).last == frames[2].presentationTime)
        await #expect { try await encoder.encode(frames[2]) } throws: { ($0 as? ObscuraError)?.code == .invalidState }
        await #expect { try await encoder.finish() } throws: { ($0 as? ObscuraError)?.code == .invalidState }
        let small = try VideoEncoder()
        let frame = try Recordings.frame(0, at: .zero, width: 8, height: 8)
        for _ in 0..<2 {
            await #expect { try await small.encode(frame) } throws: {
                ($0 as? ObscuraError)?.code == .invalidSettings
            }
        }
        #expect(try await VideoEncoder().finish().isEmpty)
        #expect(try await AudioEncoder().finish().isEmpty)
    }

    @Test(.withoutSanitizer)
    func `Ten thousand frames and their audio leave no memory behind`() async throws {
        let (video, audio) = (try VideoEncoder(), try AudioEncoder())
        let frames = try frames(10, width: 64, height: 48)
        var counts = (frames: 0, packets: 0)
        func encode(_ numbers: Range<Int>) async throws {
            for number in numbers {
                var frame = frames[number % 10]
                frame.presentationTime = MediaTime(value: Int64(number), timescale: 30)
                counts.frames += try await video.encode(frame).count
                counts.packets += try await audio.encode(Recordings.tone(from: number * 1600, count: 1600)).count
            }
        }
        try await encode(0..<1000)
        let peak = MemoryPeak()
        try await encode(1000..<10_000)
        #expect(peak.growthKilobytes < 8 << 10, "\(peak.growthKilobytes) KiB")
        counts.frames += try await video.finish().count
        counts.packets += try await audio.finish().count
        #expect(counts.frames == 10_000 && abs(counts.packets - 15_625) < 3)
    }
}
