// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraCapture
import ObscuraMedia
import ObscuraMovies
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct SplitTests {
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
            .filter { Recordings.isClean($0.1) })
    func splitting(container: MovieContainer, codec: VideoCodec) async throws {
        let path = try Recordings.path("part0.\(container.rawValue)")
        func part(_ number: Int) -> String { path.replacingOccurrences(of: "part0", with: "part\(number)") }
        let parts = Lock<[Result<AssetWriter.Report, RecordingError>]>([])
        var options = AssetWriter.Options()
        options.onPart = { result in parts.withLockSignalling { $0.append(result) } }
        let writer = try AssetWriter(
            path: path, video: VideoSettings(codec: codec, frameRate: FrameRate(30)), audio: AudioSettings(),
            options: options)
        let scene = try PatternScene(size: PixelSize(width: 320, height: 240))
        try writer.startSession(at: .zero)
        for number in 0..<150 {
            if number > 0, number % 30 == 0 { try writer.split(to: part(number / 30)) }
            let time = MediaTime(value: Int64(number), timescale: 30)
            let picture = try scene.draw(sequence: UInt64(number), time: time)
            try await writer.append(VideoFrame(buffer: picture, presentationTime: time, hostTime: .now))
            try await writer.append(Recordings.tone(from: number * 1600, count: 1600))
        }
        let last = try await writer.finish()
        let deadline = HostTime.now + .seconds(60)
        let others = try #require(parts.wait(until: deadline) { $0.count == 4 ? $0 : nil })
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
}
