// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase

extension WallTime.Fields {
    /// Returns year, month and day, such as `2026-03-01`.
    package func date(_ separator: String) -> String {
        [year.zeroPadded(to: 4), month.zeroPadded(to: 2), day.zeroPadded(to: 2)].joined(separator: separator)
    }

    /// Returns hour, minute and second, such as `14:05:09`.
    package func clock(_ separator: String) -> String {
        [hour, minute, second].map { $0.zeroPadded(to: 2) }.joined(separator: separator)
    }

    /// Days since 1970-01-01 in the Gregorian calendar, computed in years that start in March: the leap day is then the
    /// last day of a year, and the years repeat after 400.
    fileprivate var days: Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    fileprivate var daysInMonth: Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension WallTime {
    /// Creates a time from the fields of a clock that is this number of seconds ahead of UTC; hour 24 and second 60
    /// count as the next day and minute.
    ///
    /// Returns nil for invalid fields, and for years before 1679 and after 2261.
    package init?(_ fields: Fields, secondsFromUTC: Int) {
        guard (1679...2261).contains(fields.year), (1...12).contains(fields.month),
            (1...fields.daysInMonth).contains(fields.day), (0...24).contains(fields.hour),
            (0...59).contains(fields.minute), (0...60).contains(fields.second)
        else { return nil }
        let seconds = fields.days * 86_400 + fields.hour * 3600 + fields.minute * 60 + fields.second - secondsFromUTC
        self.init(
            nanosecondsSince1970: Int64(seconds) * 1_000_000_000 + Int64(fields.nanosecond),
            secondsFromUTC: secondsFromUTC)
    }

    /// Parses an offset from UTC and returns it in seconds: `+01:00`, `+0100` or `+01`; nil for other text.
    package static func secondsFromUTC(ofZone zone: some StringProtocol) -> Int? {
        let digits = String(zone.dropFirst().filter { $0 != ":" })
        guard let sign = zone.first, sign == "+" || sign == "-", digits.count == 2 || digits.count == 4,
            let number = Int(digits)
        else { return nil }
        let (hours, minutes) = digits.count == 2 ? (number, 0) : (number / 100, number % 100)
        guard (0...23).contains(hours), (0...59).contains(minutes) else { return nil }
        return (hours * 3600 + minutes * 60) * (sign == "-" ? -1 : 1)
    }
}
