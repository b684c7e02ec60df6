// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The conversion between a control's integers and typed values.
struct ControlScale<Value: Comparable & Sendable> {
    /// The value of an integer.
    let value: (Int64) -> Value
    /// The nearest integer to a value; nil if it is out of range.
    let number: (Value) -> Int64?
    /// The value of a difference.
    let step: (Int64) -> Value
}

extension ControlScale<Int> {
    /// The driver's units.
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
    /// Integers with `unit` as 1.
    static func units(_ unit: Int64) -> ControlScale {
        let value = { (number: Int64) in Double(number) / Double(unit) }
        return ControlScale(value: value, number: { Self.nearest($0 * Double(unit)) }, step: value)
    }

    /// Returns a scale from 0 at the minimum to 1 at the maximum, or reversed.
    static func fraction(of range: ClosedRange<Int64>, isReversed: Bool = false) -> ControlScale {
        let least = Double(range.lowerBound)
        // A range of one number has the width 1.
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
