// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Testing

@testable import ObscuraDevices

@Suite("The kernel's numbers of frames")
struct FrameNumbersTests {
    private func numbers(_ raw: [UInt32]) -> [[UInt64]] {
        var numbers = FrameNumbers()
        return raw.map { numbers.number(of: $0) }.map { [$0.number, $0.gap] }
    }

    @Test("Steps of more than one are gaps")
    func gaps() {
        #expect(numbers([0, 1, 5, 6]) == [[0, 0], [1, 0], [5, 3], [6, 0]])
    }

    @Test("What is missing before the first frame is a gap; a counter that ran before is none")
    func first() {
        #expect(numbers([2, 3]) == [[2, 2], [3, 0]])
        #expect(numbers([4_000_000, 4_000_001]) == [[0, 0], [1, 0]])
    }

    @Test("The counter's end is no gap")
    func wrap() {
        #expect(numbers([.max - 1, .max, 0, 2]) == [[0, 0], [1, 0], [2, 0], [4, 1]])
    }

    @Test("A driver that repeats itself or goes back counts badly, and loses nothing")
    func badCounters() {
        #expect(numbers([5, 5, 4, 7]) == [[5, 5], [6, 0], [7, 0], [10, 2]])
    }

    @Test("A new stream goes on where the last one ended")
    func streams() {
        var numbers = FrameNumbers()
        _ = numbers.number(of: 0)
        _ = numbers.number(of: 1)
        numbers.beginStream()
        #expect(numbers.number(of: 0).number == 2)
        numbers.beginStream()
        let late = numbers.number(of: 3)
        #expect(late.number == 6 && late.gap == 3)
    }

    @Test("A loopback counts what its writer has written, which is no gap of ours")
    func loopback() {
        var numbers = FrameNumbers()
        numbers.beginStream(countsFromStart: false)
        #expect(numbers.number(of: 57).gap == 0)
        #expect(numbers.number(of: 59).gap == 1)
    }
}
