// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase

/// A local time: a UTC time and the offset of the local clock.
public struct WallTime: Sendable, Hashable, Codable {
    /// Nanoseconds since 1970-01-01 in UTC, without leap seconds.
    public var nanosecondsSince1970: Int64
    /// The offset of the local clock from UTC in seconds, such as 3,600 for Paris in winter.
    public var secondsFromUTC: Int

    /// Creates a time from a UTC time and the offset of the local clock.
    ///
    /// - Parameters:
    ///   - nanosecondsSince1970: nanoseconds since 1970-01-01 in UTC, without leap seconds; the range is the years 1678
    ///     to 2262.
    ///   - secondsFromUTC: the offset from UTC in seconds; truncated to whole minutes, because files store minutes, and
    ///     limited to less than a day.
    public init(nanosecondsSince1970: Int64, secondsFromUTC: Int = 0) {
        self.nanosecondsSince1970 = nanosecondsSince1970
        self.secondsFromUTC = min(max(-86_340, secondsFromUTC / 60 * 60), 86_340)
    }

    private enum CodingKeys: CodingKey {
        case nanosecondsSince1970
        case secondsFromUTC
    }

    /// Decodes a time, with the offset limited as for a new one.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            nanosecondsSince1970: try values.decode(Int64.self, forKey: .nanosecondsSince1970),
            secondsFromUTC: try values.decode(Int.self, forKey: .secondsFromUTC))
    }

    /// The current time, in the time zone of this machine.
    public static var now: WallTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        var parts = tm()
        localtime_r(&time.tv_sec, &parts)
        return WallTime(
            nanosecondsSince1970: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec),
            secondsFromUTC: parts.tm_gmtoff)
    }

    /// Returns a time with the offset that the clock of this machine has at that time.
    package static func local(nanosecondsSince1970: Int64) -> WallTime {
        var time = time_t(nanosecondsSince1970.flooredDivision(by: 1_000_000_000).quotient)
        var parts = tm()
        localtime_r(&time, &parts)
        return WallTime(nanosecondsSince1970: nanosecondsSince1970, secondsFromUTC: parts.tm_gmtoff)
    }

    /// Nanoseconds since 1970 as the local clock shows them.
    package var localNanoseconds: Int64 {
        nanosecondsSince1970.addingReportingOverflow(Int64(secondsFromUTC) * 1_000_000_000).partialValue
    }

    /// Creates the wall time of a host time.
    ///
    /// - Parameters:
    ///   - wall: the current wall time, whose time zone is used.
    ///   - host: the current host time.
    package init(of time: HostTime, now wall: WallTime = .now, host: HostTime = .now) {
        let (nanoseconds, overflow) = wall.nanosecondsSince1970.subtractingReportingOverflow(
            (host - time).wholeNanoseconds)
        self = wall
        if !overflow { nanosecondsSince1970 = nanoseconds }
    }

    /// The fields of a date and a time of day.
    public struct Fields: Sendable, Hashable {
        /// The year of the Gregorian calendar.
        public var year: Int
        /// The month, 1 to 12.
        public var month: Int
        /// The day of the month, 1 to 31.
        public var day: Int
        /// The hour, 0 to 23.
        public var hour: Int
        /// The minute, 0 to 59.
        public var minute: Int
        /// The second, 0 to 59.
        public var second: Int
        /// The nanosecond, 0 to 999,999,999.
        public var nanosecond: Int

        package init(
            year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, nanosecond: Int = 0
        ) {
            (self.year, self.month, self.day) = (year, month, day)
            (self.hour, self.minute, self.second, self.nanosecond) = (hour, minute, second, nanosecond)
        }
    }

    /// The local date and time.
    public var fields: Fields { fields(ahead: secondsFromUTC) }
    /// The date and time in UTC.
    public var utcFields: Fields { fields(ahead: 0) }

    /// The time in ISO 8601, to the millisecond, such as `2026-03-01T14:05:09.250+01:00`; `Z` for UTC.
    public var iso8601: String {
        let now = fields
        let milliseconds = (now.nanosecond / 1_000_000).zeroPadded(to: 3)
        return "\(now.date("-"))T\(now.clock(":")).\(milliseconds)\(secondsFromUTC == 0 ? "Z" : zone)"
    }

    /// The offset from UTC, such as `+01:00`.
    public var zone: String {
        let minutes = abs(secondsFromUTC) / 60
        let parts = [minutes / 60, minutes % 60].map { $0.zeroPadded(to: 2) }
        return (secondsFromUTC < 0 ? "-" : "+") + parts.joined(separator: ":")
    }

    private func fields(ahead: Int) -> Fields {
        let (seconds, rest) = nanosecondsSince1970.flooredDivision(by: 1_000_000_000)
        var time = time_t(seconds + Int64(ahead))
        var parts = tm()
        gmtime_r(&time, &parts)
        return Fields(
            year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday),
            hour: Int(parts.tm_hour), minute: Int(parts.tm_min), second: Int(parts.tm_sec), nanosecond: Int(rest))
    }
}

extension Int64 {
    /// Returns the quotient, rounded toward negative infinity, and the nonnegative remainder.
    fileprivate func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
