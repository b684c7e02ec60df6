// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraMedia
import ObscuraMovies
import TestSupport
import Testing

@Suite(.hangLimit) struct CrashTests {
    private static let kills = isLongForm ? 50 : 3

    /// The end of the last picture, in seconds.
    private func end(_ path: String) throws -> Double {
        let frames = try Probe(path).frames
        let last = try #require(frames.last)
        return try #require(last.time).seconds + (last.duration?.seconds ?? 0)
    }

    @Test("A killed recording plays, has lost at most its last second, and becomes an ordinary file")
    func killed() async throws {
        var dice = Dice(seed: 47)
        for number in 0..<Self.kills {
            let suffix = ["mp4", "mkv", "mov"][number % 3]
            let path = try Recordings.path("movie.\(suffix)")
            let partial = path.replacingOccurrences(of: "movie.", with: "movie.recording.")
            let rate = [30, 10, 60][(number + number / 3) % 3]
            let moment = Int.random(in: 1_000...4_000, using: &dice)
            let recorder = try BackgroundTool(Tool.product("TestRecorder"), [path, "\(rate)"])
            try #require(await becomes { Self.reached(recorder) >= moment || !recorder.isRunning })
            #expect(recorder.isRunning, "\(recorder.words)")
            recorder.stop(signal: SIGKILL)
            let appended = Double(Self.reached(recorder)) / 1000
            #expect(try Recordings.neighbours(path) == ["movie.recording.\(suffix)"])
            let outcome = try Tool.spawn(["ffmpeg", "-v", "fatal", "-i", partial, "-f", "null", "-"])
            #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
            #expect(try end(partial) >= appended - 1, "\(suffix) at \(appended) s")
            let movie = try MovieRecovery.recover(partial).movie
            #expect(movie.streams.map(\.codecName) == ["h264", "aac"])
            #expect(try Recordings.neighbours(path) == ["movie.\(suffix)"])
            try Recordings.expectPlays(path)
            #expect(try end(path) >= appended - 1)
            if suffix != "mkv" { #expect(try Self.isFastStart(path)) }
        }
    }

    /// How far a TestRecorder has come, in milliseconds.
    static func reached(_ recorder: BackgroundTool) -> Int {
        // Its last line may be written in part.
        recorder.words.split(separator: "\n", omittingEmptySubsequences: false).dropLast().last.flatMap { Int($0) } ?? 0
    }

    /// Whether the index is in front, and the file is not in fragments.
    static func isFastStart(_ path: String) throws -> Bool {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        guard let index = data.range(of: Data("moov".utf8)), let samples = data.range(of: Data("mdat".utf8)) else {
            return false
        }
        return index.lowerBound < samples.lowerBound && data.range(of: Data("moof".utf8)) == nil
    }

    @Test(
        "On a full disk it says so, and what was written plays",
        .enabled("needs root, for a small disk") { getuid() == 0 })
    func fullDisk() async throws {
        for suffix in ["mp4", "mkv"] {
            let folder = TestMovies.folder.appending(path: "full-\(suffix)").path
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Tool.run("mount", ["-t", "tmpfs", "-o", "size=3m", "tmpfs", folder])
            defer { _ = try? Tool.run("umount", ["--lazy", folder]) }
            let path = folder + "/movie.\(suffix)"
            let writer = try AssetWriter(path: path, video: VideoSettings(quality: 0.8), audio: AudioSettings())
            try writer.startSession(at: .zero)
            await #expect {
                for number in 0..<3_000 {
                    try await writer.append(
                        Recordings.noise(number % 40, at: MediaTime(value: Int64(number), timescale: 30)))
                    try await writer.append(Recordings.tone(from: number * 1600, count: 1600))
                }
            } throws: {
                ($0 as? ObscuraError)?.code == .diskFull
            }
            await #expect { try await writer.finish() } throws: {
                let error = $0 as? ObscuraError
                return error?.code == .diskFull && error?.usableFile == path && error?.errno == ENOSPC
            }
            #expect(try Recordings.neighbours(path) == ["movie.\(suffix)"])
            try Recordings.expectPlays(path)
            #expect(try Probe(path).frames.count > 10)
        }
    }

    @Test(
        "A movie that fits, but has no room for its copy, is kept in fragments",
        .enabled("needs root, for a small disk") { getuid() == 0 })
    func noRoomForRewriting() async throws {
        let folder = TestMovies.folder.appending(path: "tight").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Tool.run("mount", ["-t", "tmpfs", "-o", "size=3m", "tmpfs", folder])
        defer { _ = try? Tool.run("umount", ["--lazy", folder]) }
        let path = folder + "/movie.mp4"
        let writer = try AssetWriter(path: path, video: VideoSettings(quality: 0.8))
        try writer.startSession(at: .zero)
        var count = 0
        while writer.progress.byteCount < 2_000_000 {
            try await writer.append(Recordings.noise(count % 40, at: MediaTime(value: Int64(count), timescale: 30)))
            count += 1
        }
        let report = try await writer.finish()
        #expect(report.isFragmented && report.videoFrameCount == count)
        #expect(try Recordings.neighbours(path) == ["movie.mp4"])
        try Recordings.expectPlays(path)
        #expect(try Probe(path).frames.count == count)
    }
}
