// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import Testing

@testable import ObscuraCLI

@Suite struct ExtractPlanTests {
    private func plan(_ arguments: String...) throws -> ExtractPlan {
        try ExtractPlan(ExtractCommand.parse(arguments), source: "camera")
    }

    @Test("Without options a film goes to numbered JPEGs")
    func defaults() throws {
        let plan = try plan("film.mp4")
        #expect(plan.source == "film.mp4")
        #expect(plan.target == .sequence(try FramePathPattern("frames/%06d.jpg"), .jpeg(quality: 85)))
        #expect(plan.settings == FrameExport.Settings())
        #expect(!plan.overwrites && !plan.isRealTime && !plan.isQuiet && !plan.printsStatistics)
    }

    @Test("Without a source the camera is read; it runs in its best mode, and so does the pattern")
    func sources() throws {
        #expect(try plan().source == "camera")
        #expect(try plan().settings.preset == .high)
        #expect(try plan("pattern").settings.preset == .high)
        #expect(try plan("pattern", "--preset", "low").settings.preset == .low)
    }

    @Test("Every option arrives")
    func options() throws {
        let plan = try plan(
            "x", "--every", "3", "--interval", "500ms", "--start", "2s", "--duration", "10s", "--count", "7",
            "--size", "641x361", "--fit", "aspect", "--preset", "hd1280x720", "--orientation", "left", "--mirror",
            "--pixel-format", "gray8", "--quality", "33", "--realtime", "--stats", "json", "--overwrite", "-q",
            "--timestamps", "t.tsv")
        #expect(plan.settings.frameStride == 3)
        #expect(plan.settings.interval == MediaTime(value: 1, timescale: 2))
        #expect(plan.start == MediaTime(value: 2, timescale: 1))
        #expect(plan.settings.duration == MediaTime(value: 10, timescale: 1))
        #expect(plan.settings.count == 7)
        #expect(plan.settings.image.size == PixelSize(width: 641, height: 361))
        #expect(plan.settings.image.fit == .aspect)
        #expect(plan.settings.image.orientation == .left)
        #expect(plan.settings.image.isMirrored)
        #expect(plan.settings.image.pixelFormat == .gray8)
        #expect(plan.settings.preset == .hd1280x720)
        #expect(plan.target == .sequence(try FramePathPattern("frames/%06d.jpg"), .jpeg(quality: 33)))
        #expect(plan.isRealTime && plan.printsStatistics && plan.overwrites && plan.isQuiet)
        #expect(plan.timestampsPath == "t.tsv")
    }

    @Test("The ending chooses what is written")
    func endings() throws {
        #expect(try plan("-o", "%d.PNG").target == .sequence(try FramePathPattern("%d.PNG"), .png))
        #expect(try plan("-o", "a.y4m").target == .stream(.file("a.y4m"), isY4M: true))
        #expect(try plan("-o", "a.raw").target == .stream(.file("a.raw"), isY4M: false))
        #expect(try plan("-o", "%d.raw").target == .sequence(try FramePathPattern("%d.raw"), .raw))
        #expect(try plan("-o", "%d.bgra").settings.image.pixelFormat == .bgra)
        #expect(try plan("-o", "a.yuv").settings.image.pixelFormat == .i420)
        #expect(try plan("-o", "a.raw").settings.image.pixelFormat == nil)
        #expect(try plan("-o", "100%%.nv12").target == .stream(.file("100%.nv12"), isY4M: false))
        #expect(try plan("-o", "a.jpg", "--count", "1").settings.count == 1)
    }

    @Test("--format counts more than the ending, and a pipe takes raw")
    func formats() throws {
        #expect(try plan("-o", "-").target == .stream(.standardOutput, isY4M: false))
        #expect(try plan("-o", "-", "--format", "y4m").target == .stream(.standardOutput, isY4M: true))
        #expect(try plan("-o", "-").writesToStandardOutput)
        #expect(try plan("-o", "x", "--format", "raw").target == .stream(.file("x"), isY4M: false))
        #expect(try plan("-o", "%d.x", "--format", "png").target == .sequence(try FramePathPattern("%d.x"), .png))
        #expect(try plan("-o", "%d.bgra", "--format", "raw").settings.image.pixelFormat == .bgra)
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
            try ExtractPlan(ExtractCommand.parse(arguments), source: "camera")
        }
        #expect(ObscuraTool.exitCode(for: try #require(error)).rawValue == 64)
    }

    @Test("The rate of a stream is the device's, thinned out")
    func rates() throws {
        let formats = [VideoFormat(pixelFormat: .i420, width: 64, height: 48, frameRate: FrameRate(30000, per: 1001))]
        #expect(try plan().frameRate(of: formats) == FrameRate(30000, per: 1001))
        #expect(try plan("--every", "3").frameRate(of: formats) == FrameRate(10000, per: 1001))
        #expect(try plan("--interval", "500ms").frameRate(of: formats) == FrameRate(2))
        #expect(try plan("--interval", "1ms").frameRate(of: formats) == FrameRate(30000, per: 1001))
        #expect(try plan().frameRate(of: []) == nil)
    }
}
