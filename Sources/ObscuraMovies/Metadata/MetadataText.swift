// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

extension GeographicLocation {
    /// Parses a location as stored in movies: ISO 6709 annex H with degrees, degrees and minutes, or degrees, minutes
    /// and seconds. Nil for other text.
    init?(iso6709 text: String) {
        var numbers: [(value: Double, whole: Int)] = []
        var rest = Substring(text)
        while let sign = rest.first, sign == "+" || sign == "-" {
            rest.removeFirst()
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            guard let value = Double(digits) else { return nil }
            numbers.append((sign == "-" ? -value : value, digits.prefix { $0 != "." }.count))
            rest = rest.dropFirst(digits.count)
        }
        guard numbers.count >= 2,
            let latitude = Self.degrees(numbers[0], digits: 2), let longitude = Self.degrees(numbers[1], digits: 3)
        else { return nil }
        let altitude = numbers.count > 2 ? numbers[2].value : nil
        guard let place = try? GeographicLocation(latitude: latitude, longitude: longitude, altitude: altitude) else {
            return nil
        }
        self = place
    }

    /// Converts a number to degrees; the count of digits before the point shows whether it includes minutes and
    /// seconds.
    private static func degrees(_ number: (value: Double, whole: Int), digits: Int) -> Double? {
        let size = number.value.magnitude
        let sign = number.value.sign == .minus ? -1.0 : 1
        switch number.whole - digits {
        case 0: return number.value
        case 2: return sign * ((size / 100).rounded(.down) + size.truncatingRemainder(dividingBy: 100) / 60)
        case 4:
            let minutes = (size / 100).rounded(.down).truncatingRemainder(dividingBy: 100)
            let seconds = size.truncatingRemainder(dividingBy: 100)
            return sign * ((size / 10_000).rounded(.down) + minutes / 60 + seconds / 3600)
        default: return nil
        }
    }
}

extension WallTime {
    /// Parses an ISO 8601 date, such as `2026-03-01T14:05:09.250+01:00`; without a zone it is in UTC, without a time it
    /// is midnight. Nil for other text.
    init?(iso8601 text: String) {
        let parts = text.split(maxSplits: 1, whereSeparator: { $0 == "T" || $0 == " " })
        guard let first = parts.first else { return nil }
        let date = first.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard date.count == 3, let year = date[0], let month = date[1], let day = date[2] else { return nil }
        var fields = Fields(year: year, month: month, day: day)
        var ahead = 0
        if parts.count == 2 {
            let clock = parts[1].prefix { $0.isASCII && ($0.isNumber || $0 == ":" || $0 == ".") }
            let numbers = clock.split(separator: ":")
            guard let zone = Self.zone(parts[1].dropFirst(clock.count)), (2...3).contains(numbers.count),
                let hour = Int(numbers[0]), let minute = Int(numbers[1]),
                let second = numbers.count == 3 ? Double(numbers[2]) : 0, (0..<61).contains(second)
            else { return nil }
            (ahead, fields.hour, fields.minute, fields.second) = (zone, hour, minute, Int(second))
            fields.nanosecond = Int((second.truncatingRemainder(dividingBy: 1) * 1e9).rounded())
        }
        self.init(fields, secondsFromUTC: ahead)
    }

    /// Returns the offset from UTC in seconds: nothing, `Z`, `+01:00`, `+0100` or `+01`.
    private static func zone(_ text: Substring) -> Int? {
        text.isEmpty || text == "Z" || text == "z" ? 0 : secondsFromUTC(ofZone: text)
    }
}
