// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import Testing

@Suite struct NumberTextTests {
    @Test func `Zeros fill a number up to its width`() {
        #expect(7.zeroPadded(to: 3) == "007" && 1234.zeroPadded(to: 3) == "1234" && 0.zeroPadded(to: 0) == "0")
        #expect(UInt8(10).zeroPadded(to: 2, radix: 16) == "0a")
        #expect(UInt8(10).zeroPadded(to: 2, radix: 16, uppercase: true) == "0A")
    }

    @Test(arguments: [
        (0, "0:00"), (9, "0:09"), (65, "1:05"), (3599, "59:59"), (3600, "1:00:00"), (3723, "1:02:03"),
        (360_000, "100:00:00"),
    ])
    func `A clock has hours only where there are any`(seconds: Int, text: String) {
        #expect(ClockText.text(seconds: seconds) == text)
    }
}
