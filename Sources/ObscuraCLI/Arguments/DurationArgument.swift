// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// An exact duration: seconds, such as `4` or `1.5`, a number with a unit, such as `500ms`, `2s`, `1m` or `2h`,
/// or a clock time, such as `01:30` or `00:01:30.5`.
struct DurationArgument: Sendable, Hashable {
    let time: MediaTime

    /// - Throws: `ValidationError` for any other text, such as a negative time.
    init(argument: String) throws {
        guard let time = Self.clockTime(argument) ?? Self.unitTime(argument) else {
            throw ValidationError(
                "Write a time in seconds, with a unit, or as a clock time, such as 1.5, 500ms, 2m or 00:01:30.")
        }
        self.time = time
    }

    /// Without a unit a number is in seconds, as in the tools of FFmpeg and GStreamer.
    private static let units: [(name: String, scale: Int64, per: Int64)] = [
        ("", 1, 1), ("ms", 1, 1000), ("us", 1, 1_000_000), ("s", 1, 1), ("m", 60, 1), ("min", 60, 1), ("h", 3600, 1),
    ]

    private static func unitTime(_ text: String) -> MediaTime? {
        let number = text.prefix { $0 == "." || $0.isASCII && $0.isNumber }
        let unit = text[number.endIndex...]
        guard let unit = units.first(where: { $0.name == unit }), let decimal = decimal(number) else { return nil }
        return time(decimal, times: unit.scale, over: unit.per)
    }

    /// Parses hours, minutes and seconds; the last two must be below 60.
    private static func clockTime(_ text: String) -> MediaTime? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let seconds = decimal(parts[parts.count - 1]),
            seconds.value < 60 * seconds.scale
        else { return nil }
        var minutes: Int64 = 0
        for (index, part) in parts.dropLast().enumerated() {
            guard part.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int64(part), number < 100_000,
                index == 0 || number < 60
            else { return nil }
            minutes = minutes * 60 + number
        }
        guard let rest = time(seconds, times: 1, over: 1) else { return nil }
        return MediaTime(value: minutes * 60, timescale: 1) + rest
    }

    /// Parses a number with at most nine decimals, as `value / scale`.
    private static func decimal(_ text: Substring) -> (value: Int64, scale: Int64)? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }),
            !parts[0].isEmpty, parts[0].count <= 9
        else { return nil }
        let fraction = parts.count == 2 ? parts[1] : ""
        guard parts.count == 1 || (1...9).contains(fraction.count), let value = Int64(parts[0] + fraction) else {
            return nil
        }
        return (value, (0..<fraction.count).reduce(Int64(1)) { scale, _ in scale * 10 })
    }

    private static func time(
        _ decimal: (value: Int64, scale: Int64), times scale: Int64, over per: Int64
    ) -> MediaTime? {
        let (value, overflow) = decimal.value.multipliedReportingOverflow(by: scale)
        let denominator = decimal.scale * per
        guard !overflow else { return nil }
        guard denominator <= 1_000_000_000 else {
            return MediaTime(value: value / (denominator / 1_000_000_000), timescale: 1_000_000_000)
        }
        return MediaTime(value: value, timescale: Int32(denominator))
    }
}
