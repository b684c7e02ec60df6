// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// How long something took, over many times; of constant size.
///
/// Times are counted in steps of at most 1/16 of themselves, so the percentiles are too high by at most that.
public struct WritingTimes: Sendable, Hashable {
    private static let steps = 16
    private var counts = [UInt32](repeating: 0, count: 30 * WritingTimes.steps)
    /// How many times were counted.
    public private(set) var count = 0
    /// The longest time, in microseconds.
    public private(set) var maximum: UInt64 = 0

    /// No times yet.
    public init() {}

    /// The time, in microseconds, that this part of all times did not exceed; 0 if there were none.
    ///
    /// - Parameter percentile: 0 to 100.
    public func microseconds(atPercentile percentile: Double) -> UInt64 {
        let rank = max(1, Int((Double(count) * min(max(percentile, 0), 100) / 100).rounded(.up)))
        var seen = 0
        for (index, count) in counts.enumerated() {
            seen += Int(count)
            if seen >= rank { return min(Self.upperBound(of: index), maximum) }
        }
        return maximum
    }

    /// Counts the time between two moments; a negative one counts as none.
    public mutating func record(from begin: HostTime, to end: HostTime) {
        let microseconds = UInt64(max(0, (end.nanoseconds - begin.nanoseconds) / 1000))
        counts[min(Self.index(of: microseconds), counts.count - 1)] += 1
        count += 1
        maximum = max(maximum, microseconds)
    }

    /// Below 16 each number has a step of its own; above, each power of two has 16 steps.
    private static func index(of value: UInt64) -> Int {
        guard value >= UInt64(steps) else { return Int(value) }
        let exponent = 63 - value.leadingZeroBitCount - 4
        return exponent * steps + Int(value >> UInt64(exponent))
    }

    private static func upperBound(of index: Int) -> UInt64 {
        guard index >= 2 * steps else { return UInt64(index) }
        let exponent = index / steps - 1
        return (UInt64(index - exponent * steps) + 1) << UInt64(exponent) - 1
    }
}
