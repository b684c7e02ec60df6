// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Formatting of numbers for display.
enum NumberText {
    static func oneDecimal(_ number: Double) -> String {
        "\((number * 10).rounded() / 10)"
    }

    static func bytes(_ count: Int64) -> String {
        let units = ["bytes", "kB", "MB", "GB", "TB"]
        var (value, unit) = (Double(count), 0)
        while value >= 1000, unit + 1 < units.count { (value, unit) = (value / 1000, unit + 1) }
        return unit == 0 ? "\(count) bytes" : "\(oneDecimal(value)) \(units[unit])"
    }
}
