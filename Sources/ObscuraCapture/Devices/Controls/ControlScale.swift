// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// A conversion between a control's integers and a typed value.
struct ControlScale<Value: Comparable & Sendable> {
    /// Converts an integer to a value.
    let value: (Int64) -> Value
    /// Converts a value to the nearest integer; nil if there is none near.
    let number: (Value) -> Int64?
    /// Converts a difference of integers.
    let step: (Int64) -> Value
}

extension ControlScale<Int> {
    /// The driver's own integers.
    static var plain: ControlScale { ControlScale(value: Int.init, number: Int64.init, step: Int.init) }
}

extension ControlScale<MediaTime> {
    /// Units of 100 µs.
    static var tenthsOfMilliseconds: ControlScale {
        let time = { (number: Int64) in MediaTime(value: number, timescale: 10_000) }
        return ControlScale(value: time, number: { $0.converted(toTimescale: 10_000).value }, step: time)
    }
}

extension ControlScale<Double> {
    /// Multiples of 1/`unit`.
    static func units(_ unit: Int64) -> ControlScale {
        let value = { (number: Int64) in Double(number) / Double(unit) }
        return ControlScale(value: value, number: { Self.nearest($0 * Double(unit)) }, step: value)
    }

    /// From 0 at the smallest integer to 1 at the largest, or reversed.
    static func fraction(of range: ClosedRange<Int64>, isReversed: Bool = false) -> ControlScale {
        let least = Double(range.lowerBound)
        // Avoids a division by zero for a range of a single integer.
        let width = max(1, Double(range.upperBound) - least)
        return ControlScale(
            value: { number in
                let fraction = (Double(number) - least) / width
                return isReversed ? 1 - fraction : fraction
            },
            number: { Self.nearest(least + (isReversed ? 1 - $0 : $0) * width) },
            step: { Double($0) / width })
    }

    private static func nearest(_ number: Double) -> Int64? {
        Int64(exactly: number.rounded())
    }
}
