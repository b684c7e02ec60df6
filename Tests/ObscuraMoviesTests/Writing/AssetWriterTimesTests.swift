// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraMedia
import ObscuraMovies
import TestSupport
import Testing

@Suite(.hangLimit) struct AssetWriterTimesTests {
    @Test("Irregular times and durations are kept exactly", arguments: [Int32(1_000), 30_000, 44_100, 1_000_000])
    func irregular(timescale: Int32) async throws {
        let path = try Recordings.path("movie.mp4")
        let writer = try AssetWriter(path: path)
        let start = MediaTime(value: 12_345, timescale: timescale)
        var dice = Dice(seed: UInt64(timescale))
        var times: [MediaTime] = []
        var units: Int64 = 0
        for _ in 0..<40 {
            times.append(MediaTime(value: units, timescale: timescale))
            units += Int64.random(in: Int64(timescale / 200 + 1)...Int64(timescale / 3), using: &dice)
        }
        try writer.startSession(at: start)
        for (number, time) in times.enumerated() {
            try await writer.append(Recordings.frame(number, at: start + time))
        }
        let end = MediaTime(value: units + 7, timescale: timescale)
        try writer.endSession(at: start + end)
        let report = try await writer.finish()
        #expect(report.duration == end)
        let frames = try Probe(path).frames
        #expect(frames.map(\.time) == times)
        #expect(frames.map(\.duration) == zip(times, times.dropFirst() + [end]).map { $1 - $0 })
        // Otherwise the tool complains of two frames in one tick of the rate that it guesses.
        try Recordings.expectPlays(path, ["-fps_mode", "cfr"])
    }

    @Test("Live times, to the nanosecond, come to the microsecond")
    func live() async throws {
        let path = try Recordings.path("movie.mp4")
        let writer = try AssetWriter(path: path)
        let start = MediaTime(value: 987_654_321_123, timescale: 1_000_000_000)
        try writer.startSession(at: start)
        let times = (0..<20).map { MediaTime(value: Int64($0) * 33_366_701 + 5_000_100, timescale: 1_000_000_000) }
        for (number, time) in times.enumerated() {
            try await writer.append(Recordings.frame(number, at: start + time))
        }
        try await writer.finish()
        let frames = try Probe(path).frames
        #expect(frames.count == 20)
        for (frame, time) in zip(frames, times) {
            let found = try #require(frame.time)
            #expect(abs((found - time).nanoseconds) <= 500, "\(found.seconds) is not \(time.seconds)")
        }
    }

    /// MP4 holds a duration of at most 36 minutes in microseconds.
    @Test(
        "After hours without frames the movie goes on at the right time", arguments: ["mp4", "mov", "mkv"],
        [false, true])
    func outage(container: String, isCopied: Bool) async throws {
        let path = try Recordings.path("movie.\(container)")
        var options = AssetWriter.Options()
        options.copiesVideo = isCopied
        let writer = try AssetWriter(path: path, options: options)
        let encoder = isCopied ? try VideoEncoder(VideoSettings()) : nil
        try writer.startSession(at: .zero)
        let times = (0..<40).map {
            MediaTime(value: ($0 < 20 ? 0 : 20_000_000_000) + $0 * 33_333, timescale: 1_000_000)
        }
        for (number, time) in times.enumerated() {
            let frame = try Recordings.frame(number, at: time, duration: MediaTime(value: 33_333, timescale: 1_000_000))
            guard let encoder else {
                try await writer.append(frame)
                continue
            }
            for copy in try await encoder.encode(frame) { try await writer.append(.encodedVideo(copy)) }
        }
        for copy in try await encoder?.finish() ?? [] { try await writer.append(.encodedVideo(copy)) }
        let report = try await writer.finish()
        #expect(report.videoFrameCount == 40)
        #expect(abs(report.duration.seconds - 20_001.333) < 0.05)
        let frames = try Probe(path).frames
        let found = frames.compactMap(\.time)
        let shift = (found.first ?? .zero) - times[0]
        let tolerance = MediaTime(value: container == "mkv" ? 2 : 0, timescale: 1000)
        #expect(
            times.allSatisfy { time in found.contains { abs(($0 - shift - time).nanoseconds) <= tolerance.nanoseconds }
            })
        #expect(found.count == 40 + (container == "mkv" ? 0 : 18))
        try Recordings.expectPlays(path, ["-fps_mode", "passthrough"])
    }

    @Test("Between two stretches nothing is recorded, and sound and picture stay together")
    func stretches() async throws {
        for container in MovieContainer.allCases {
            let path = try Recordings.path("movie.\(container.rawValue)")
            let writer = try AssetWriter(
                path: path, video: VideoSettings(frameRate: FrameRate(30)), audio: AudioSettings())
            func record(_ range: Range<Int>) async throws {
                for number in range {
                    let time = MediaTime(value: Int64(number), timescale: 30)
                    try await writer.append(
                        Recordings.frame(number, at: time, duration: MediaTime(value: 1, timescale: 30)))
                    try await writer.append(Recordings.tone(from: number * 1600, count: 1600))
                }
            }
            // Sound and pictures from before the beginning and from behind the end are left out.
            try writer.startSession(at: MediaTime(value: 10, timescale: 30))
            try await record(5..<40)
            try writer.endSession(at: MediaTime(value: 40, timescale: 30))
            try writer.startSession(at: MediaTime(value: 300, timescale: 30))
            try await record(300..<331)
            try writer.endSession(at: MediaTime(value: 3301, timescale: 300))
            let report = try await writer.finish()
            let length = MediaTime(value: 601, timescale: 300)
            #expect(report.duration - length < MediaTime(value: 1024, timescale: 48_000))
            let probe = try Probe(path)
            #expect(probe.frames.count == 61)
            let origin = try #require(probe.frames.first?.time)
            let last = try #require(probe.frames.last?.time)
            #expect(abs((last - origin - MediaTime(value: 2, timescale: 1)).seconds) < 0.0011)
            let sound = try Tool.run("ffmpeg", ["-v", "error", "-i", path, "-map", "0:a", "-f", "f32le", "-"])
            let expected = Int((length.seconds * 48_000).rounded())
            #expect(abs(sound.count / 8 - expected) <= (container == .mkv ? 2048 : 1024), "\(sound.count / 8)")
            try Recordings.expectPlays(path)
        }
    }

    @Test("Sound with an absurd time is skipped, and what follows is in its place")
    func absurdSound() async throws {
        let path = try Recordings.path("movie.mov")
        let writer = try AssetWriter(path: path, video: nil, audio: AudioSettings(codec: .pcm))
        try writer.startSession(at: .zero)
        for piece in 0..<20 {
            var buffer = Recordings.tone(from: piece * 4_800, count: 4_800)
            if piece == 10 { buffer.presentationTime = MediaTime(value: 1 << 40, timescale: 1000) }
            try await writer.append(buffer)
        }
        let report = try await writer.finish()
        #expect(report.duration == MediaTime(value: 2, timescale: 1))
        let sound = try Tool.run("ffmpeg", ["-v", "error", "-i", path, "-af", "pan=mono|c0=c0", "-f", "f32le", "-"])
        let samples = sound.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        #expect(samples.count == 96_000)
        for (index, sample) in samples.enumerated() where !(48_000 - 240..<52_800 + 240).contains(index) {
            let heard = Float(0.4 * sin(2 * Double.pi * 440 * Double(index) / 48_000))
            #expect(abs(sample - heard) < 0.001, "\(index)")
        }
        #expect(samples[48_000..<52_800].allSatisfy { $0 == 0 })
    }

    @Test("Lost sound becomes silence between two fades of 5 ms, and what follows is in its place")
    func lostSound() async throws {
        let path = try Recordings.path("movie.mov")
        let writer = try AssetWriter(path: path, video: nil, audio: AudioSettings(codec: .pcm))
        try writer.startSession(at: .zero)
        for piece in 0..<20 where !(5..<10).contains(piece) {
            try await writer.append(Recordings.tone(from: piece * 4_800, count: 4_800))
        }
        try await writer.finish()
        let sound = try Tool.run("ffmpeg", ["-v", "error", "-i", path, "-af", "pan=mono|c0=c0", "-f", "f32le", "-"])
        let samples = sound.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        #expect(samples.count == 96_000)
        for (index, sample) in samples.enumerated() {
            let isLost = (24_000..<48_000).contains(index)
            let heard = Float(0.4 * sin(2 * Double.pi * 440 * Double(index) / 48_000))
            // A raised cosine, whose ends belong to the silence and to the sound.
            let distance = index < 24_000 ? 24_000 - index : index - 47_999
            let gain = isLost ? 0 : distance > 240 ? 1 : Float(1 - cos(Double.pi * Double(distance) / 241)) / 2
            let exact = heard * gain
            if abs(sample - exact) > 0.0002 {
                Issue.record("sample \(index) is \(sample), not \(exact)")
                return
            }
        }
    }

    @Test("Sound of other rates and channels, also if they change, comes at the movie's and in its place")
    func soundFormats() async throws {
        let path = try Recordings.path("movie.mp4")
        let writer = try AssetWriter(path: path, video: nil, audio: AudioSettings(codec: .flac))
        try writer.startSession(at: .zero)
        for second in 0..<4 {
            let format = AudioFormat(
                sampleRate: second % 2 == 0 ? 44_100 : 16_000, channelCount: second % 2 + 1,
                isInterleaved: second % 2 == 0)
            for piece in 0..<10 {
                let count = format.sampleRate / 10
                try await writer.append(
                    Recordings.tone(from: second * format.sampleRate + piece * count, count: count, format: format))
            }
        }
        try await writer.finish()
        let sound = try Tool.run(
            "ffmpeg", ["-v", "error", "-i", path, "-af", "pan=mono|c0=c0", "-f", "f32le", "-"])
        let samples = sound.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        #expect(abs(samples.count - 192_000) <= 8)
        // In the middle of each second, where no filter begins or ends.
        for second in 0..<4 {
            for index in (second * 48_000 + 5_000)..<(second * 48_000 + 40_000) {
                let exact = Float(0.4 * sin(2 * Double.pi * 440 * Double(index) / 48_000))
                if abs(samples[index] - exact) > 0.01 {
                    Issue.record("sample \(index) is \(samples[index]), not \(exact)")
                    return
                }
            }
        }
    }
}
