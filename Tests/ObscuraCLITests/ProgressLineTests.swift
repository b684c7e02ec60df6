// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import Testing

@testable import ObscuraCLI

@Suite struct ProgressLineTests {
    @Test("A line shows the part, the rate, what was dropped and the time left")
    func full() {
        let line = ProgressLine(fraction: 0.25, frames: 100, dropped: 3, elapsed: .seconds(2))
        #expect(line.text == "25%  100 frames  50.0/s  3 dropped  0:06 left")
        let bar = "[##########------------------------------] "
        #expect(line.text(width: 200) == bar + line.text)
        #expect(line.text(width: line.text.count + 16) == "[###---------] " + line.text)
        #expect(line.text(width: line.text.count + 13) == line.text)
    }

    @Test("Without a known end there is no bar and no time left")
    func endless() {
        let line = ProgressLine(fraction: nil, frames: 7, dropped: 0, elapsed: .zero)
        #expect(line.text(width: 200) == "7 frames  0.0/s  0 dropped")
    }

    @Test("It never reaches the last column", arguments: 0...200)
    func width(width: Int) {
        let line = ProgressLine(fraction: 0.5, frames: 1_000_000, dropped: 1_000, elapsed: .seconds(100_000))
        #expect(line.text(width: width).count <= max(0, width - 1))
        #expect(line.text.hasSuffix("27:46:40 left"))
    }

    @Test("A recording's line has its length, size, rate and drops, and bars where there is room")
    func recording() {
        let time = MediaTime(value: 3_725, timescale: 1)
        let line = RecordingLine(duration: time, bytes: 1_500_000, frames: 111_750, dropped: 2, levels: [.silence])
        #expect(line.text == "1:02:05  1.5 MB  30.0/s  2 dropped")
        #expect(line.text(width: 100).hasPrefix(line.text + "  [") && line.text(width: 40) == line.text)
        for width in 0...200 { #expect(line.text(width: width).count <= max(0, width - 1)) }
        let sound = RecordingLine(duration: time, bytes: 10, frames: 0, dropped: 0, levels: [])
        #expect(sound.text == "1:02:05  10 bytes  0 dropped")
    }

    @Test("The limit that comes first counts")
    func lengths() {
        var length = ProgressLength(count: 100, duration: MediaTime(value: 10, timescale: 1))
        let at = { (seconds: Int64) in MediaTime(value: seconds, timescale: 1) }
        #expect(length.fraction(frames: 50, from: at(3), to: at(5)) == 0.5)
        #expect(length.fraction(frames: 1, from: at(3), to: at(12)) == 0.9)
        length.limit(duration: at(4))
        #expect(length.fraction(frames: 1, from: at(3), to: at(5)) == 0.5)
        #expect(length.fraction(frames: 500, from: nil, to: nil) == 1)
        #expect(ProgressLength().fraction(frames: 3, from: at(0), to: at(1)) == nil)
    }
}
