// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Histogram
internal import Obscura
internal import ObscuraBase

/// How long something took, over the last ones. Thread-safe; of constant size.
final class DelayRecorder: Sendable {
    private let histogram = Lock(Histogram<UInt32>(highestTrackableValue: limit, numberOfSignificantValueDigits: .two))

    /// Up to ten minutes, in microseconds; longer ones count as that.
    private static let limit: UInt64 = 600_000_000

    func record(_ delay: Duration) {
        let microseconds = UInt64(max(0, delay.wholeNanoseconds / 1000))
        histogram.withLock { _ = $0.record(min(microseconds, Self.limit)) }
    }

    /// Half and 95 of 100 took no longer, in milliseconds; nil before the first.
    var percentiles: (count: Int, p50: Double, p95: Double, p99: Double)? {
        histogram.withLock { histogram in
            guard histogram.totalCount > 0 else { return nil }
            func milliseconds(_ percent: Double) -> Double { Double(histogram.valueAtPercentile(percent)) / 1000 }
            return (Int(histogram.totalCount), milliseconds(50), milliseconds(95), milliseconds(99))
        }
    }
}
