// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraFFmpeg
import Testing

/// Packets of timed text, whose length has 16 bits.
@Suite struct TimedFormTests {
    @Test(arguments: [0, 1, 2, 3])
    func `A text that is too long ends with a whole character`(before: Int) {
        let text = String(repeating: "a", count: before) + String(repeating: "😀", count: 20_000)
        let packet = TimedForm.timedText.payload(Array(text.utf8))
        let kept = TimedForm.text(of: packet)
        #expect(kept.map { text.hasPrefix($0) } == true)
        #expect(kept?.utf8.count == before + (65_535 - before) / 4 * 4)
    }

    @Test func `A text of the largest length is whole`() {
        let text = String(repeating: "é", count: 32_767) + "a"
        #expect(TimedForm.text(of: TimedForm.timedText.payload(Array(text.utf8))) == text)
    }
}
