// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import FoundationEssentials
public import ObscuraMedia

extension WallTime {
    /// Converts a date, with the UTC offset that the time zone has at that date. Dates before 1678 or after 2262 are
    /// clamped to this range.
    public init(_ date: Date, timeZone: TimeZone = .current) {
        let interval = date.timeIntervalSince1970
        let limit = Double(Int64.max / 1_000_000_000 - 1)
        let seconds = min(max(-limit, interval.rounded(.down)), limit)
        // Added as integers, since a `Double` cannot hold the sum to the nanosecond.
        let fraction = min(max(0, interval - seconds), 1)
        self.init(
            nanosecondsSince1970: Int64(seconds) * 1_000_000_000 + Int64((fraction * 1e9).rounded()),
            secondsFromUTC: timeZone.secondsFromGMT(for: date))
    }
}

extension Date {
    /// Converts a wall time to the same point in time. The UTC offset is not kept, and the rounding error is less than
    /// a microsecond.
    public init(_ time: WallTime) {
        let (seconds, rest) = time.nanosecondsSince1970.quotientAndRemainder(dividingBy: 1_000_000_000)
        self.init(timeIntervalSince1970: Double(seconds) + Double(rest) / 1e9)
    }
}
