// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ArgumentParser
import Obscura
import Testing

@testable import ObscuraCLI

@Suite struct ArgumentTests {
    @Test(
        "A duration is exactly what was written",
        arguments: [
            ("500ms", 1, 2), ("2s", 2, 1), ("1.5s", 3, 2), ("1m", 60, 1), ("2min", 120, 1), ("1h", 3600, 1),
            ("250us", 1, 4000), ("00:01:30", 90, 1), ("01:30", 90, 1), ("0:00.5", 1, 2), ("100:00:01", 360_001, 1),
            ("0.001ms", 1, 1_000_000), ("5", 5, 1), ("1.5", 3, 2), ("0", 0, 1), ("0s", 0, 1),
            ("0.033333333s", 33_333_333, 1_000_000_000),
        ] as [(String, Int64, Int32)])
    func duration(text: String, value: Int64, timescale: Int32) throws {
        #expect(try DurationArgument(argument: text).time == MediaTime(value: value, timescale: timescale))
    }

    @Test(
        "What is no duration is refused",
        arguments: [
            "", ".", "5 ", "s", "-1s", "+1s", "1 s", "1.s", ".5s", "1.2.3s", "1e3s", "1d", "00:60", "1:2:3:4", "a:10",
            "1:-2", "00:01:60", "1000000000s", "1.0000000000s", "٣s", ":10", "1:", "1s ",
        ])
    func noDuration(text: String) {
        #expect(throws: (any Error).self) { try DurationArgument(argument: text) }
    }

    @Test("A size is two sides", arguments: [("640x360", 640, 360), ("641x361", 641, 361), ("1x32768", 1, 32768)])
    func size(text: String, width: Int, height: Int) throws {
        #expect(try SizeArgument(argument: text).size == PixelSize(width: width, height: height))
    }

    @Test(
        "What is no size is refused",
        arguments: ["", "640", "640x", "x360", "0x1", "1x0", "32769x1", "1x1x1", "-1x5", "640X360", "640x 360", "axb"])
    func noSize(text: String) {
        #expect(throws: (any Error).self) { try SizeArgument(argument: text) }
    }

    @Test(
        arguments: [
            ("camera", .camera), ("camera:front", .camera), ("/dev/video0", .camera), ("/dev/v4l/by-id/a", .camera),
            ("microphone", .microphone), ("/dev/snd/pcmC0D0c", .microphone), ("pattern:64x36", .pattern),
            ("tone", .tone),
            ("film.mp4", .film), ("/dev/shm/film.mp4", .film), ("/dev/fd/3", .film), ("rtsp://camera/live", .film),
        ] as [(String, SourceKind)])
    func `The name of a source tells its kind, and a file in the memory is a film`(name: String, kind: SourceKind) {
        #expect(SourceKind(name) == kind)
    }

    @Test("A number goes into its place in a pattern, or else before the extension")
    func numberedPaths() throws {
        #expect(try FramePathPattern(argument: "p/%03d.jpg").numberedPath(7) == "p/007.jpg")
        #expect(try FramePathPattern(argument: "p.q/a.jpg").numberedPath(7) == "p.q/a-7.jpg")
        #expect(throws: ValidationError.self) { try FramePathPattern(argument: "") }
    }

    @Test("A shared option has the same names in every command that has it")
    func sharedOptions() throws {
        #expect(try RecordCommand.parse(["--bitrate", "4M"]).videoSettings().bitRate == 4_000_000)
        #expect(try ExtractCommand.parse(["--max-duration", "2"]).limits.duration.time?.seconds == 2)
        #expect(try ListenCommand.parse(["--duration", "1m"]).duration.time?.seconds == 60)
        #expect(throws: (any Error).self) { try ListenCommand.parse(["--duration", "0"]) }
        #expect(try PhotoCommand.parse(["--orientation", "left", "--mirror"]).settings().orientation == .left)
    }
}
