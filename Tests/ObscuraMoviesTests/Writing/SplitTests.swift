// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraBase
import ObscuraCapture
import ObscuraMedia
import ObscuraMovies
import TestSupport
import Testing

@Suite(.hangLimit) struct SplitTests {
    /// The numbers that the built-in camera has written into its pictures.
    private func numbers(_ path: String) throws -> [UInt64?] {
        let reader = try MovieReader(path)
        var numbers: [UInt64?] = []
        while let frame = try reader.nextFrame() { numbers.append(PatternScene.readSequence(of: frame.buffer)) }
        return numbers
    }

    @Test(
        "Split each second, the parts have every picture once, begin with a key frame and keep sound in place",
        arguments: [(MovieContainer.mp4, VideoCodec.h264), (.mkv, .h264), (.mov, .mjpeg), (.mp4, .hevc)]
            .filter { $0.1.mayEncodeHere })
    func splitting(container: MovieContainer, codec: VideoCodec) async throws {
        let path = try Recordings.path("part0.\(container.rawValue)")
        func part(_ number: Int) -> String { path.replacingOccurrences(of: "part0", with: "part\(number)") }
        let parts = Lock<[Result<AssetWriter.Report, ObscuraError>]>([])
        var options = AssetWriter.Options()
        options.onPart = { result in parts.withLockSignalling { $0.append(result) } }
        let writer = try AssetWriter(
            path: path, video: VideoSettings(codec: codec, frameRate: FrameRate(30)), audio: AudioSettings(),
            options: options)
        let scene = try PatternScene(size: PixelSize(width: 350, height: 96))
        try writer.startSession(at: .zero)
        for number in 0..<150 {
            if number > 0, number % 30 == 0 { try writer.split(to: part(number / 30)) }
            let time = MediaTime(value: Int64(number), timescale: 30)
            let picture = try scene.draw(sequence: UInt64(number), time: time)
            try await writer.append(VideoFrame(buffer: picture, presentationTime: time, hostTime: .now))
            try await writer.append(Recordings.tone(from: number * 1600, count: 1600))
        }
        let last = try await writer.finish()
        let others = try #require(parts.wait(until: .now + waitLimit) { $0.count == 4 ? $0 : nil })
        let reports = try others.map { try $0.get() } + [last]
        #expect(reports.map(\.path) == (0..<5).map(part))
        #expect(try Recordings.neighbours(path) == (0..<5).map { "part\($0).\(container.rawValue)" })
        var all: [UInt64?] = []
        for report in reports {
            #expect(report.videoFrameCount == 30)
            try Recordings.expectPlays(report.path)
            #expect(abs(report.duration.seconds - 1) <= 1024 / 48_000 + 0.001)
            let frames = try Probe(report.path).frames
            #expect(frames.first?.isKey == true)
            #expect(abs(try #require(frames.first?.time).seconds) < 0.03)
            all += try numbers(report.path)
        }
        #expect(all == (0..<150).map { UInt64($0) })
    }

    /// A writer, the path of its first part, and what becomes of the parts before the last.
    private func writer(
        _ name: String, video: VideoSettings?, audio: AudioSettings? = nil
    ) throws -> (AssetWriter, (Int) -> String, Lock<[Result<AssetWriter.Report, ObscuraError>]>) {
        let path = try Recordings.path("part0.\(name)")
        let parts = Lock<[Result<AssetWriter.Report, ObscuraError>]>([])
        var options = AssetWriter.Options()
        options.onPart = { result in parts.withLockSignalling { $0.append(result) } }
        let writer = try AssetWriter(path: path, video: video, audio: audio, options: options)
        return (writer, { path.replacingOccurrences(of: "part0", with: "part\($0)") }, parts)
    }

    @Test("Times that are finer than a file's own do not put a picture into the part before", arguments: [1, 5])
    func fineTimes(count: Int) async throws {
        let (writer, part, parts) = try writer("mp4", video: VideoSettings())
        try writer.startSession(at: .zero)
        for number in 0..<5 + count {
            if number == 5 { try writer.split(to: part(1)) }
            // Rounded to microseconds, the picture comes before its own time.
            let time = MediaTime(value: Int64(number) * 33_333_400, timescale: 1_000_000_000)
            try await writer.append(Recordings.frame(number, at: time))
        }
        let last = try await writer.finish()
        let first = try #require(parts.withLock { $0 }.first).get()
        #expect(first.path == part(0) && first.videoFrameCount == 5)
        #expect(last.path == part(1) && last.videoFrameCount == count && writer.omittedParts.isEmpty)
        let frames = try Probe(part(1)).frames
        #expect(frames.count == count && frames[0].isKey)
        try Recordings.expectPlays(part(0))
        try Recordings.expectPlays(part(1))
    }

    @Test(
        "Split before the first picture and between two stretches, each part has a picture, and the first comes first")
    func earlySplits() async throws {
        let (writer, part, parts) = try writer("mp4", video: VideoSettings())
        for number in 1...2 { try writer.split(to: part(number)) }
        try writer.startSession(at: .zero)
        try await Recordings.feed(writer, frames: 10, audio: false)
        try writer.endSession()
        try writer.split(to: part(3))
        try writer.startSession(at: MediaTime(value: 10, timescale: 1))
        try await Recordings.feed(writer, frames: 3, audio: false, start: MediaTime(value: 10, timescale: 1))
        let last = try await writer.finish()
        let reports = try parts.withLock { $0 }.map { try $0.get() } + [last]
        #expect(reports.map(\.path) == (0...3).map(part) && reports.map(\.videoFrameCount) == [1, 1, 8, 3])
        #expect(try Recordings.neighbours(part(0)) == (0...3).map { "part\($0).mp4" })
        for report in reports { try Recordings.expectPlays(report.path) }
    }

    @Test("A part is finished although the microphone was lost in it, and its sound after that is in its place")
    func lostMicrophone() async throws {
        let path = try Recordings.path("part0.mp4")
        let next = path.replacingOccurrences(of: "part0", with: "part1")
        let parts = Lock<[Result<AssetWriter.Report, ObscuraError>]>([])
        var options = AssetWriter.Options()
        options.dateSource = .hostTime
        options.onPart = { result in parts.withLockSignalling { $0.append(result) } }
        // Its encoder holds no frames back.
        let writer = try AssetWriter(
            path: path, video: VideoSettings(codec: .mjpeg), audio: AudioSettings(), options: options)
        try writer.startSession(at: .zero)
        for number in 0..<60 {
            if number == 10 { try writer.split(to: next) }
            try await writer.append(Recordings.frame(number, at: MediaTime(value: Int64(number), timescale: 1)))
            if number < 5 { try await writer.append(Recordings.tone(from: number * 48_000, count: 48_000)) }
        }
        let first = try #require(parts.wait(until: .now + waitLimit) { $0.first }).get()
        #expect(first.path == path && first.videoFrameCount == 10)
        try await writer.append(Recordings.tone(from: 58 * 48_000, count: 48_000))
        let last = try await writer.finish()
        #expect(last.path == next && last.videoFrameCount == 50 && abs(last.duration.seconds - 50) < 1.1)
        let sound = try StreamProbe(next)
        #expect(abs(sound.seconds(sound.audio?.duration) - 49) < 0.1)
        for path in [path, next] { try Recordings.expectPlays(path) }
    }

    @Test(
        "A part for which nothing comes is not there, and the movie ends with the one before",
        arguments: ["mp4", "mkv"])
    func emptyParts(suffix: String) async throws {
        let (writer, part, parts) = try writer(suffix, video: nil, audio: AudioSettings())
        try writer.startSession(at: .zero)
        try await writer.append(Recordings.tone(from: 0, count: 48_000))
        try writer.split(to: part(1))
        // So short that its packet begins in the part before.
        try await writer.append(Recordings.tone(from: 48_000, count: 10))
        try writer.split(to: part(2))
        let report = try await writer.finish()
        #expect(report.path == part(0) && abs(report.duration.seconds - 1) < 0.05)
        #expect(writer.omittedParts == [part(1), part(2)] && parts.withLock { $0.isEmpty })
        #expect(try Recordings.neighbours(part(0)) == ["part0.\(suffix)"])
        try Recordings.expectPlays(part(0))
    }
}
