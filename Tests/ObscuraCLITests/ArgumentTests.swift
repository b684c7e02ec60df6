// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import Testing

@testable import ObscuraCLI

@Suite struct ArgumentTests {
    @Test(
        "A duration is exactly what was written",
        arguments: [
            ("500ms", 1, 2), ("2s", 2, 1), ("1.5s", 3, 2), ("1m", 60, 1), ("2min", 120, 1), ("1h", 3600, 1),
            ("250us", 1, 4000), ("00:01:30", 90, 1), ("01:30", 90, 1), ("0:00.5", 1, 2), ("100:00:01", 360_001, 1),
            ("0.001ms", 1, 1_000_000), ("0s", 0, 1), ("0.033333333s", 33_333_333, 1_000_000_000),
        ] as [(String, Int64, Int32)])
    func duration(text: String, value: Int64, timescale: Int32) throws {
        #expect(try DurationArgument(argument: text).time == MediaTime(value: value, timescale: timescale))
    }

    @Test(
        "What is no duration is refused",
        arguments: [
            "", "5", "s", "-1s", "+1s", "1 s", "1.s", ".5s", "1.2.3s", "1e3s", "1d", "00:60", "1:2:3:4", "a:10",
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
}
