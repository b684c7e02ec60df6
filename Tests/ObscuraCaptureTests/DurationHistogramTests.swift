// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraCapture
import ObscuraMedia
import Testing

@Suite struct DurationHistogramTests {
    private func statistics(_ microseconds: some Sequence<Int64>) -> StageStatistics {
        var histogram = DurationHistogram()
        for time in microseconds {
            histogram.record(from: HostTime(nanoseconds: 5), to: HostTime(nanoseconds: 5 + time * 1000))
        }
        return histogram.statistics
    }

    @Test("Percentiles and the maximum are exact to within 1 %")
    func percentiles() {
        for scale in [1, 7, 100, 12_345] as [Int64] {
            let found = statistics((1...1000).map { $0 * scale })
            for (percent, value) in [(50, found.p50), (95, found.p95), (99, found.p99)] {
                let exact = Double(10 * Int64(percent) * scale)
                #expect(abs(Double(value) - exact) <= max(1, exact / 100), "\(percent) of \(scale): \(value)")
            }
            #expect(found.count == 1000)
            #expect(abs(Double(found.maximum) - Double(1000 * scale)) <= Double(1000 * scale) / 100)
        }
    }

    @Test("Nothing is out of bounds")
    func extremes() {
        #expect(statistics([]) == StageStatistics())
        #expect(statistics([0]).p50 == 0 && statistics([0]).count == 1)
        #expect(statistics([-5]).maximum == 0)
        #expect(statistics([9_000_000_000_000]).p99 > 0)
    }
}
