// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Obscura
import TestSupport
import Testing

@testable import ObscuraCLI

/// A film of the tester's own.
private let givenFilm = ProcessInfo.processInfo.environment["OBSCURA_TEST_MOVIE"]

/// The binary, on small films that ffmpeg makes and reads back.
@Suite(.needsFFmpeg, .hangLimit) struct FilmTests {
    private let folder: TemporaryFolder
    private let obscura: Tool

    init() throws {
        folder = try TemporaryFolder()
        obscura = Tool(folder: folder)
    }

    /// Makes a film of a moving test picture.
    private func makeFilm(_ name: String, _ size: String, frames: Int, _ options: String) async throws {
        let outcome = try await obscura.shell(
            "ffmpeg -v error -f lavfi -i testsrc=s=\(size):r=25 -frames:v \(frames) \(options) \(name)")
        try #require(outcome.code == 0, "\(outcome.errors)")
    }

    /// The sum of what ffmpeg decodes a file to.
    private func sum(_ name: String, _ options: String = "") async throws -> String {
        let outcome = try await obscura.shell("ffmpeg -v error -i \(name) \(options) -f rawvideo -f md5 -")
        try #require(outcome.code == 0, "\(outcome.errors)")
        return outcome.text
    }

    @Test(
        "A stream holds exactly what ffmpeg decodes, at odd sizes and in each format",
        arguments: [
            ("641x361", "yuv420p"), ("641x361", "yuv422p"), ("641x361", "yuv444p"), ("322x182", "yuv420p10le"),
            ("321x181", "yuv422p10le"), ("321x181", "yuv444p10le"), ("161x91", "gray"),
        ])
    func formats(size: String, format: String) async throws {
        try await makeFilm("in.mkv", size, frames: 12, "-pix_fmt \(format) -c:v ffv1")
        let outcome = try await obscura("extract", "in.mkv", "-o", "out.y4m", "-q")
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        #expect(try await sum("out.y4m") == sum("in.mkv"))
        let probe = try await obscura.shell(
            "ffprobe -v error -show_entries stream=width,height,pix_fmt,r_frame_rate -of csv=p=0 out.y4m")
        #expect(probe.text == size.replacing("x", with: ",") + ",\(format),25/1\n")
    }

    @Test("H.264 with B-frames goes to JPEG, PNG and raw, whole and in order, with ffprobe's times")
    func targets() async throws {
        try await makeFilm("in.mp4", "320x180", frames: 60, "-pix_fmt yuv420p -c:v libx264 -bf 3 -g 12")
        let jpeg = try await obscura("extract", "in.mp4", "--timestamps", "t.tsv", "--stats", "json")
        #expect(jpeg.code == 0, "\(jpeg.errors)")
        #expect(folder.names(in: "frames").count == 60)
        let statistics = try JSONDecoder().decode(ExtractionStatistics.self, from: Data(jpeg.output))
        #expect(statistics.reader?.delivered == 60 && statistics.reader?.dropped["total"] == 0)
        #expect(statistics.ending == "sourceEnded" && statistics.firstPresentationTime?.seconds == 0)
        let times = try await obscura.shell("ffprobe -v error -show_entries frame=pts_time -of csv=p=0 in.mp4")
        let expected = times.text.split(separator: "\n").compactMap { Double($0.prefix { $0 != "," }) }
        let found = try folder.text(of: "t.tsv").split(separator: "\n").compactMap {
            Double($0.split(separator: "\t")[2])
        }
        #expect(expected.count == 60 && zip(expected, found).allSatisfy { abs($0 - $1) < 1e-6 })

        #expect(try await obscura("extract", "in.mp4", "-o", "png/%03d.png", "-q").code == 0)
        let order = try await obscura.shell(
            """
            ffmpeg -v error -i png/%03d.png -i in.mp4 -lavfi "[1]format=rgb24[b];[0][b]psnr=stats_file=psnr.log" \
                -f null -
            """)
        #expect(order.code == 0, "\(order.errors)")
        let quality = try folder.text(of: "psnr.log").split(separator: "\n").compactMap { line -> Double? in
            guard let average = line.split(separator: " ").first(where: { $0.hasPrefix("psnr_avg:") }) else {
                return nil
            }
            // Of two equal pictures it is "inf".
            return Double(average.dropFirst("psnr_avg:".count)) ?? 99
        }
        #expect(quality.count == 60 && (quality.min() ?? 0) > 35, "each picture is its own: \(quality.min() ?? 0) dB")

        #expect(try await obscura("extract", "in.mp4", "-o", "a.yuv", "-q").code == 0)
        let raw = try await obscura.shell("md5sum < a.yuv | cut -d' ' -f1")
        #expect(try await "MD5=\(raw.text)" == sum("in.mp4"))
        let bgra = try await obscura("extract", "in.mp4", "-o", "-", "--pixel-format", "bgra")
        // Within the macro the product would take seconds to type-check.
        let bytes = 60 * 320 * 180 * 4
        #expect(bgra.output.count == bytes)
    }

    @Test(
        "A film is not written over while it is read, by whatever name", arguments: ["in.mkv", "other.mkv", "link.mkv"])
    func sourceIsKept(output: String) async throws {
        try await makeFilm("in.mkv", "64x48", frames: 5, "-c:v ffv1")
        _ = try await obscura.shell("ln in.mkv other.mkv; ln -s in.mkv link.mkv")
        let before = try folder.bytes(of: "in.mkv")
        let outcome = try await obscura("extract", "in.mkv", "--overwrite", "--format", "y4m", "-o", output)
        #expect(outcome.code == 64)
        #expect(outcome.errors.contains("is the source. Write"), "\(outcome.errors)")
        #expect(try folder.bytes(of: "in.mkv") == before)
    }

    @Test(
        "Nor does any other command or option write over it",
        arguments: [
            "record in.mkv -o link.mkv", "record in.mkv -o a.mkv --trace in.mkv", "broadcast in.mkv --record other.mkv",
            "broadcast in.mkv --to in.mkv", "detect in.mkv -o in.mkv", "extract in.mkv -o a.y4m --timestamps link.mkv",
        ])
    func sourceIsKept(command: String) async throws {
        try await makeFilm("in.mkv", "64x48", frames: 5, "-c:v ffv1")
        _ = try await obscura.shell("ln in.mkv other.mkv; ln -s in.mkv link.mkv")
        let before = try folder.bytes(of: "in.mkv")
        let outcome = try await obscura(command.split(separator: " ").map(String.init) + ["--overwrite"])
        #expect(outcome.code == 64)
        #expect(outcome.errors.contains("is the source. Write"), "\(outcome.errors)")
        #expect(try folder.bytes(of: "in.mkv") == before && folder.names() == ["in.mkv", "link.mkv", "other.mkv"])
    }

    @Test("Start, duration, count, every and interval choose frames exactly")
    func choice() async throws {
        try await makeFilm("in.mp4", "320x180", frames: 100, "-pix_fmt yuv420p -c:v libx264 -bf 2 -g 25")
        let choices: [([String], [Int])] = [
            (["--start", "1s", "--duration", "400ms"], Array(25..<35)),
            (["--start", "00:00:03.5"], Array(88..<100)),
            (["--every", "30"], [0, 30, 60, 90]),
            (["--interval", "200ms", "--count", "4"], [0, 5, 10, 15]),
            (["--start", "500ms", "--every", "2", "--count", "3"], [13, 15, 17]),
        ]
        for (index, (arguments, frames)) in choices.enumerated() {
            let outcome = try await Tool.run(
                [Tool.path, "extract", "in.mp4", "-o", "\(index)/%d.jpg", "--timestamps", "\(index).tsv"] + arguments,
                in: folder)
            #expect(outcome.code == 0, "\(outcome.errors)")
            let found = try folder.text(of: "\(index).tsv").split(separator: "\n").compactMap {
                Double($0.split(separator: "\t")[2])
            }
            #expect(found.map { Int(($0 * 25).rounded()) } == frames, "\(arguments)")
            #expect(folder.names(in: "\(index)").count == frames.count)
        }
        let late = try await obscura("extract", "in.mp4", "--start", "1h")
        #expect(late.code == 1 && late.errors.contains("it has no frames after --start. Give an earlier --start."))
    }

    /// Records `in.mkv`, and returns the number of frames of each part.
    private func frameCounts(_ options: String, to pattern: String) async throws -> [Int] {
        let outcome = try await obscura.shell(
            """
            "$OBSCURA" record in.mkv --split 1s \(options) -o '\(pattern)' -q || exit 1
            for part in \(pattern.prefix(1))-*.mov; do
                ffprobe -v quiet -count_packets -show_entries stream=nb_read_packets -of csv=p=0 $part
            done
            exit 0
            """)
        #expect(outcome.code == 0, "\(outcome.errors)")
        return outcome.text.split(separator: "\n").compactMap { Int($0) }
    }

    @Test(
        "A film is split at the interval, to the frame, however fast it is read",
        arguments: ["--codec mjpeg", "--copy"])
    func parts(option: String) async throws {
        try await makeFilm("in.mkv", "96x64", frames: 110, "-c:v mjpeg")
        #expect(try await frameCounts(option, to: "p-%d.mov") == [25, 25, 25, 25, 10])
        // No part begins at the end of a recording.
        _ = try await obscura.shell("echo mine > c-4.mov")
        #expect(try await frameCounts("\(option) --duration 3s", to: "c-%d.mov") == [25, 25, 25])
        #expect(try folder.text(of: "c-4.mov") == "mine\n")
    }

    @Test("The parts of a copy begin with the first key frame at the interval")
    func copiedParts() async throws {
        let keys = [0, 60, 70, 80, 90, 100].map { "eq(n,\($0))" }.joined(separator: "+")
        try await makeFilm(
            "in.mkv", "96x64", frames: 110,
            "-pix_fmt yuv420p -c:v libx264 -bf 2 -g 1000 -sc_threshold 0 -force_key_frames 'expr:\(keys)'")
        // They are due at 1 s, at 3 s and at 4 s.
        #expect(try await frameCounts("--copy", to: "p-%d.mov") == [60, 20, 20, 10])
    }

    @Test("What a film says of its rotation is done")
    func rotation() async throws {
        try await makeFilm("plain.mp4", "320x180", frames: 3, "-pix_fmt yuv420p -c:v libx264")
        let turned = try await obscura.shell("ffmpeg -v error -i plain.mp4 -c copy -metadata:s:v rotate=90 in.mp4")
        try #require(turned.code == 0, "\(turned.errors)")
        let outcome = try await obscura("extract", "in.mp4", "-o", "out.y4m")
        #expect(outcome.code == 0 && outcome.errors.contains("180x320"), "\(outcome.errors)")
        #expect(try await sum("out.y4m") == sum("in.mp4"), "as ffmpeg turns it")
    }

    @Test("At its own pace a film takes its time, and what is late is counted")
    func realTime() async throws {
        try await makeFilm("in.mp4", "320x180", frames: 25, "-pix_fmt yuv420p -c:v libx264")
        let outcome = try await obscura("extract", "in.mp4", "--realtime", "--stats", "json")
        #expect(outcome.code == 0, "\(outcome.errors)")
        let statistics = try JSONDecoder().decode(ExtractionStatistics.self, from: Data(outcome.output))
        #expect(statistics.seconds >= 0.95)
        let account = try #require(statistics.reader)
        #expect(account.offered == 25 && UInt64(statistics.framesWritten) == account.delivered)
        #expect(account.delivered + (account.dropped["total"] ?? 0) == 25)
    }

    @Test("A film that is cut off gives all of its whole frames, and then a clear error")
    func truncated() async throws {
        try await makeFilm("whole.mp4", "320x180", frames: 100, "-pix_fmt yuv420p -c:v libx264 -movflags +faststart")
        let whole = try folder.bytes(of: "whole.mp4")
        try Data(whole.prefix(whole.count * 6 / 10)).write(to: URL(fileURLWithPath: folder("in.mp4")))
        let outcome = try await obscura("extract", "in.mp4", "--stats", "json")
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains("obscura: in.mp4: the file ends too early"), "\(outcome.errors)")
        let statistics = try JSONDecoder().decode(ExtractionStatistics.self, from: Data(outcome.output))
        #expect(statistics.ending == "failed" && statistics.error?.contains("too early") == true)
        #expect((20..<100).contains(statistics.framesWritten))
        #expect(folder.names(in: "frames").count == statistics.framesWritten)
    }

    @Test("What is no film is said to be none")
    func noFilms() async throws {
        try Data().write(to: URL(fileURLWithPath: folder("empty.mp4")))
        try Data("This is not a film.\n".utf8).write(to: URL(fileURLWithPath: folder("text.mp4")))
        let sound = try await obscura.shell("ffmpeg -v error -f lavfi -i sine=d=1 sound.m4a")
        try #require(sound.code == 0, "\(sound.errors)")
        for name in ["empty.mp4", "text.mp4", "sound.m4a", "/", "missing.mp4"] {
            let outcome = try await obscura("extract", name)
            #expect(outcome.code == 1, "\(name)")
            #expect(outcome.errors.hasPrefix("obscura: \(name == "/" ? "/" : name): "), "\(outcome.errors)")
            #expect(outcome.errors.split(separator: "\n").count == 1)
        }
        #expect(!folder.names().contains("frames"))
    }

    @Test("The film of the tests gives all of its frames", .enabled(if: givenFilm != nil))
    func film() async throws {
        let film = try #require(givenFilm)
        let outcome = try await obscura("extract", film, "--stats", "json", "--timestamps", "t.tsv")
        #expect(outcome.code == 0, "\(outcome.errors)")
        let statistics = try JSONDecoder().decode(ExtractionStatistics.self, from: Data(outcome.output))
        let count = try await obscura.shell(
            """
            ffprobe -v error -select_streams v -count_packets -show_entries stream=nb_read_packets -of csv=p=0 \
                '\(film)'
            """)
        let expected = try #require(Int(count.text.prefix { $0.isNumber }))
        #expect(statistics.framesWritten == expected && folder.names(in: "frames").count == expected)
        #expect(try folder.text(of: "t.tsv").split(separator: "\n").count == expected)
    }

    @Test("A film that is not there is told of before the files that are")
    func missingFilm() async throws {
        _ = try await obscura.shell("mkdir frames; echo mine > frames/000001.jpg")
        let outcome = try await obscura("extract", "nothere.mp4")
        #expect(outcome.code == 1 && outcome.errors.hasPrefix("obscura: nothere.mp4: "), "\(outcome.errors)")
    }
}
