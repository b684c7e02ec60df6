// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if Library

internal import ArgumentParser
internal import Foundation
internal import Obscura

/// A day, a month or a year in the time zone of this machine: `2026-11-27`, `2026-11`, `2026`.
struct DayArgument: Sendable, Hashable {
    /// The first moment.
    let start: WallTime

    /// - Throws: `ValidationError` for any other text, and for days that do not exist.
    init(argument: String) throws {
        let parts = argument.split(separator: "-", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.allSatisfy { $0.isASCII && $0.isNumber } ? Int(part) : nil
        }
        let calendar = Calendar(identifier: .gregorian)
        let fields = DateComponents(
            year: numbers.first, month: numbers.count > 1 ? numbers[1] : 1, day: numbers.count > 2 ? numbers[2] : 1)
        guard numbers.count == parts.count, (1...3).contains(numbers.count), (1700...2200).contains(numbers[0]),
            fields.isValidDate(in: calendar), let date = calendar.date(from: fields)
        else { throw ValidationError("Write a date as YEAR-MONTH-DAY, YEAR-MONTH or YEAR, such as 2026-11-27.") }
        start = WallTime(
            nanosecondsSince1970: Int64(date.timeIntervalSince1970) * 1_000_000_000,
            secondsFromUTC: calendar.timeZone.secondsFromGMT(for: date))
    }
}

#endif
