// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Histogram
internal import ObscuraBase
package import ObscuraMedia

/// A histogram of durations with a precision of 1 %, of constant size.
package struct DurationHistogram: Sendable {
    /// Ten minutes, in microseconds; longer durations count as this one.
    private static let limit: UInt64 = 600_000_000
    private var histogram = Histogram<UInt32>(highestTrackableValue: limit, numberOfSignificantValueDigits: .two)

    package init() {}

    /// Counts the time between two moments; a negative duration counts as 0.
    package mutating func record(from begin: HostTime, to end: HostTime) {
        // Drivers may report any timestamp, so the difference saturates.
        histogram.record(min(UInt64(max(0, end.nanoseconds(since: begin) / 1000)), Self.limit))
    }

    package var statistics: StageStatistics {
        guard histogram.totalCount > 0 else { return StageStatistics() }
        return StageStatistics(
            count: Int(histogram.totalCount), p50: histogram.valueAtPercentile(50),
            p95: histogram.valueAtPercentile(95), p99: histogram.valueAtPercentile(99),
            maximum: histogram.maxRecorded)
    }
}
