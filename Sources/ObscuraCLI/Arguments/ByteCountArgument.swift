// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser

/// A number of bytes or bits with an optional decimal suffix: `500`, `300k`, `2M`, `1.5G`.
struct ByteCountArgument: Sendable, Hashable {
    let count: Int64

    private init(count: Int64) {
        self.count = count
    }

    /// Creates a count as ``init(argument:)`` does, but also accepts 0.
    init(orNone argument: String) throws {
        if argument == "0" { self.init(count: 0) } else { try self.init(argument: argument) }
    }

    /// - Throws: `ValidationError` for any other text, for zero, and for a value out of range.
    init(argument: String) throws {
        let scales: [Character: Double] = ["k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12]
        var digits = Substring(argument.lowercased())
        if digits.hasSuffix("b"), digits.count > 1 { digits.removeLast() }
        var scale = 1.0
        if let last = digits.last, let known = scales[last] {
            scale = known
            digits.removeLast()
        }
        guard !digits.isEmpty, digits.allSatisfy({ $0 == "." || $0.isASCII && $0.isNumber }),
            let number = Double(digits), (1...9e18).contains(number * scale)
        else { throw ValidationError("Write a number with its unit, such as 500k, 2M or 1.5G.") }
        count = Int64(number * scale)
    }
}
