// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import Foundation
internal import Glibc
internal import ObscuraBase

/// Dates in the format of HTTP: "Sun, 06 Nov 1994 08:49:37 GMT".
package enum HTTPDate {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Returns the date in whole seconds, rounded down.
    package static func text(_ date: Date) -> String {
        var seconds = time_t(date.timeIntervalSince1970.rounded(.down))
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { $0.zeroPadded(to: 2) }.joined(separator: ":")
        let day = "\(days[Int(parts.tm_wday)]), \(parts.tm_mday.zeroPadded(to: 2)) \(months[Int(parts.tm_mon)])"
        return "\(day) \((Int(parts.tm_year) + 1900).zeroPadded(to: 4)) \(clock) GMT"
    }

    /// Parses a date in the preferred format of HTTP; nil for anything else, including obsolete formats.
    package static func date(_ text: String) -> Date? {
        let words = text.split(separator: " ")
        guard text.utf8.count == 29, words.count == 6, words[5] == "GMT", let day = Int32(words[1]),
            let month = months.firstIndex(of: String(words[2])), let year = Int32(words[3]), (0...9999).contains(year)
        else { return nil }
        let clock = words[4].split(separator: ":").compactMap { Int32($0) }
        guard clock.count == 3 else { return nil }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (year - 1900, Int32(month), day)
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (clock[0], clock[1], clock[2])
        let date = Date(timeIntervalSince1970: TimeInterval(timegm(&parts)))
        return self.text(date) == text ? date : nil
    }
}
