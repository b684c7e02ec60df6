// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import Testing

@Suite struct RateMeterTests {
    private func time(_ milliseconds: Int64) -> HostTime { HostTime(nanoseconds: milliseconds * 1_000_000) }

    @Test func `The rate is that of the last second`() {
        let meter = RateMeter()
        #expect(meter.rate(at: time(5000), count: 7) == 0)
        #expect(meter.rate(at: time(5500), count: 17) == 20)
        for step in 1...20 {
            meter.rate(at: time(5500 + Int64(step) * 100), count: UInt64(17 + step * 3))
        }
        #expect(meter.rate(at: time(7600), count: 80) == 30)
        // Nothing came for a while.
        #expect(meter.rate(at: time(8600), count: 80) == 0)
    }

    @Test func `A smaller count is that of another run`() {
        let meter = RateMeter()
        meter.rate(at: time(0), count: 100)
        #expect(meter.rate(at: time(1000), count: 200) == 100)
        #expect(meter.rate(at: time(1500), count: 5) == 0)
        #expect(meter.rate(at: time(2000), count: 10) == 10)
    }
}
