// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import Foundation

/// Dates as HTTP writes them: "Sun, 06 Nov 1994 08:49:37 GMT".
package enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// In whole seconds, rounded down.
    package static func text(_ date: Date) -> String {
        let seconds = Int(date.timeIntervalSince1970.rounded(.down))
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
        // The first day of 1970 was a Thursday.
        let day = days[((Int((Double(seconds) / 86400).rounded(.down)) % 7) + 7) % 7]
        func two(_ number: Int?) -> String { String((number ?? 0) + 100).suffix(2).description }
        let year = String((parts.year ?? 0) + 10000).suffix(4)
        let clock = "\(two(parts.hour)):\(two(parts.minute)):\(two(parts.second))"
        return "\(day), \(two(parts.day)) \(months[(parts.month ?? 1) - 1]) \(year) \(clock) GMT"
    }

    /// The date that is written there in the one form that is still sent; nil for anything else.
    package static func date(_ text: String) -> Date? {
        let words = text.split(separator: " ")
        guard text.utf8.count == 29, words.count == 6, words[5] == "GMT", let day = Int(words[1]),
            let month = months.firstIndex(of: String(words[2])), let year = Int(words[3])
        else { return nil }
        let clock = words[4].split(separator: ":").compactMap { Int($0) }
        guard clock.count == 3 else { return nil }
        let parts = DateComponents(
            year: year, month: month + 1, day: day, hour: clock[0], minute: clock[1], second: clock[2])
        guard let date = calendar.date(from: parts), self.text(date) == text else { return nil }
        return date
    }

    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()
}
