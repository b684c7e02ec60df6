// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import Testing

@testable import ObscuraCapture

/// A limit of the rate keeps a schedule.
@Suite struct RateLimitTests {
    /// Which of the frames at these times pass.
    private func admitted(_ times: [MediaTime], interval: MediaTime) -> [Int] {
        var limit = RateLimit(interval: interval)
        return times.indices.filter { limit.admits(times[$0]) }
    }

    private func steady(_ count: Int, rate: Int32) -> [MediaTime] {
        (0..<count).map { MediaTime(value: Int64($0), timescale: rate) }
    }

    @Test func `Thirty frames a second thin out to exactly ten`() {
        let passed = admitted(steady(90, rate: 30), interval: MediaTime(value: 1, timescale: 10))
        #expect(passed == Array(stride(from: 0, to: 90, by: 3)))
    }

    @Test func `One frame a second of twenty-five is each twenty-fifth`() {
        let passed = admitted(steady(101, rate: 25), interval: MediaTime(value: 1, timescale: 1))
        #expect(passed == [0, 25, 50, 75, 100])
    }

    @Test func `A rate that does not divide keeps its mean`() {
        let passed = admitted(steady(300, rate: 30), interval: MediaTime(value: 1, timescale: 12))
        #expect(passed.count == 120)
    }

    @Test func `Stamps that tremble change nothing`() {
        let times = (0..<90).map { index in
            let tremble: Int64 = index % 2 == 0 ? 4_000_000 : -4_000_000
            return MediaTime(value: Int64(index) * 33_333_333 + tremble, timescale: 1_000_000_000)
        }
        let passed = admitted(times, interval: MediaTime(value: 1, timescale: 10))
        #expect(passed == Array(stride(from: 0, to: 90, by: 3)))
    }

    @Test(arguments: [(950, true), (960, true), (990, true), (949, false), (910, false), (890, false)])
    func `A frame passes that is early by half the time since the one before it, and a tenth of the interval`(
        milliseconds: Int64, passes: Bool
    ) {
        let times = [0, milliseconds - 100, milliseconds].map { MediaTime(value: $0, timescale: 1000) }
        #expect(admitted(times, interval: MediaTime(value: 1, timescale: 1)) == (passes ? [0, 2] : [0]))
        // Slow frames, of which half the time between them would be more than a tenth of the interval.
        let slow = [0, milliseconds - 500, milliseconds].map { MediaTime(value: $0, timescale: 1000) }
        #expect(admitted(slow, interval: MediaTime(value: 1, timescale: 1)) == (milliseconds >= 900 ? [0, 2] : [0]))
    }

    @Test func `A slower source is let through whole`() {
        #expect(admitted(steady(20, rate: 5), interval: MediaTime(value: 1, timescale: 10)).count == 20)
    }

    @Test func `A step back in time and a long gap begin anew`() {
        let times = [0, 1, 2, 0, 1, 2, 60, 61].map { MediaTime(value: $0, timescale: 2) }
        #expect(admitted(times, interval: MediaTime(value: 1, timescale: 1)) == [0, 2, 3, 5, 6])
    }

    @Test func `An interval of nothing lets all pass`() {
        #expect(admitted(steady(10, rate: 30), interval: .zero).count == 10)
    }
}
