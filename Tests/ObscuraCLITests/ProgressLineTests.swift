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
