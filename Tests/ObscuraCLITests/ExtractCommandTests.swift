// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import Testing

@testable import ObscuraCLI

@Suite struct ExtractCommandTests {
    private func command(_ arguments: String...) throws -> ExtractCommand {
        try ExtractCommand.parse(arguments)
    }

    private func target(_ arguments: String...) throws -> FrameTarget {
        try ExtractCommand.parse(arguments).target()
    }

    private func settings(_ arguments: String...) throws -> FrameExport.Settings {
        try ExtractCommand.parse(arguments).settings()
    }

    @Test("Without options a film goes to numbered JPEGs")
    func defaults() throws {
        let command = try command("film.mp4")
        #expect(command.source.name == "film.mp4")
        #expect(try command.target() == .sequence(FramePathPattern("frames/%06d.jpg"), .jpeg(quality: 85)))
        #expect(try command.settings() == FrameExport.Settings())
        #expect(!command.overwriting.overwrite && !command.realtime && !command.verbosity.quiet)
        #expect(command.stats == nil)
    }

    @Test("Without a source the default is read; it runs in its best mode, and so does the pattern")
    func sources() throws {
        #expect(try command().source.name == nil)
        #expect(try settings().preset == .high)
        #expect(try settings("pattern").preset == .high)
        #expect(try settings("pattern", "--preset", "low").preset == .low)
    }

    @Test("Every option becomes a setting")
    func options() throws {
        let command = try command(
            "x", "--every", "3", "--interval", "500ms", "--start", "2s", "--duration", "10s", "--count", "7",
            "--size", "641x361", "--fit", "aspect", "--preset", "hd1280x720", "--orientation", "left", "--mirror",
            "--pixel-format", "gray8", "--quality", "33", "--realtime", "--stats", "json", "--overwrite", "-q",
            "--timestamps", "t.tsv")
        let settings = try command.settings()
        #expect(settings.frameStride == 3)
        #expect(settings.interval == MediaTime(value: 1, timescale: 2))
        #expect(command.start?.time == MediaTime(value: 2, timescale: 1))
        #expect(settings.duration == MediaTime(value: 10, timescale: 1))
        #expect(settings.count == 7)
        #expect(settings.image.size == PixelSize(width: 641, height: 361))
        #expect(settings.image.fit == .aspect)
        #expect(settings.image.orientation == .left)
        #expect(settings.image.isMirrored)
        #expect(settings.image.pixelFormat == .gray8)
        #expect(settings.preset == .hd1280x720)
        #expect(try command.target() == .sequence(FramePathPattern("frames/%06d.jpg"), .jpeg(quality: 33)))
        #expect(command.realtime && command.stats == .json && command.overwriting.overwrite && command.verbosity.quiet)
        #expect(command.timestamps == "t.tsv")
    }

    @Test("The ending chooses what is written")
    func endings() throws {
        #expect(try target("-o", "%d.PNG") == .sequence(try FramePathPattern("%d.PNG"), .png))
        #expect(try target("-o", "a.y4m") == .stream(.file("a.y4m"), isY4M: true))
        #expect(try target("-o", "a.raw") == .stream(.file("a.raw"), isY4M: false))
        #expect(try target("-o", "%d.raw") == .sequence(try FramePathPattern("%d.raw"), .raw))
        #expect(try settings("-o", "%d.bgra").image.pixelFormat == .bgra)
        #expect(try settings("-o", "a.yuv").image.pixelFormat == .i420)
        #expect(try settings("-o", "a.raw").image.pixelFormat == nil)
        #expect(try target("-o", "100%%.nv12") == .stream(.file("100%.nv12"), isY4M: false))
        #expect(try settings("-o", "a.jpg", "--count", "1").count == 1)
    }

    @Test("--format counts more than the ending, and a pipe takes raw")
    func formats() throws {
        #expect(try target("-o", "-") == .stream(.standardOutput, isY4M: false))
        #expect(try target("-o", "-", "--format", "y4m") == .stream(.standardOutput, isY4M: true))
        #expect(try target("-o", "-").isStandardOutput)
        #expect(try target("-o", "x", "--format", "raw") == .stream(.file("x"), isY4M: false))
        #expect(try target("-o", "%d.x", "--format", "png") == .sequence(try FramePathPattern("%d.x"), .png))
        #expect(try settings("-o", "%d.bgra", "--format", "raw").image.pixelFormat == .bgra)
    }

    @Test(
        "Wrong usage has the code 64",
        arguments: [
            ["-o", "x.jpg"], ["-o", "x.jpg", "--count", "2"], ["-o", "%d.y4m"], ["-o", "x.foo"], ["-o", "x"],
            ["-o", "%d%d.jpg"], ["-o", "%s.jpg"], ["-o", "frames/"], ["-o", ""], ["-o", "-", "--format", "jpeg"],
            ["-o", "-", "--format", "png"], ["-o", "x.y4m", "--pixel-format", "bgra"],
            ["-o", "x.nv12", "--pixel-format", "bgra"], ["--every", "0"], ["--count", "0"], ["--interval", "0s"],
            ["--duration", "0s"], ["--quality", "0"], ["--quality", "101"], ["-o", "%d.png", "--quality", "9"],
            ["--fit", "fill"], ["--size", "big"], ["--start", "soon"], ["--stats", "xml"], ["--timestamps", "-"],
            ["a.mp4", "b.mp4"], ["--orientation", "sideways"], ["--preset", "best"], ["--frames", "3"],
        ])
    func wrongUsage(arguments: [String]) throws {
        let error = #expect(throws: (any Error).self) {
            try ExtractCommand.parse(arguments)
        }
        #expect(ObscuraTool.exitCode(for: try #require(error)).rawValue == 64)
    }

    @Test("The rate of a stream is the device's, thinned out")
    func rates() throws {
        let formats = [VideoFormat(pixelFormat: .i420, width: 64, height: 48, frameRate: FrameRate(30000, per: 1001))]
        #expect(try settings().frameRate(of: formats) == FrameRate(30000, per: 1001))
        #expect(try settings("--every", "3").frameRate(of: formats) == FrameRate(10000, per: 1001))
        #expect(try settings("--interval", "500ms").frameRate(of: formats) == FrameRate(2))
        #expect(try settings("--interval", "1ms").frameRate(of: formats) == FrameRate(30000, per: 1001))
        #expect(try settings().frameRate(of: []) == nil)
    }
}
