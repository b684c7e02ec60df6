// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import Testing

@Suite struct WritingTimesTests {
    private func times(_ microseconds: some Sequence<Int64>) -> WritingTimes {
        var times = WritingTimes()
        for time in microseconds {
            times.record(from: HostTime(nanoseconds: 5), to: HostTime(nanoseconds: 5 + time * 1000))
        }
        return times
    }

    @Test("A percentile is at most a sixteenth too high, and never too low")
    func percentiles() {
        for scale in [1, 7, 100, 12_345] as [Int64] {
            let times = times((1...1000).map { $0 * scale })
            for percent in [50, 95, 99, 100] as [Int64] {
                let exact = Double(10 * percent * scale)
                let found = Double(times.microseconds(atPercentile: Double(percent)))
                #expect(found >= exact && found <= exact * 17 / 16, "\(percent) of \(scale)")
            }
            #expect(times.maximum == UInt64(1000 * scale) && times.count == 1000)
        }
    }

    @Test("Nothing is out of bounds")
    func extremes() {
        #expect(times([]).microseconds(atPercentile: 50) == 0)
        #expect(times([0]).microseconds(atPercentile: 0) == 0)
        #expect(times([-5]).maximum == 0)
        #expect(times([9_000_000_000_000]).microseconds(atPercentile: 100) > 0)
    }
}
