// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase

/// A time as a fraction: `value / timescale` seconds, exact across timescales.
///
/// Comparison and addition are exact (128-bit arithmetic, no floating point), so a sum of frame durations of 1001/30000
/// s never drifts. No operation traps: a result whose denominator does not fit is rounded to the nearest nanosecond
/// (beyond 292 years: to the nearest second), and a result that is too large saturates.
///
/// Equal times compare equal and have equal hashes, independent of their timescales: 1/2 == 15/30.
public struct MediaTime: Sendable {
    /// The numerator.
    public let value: Int64
    /// The denominator, in units per second; at least 1.
    public let timescale: Int32

    /// Creates a time of `value / timescale` seconds.
    ///
    /// - Parameters:
    ///   - value: the number of units.
    ///   - timescale: units per second; a value below 1 counts as 1.
    public init(value: Int64, timescale: Int32) {
        self.value = value
        self.timescale = max(1, timescale)
    }

    /// Creates a time from seconds, rounded to the nearest nanosecond; not-a-number counts as zero, and values out of
    /// range saturate.
    public init(seconds: Double) {
        let nanoseconds = (seconds * 1e9).rounded()
        switch nanoseconds {
        case _ where nanoseconds.isNaN: self.init(value: 0, timescale: 1)
        case ..<(-9.2e18): self.init(value: .min, timescale: 1_000_000_000)
        case 9.2e18...: self.init(value: .max, timescale: 1_000_000_000)
        default: self.init(value: Int64(nanoseconds), timescale: 1_000_000_000)
        }
    }

    /// Creates a time from a duration, truncated to whole nanoseconds.
    public init(_ duration: Duration) {
        self.init(value: duration.wholeNanoseconds, timescale: 1_000_000_000)
    }

    /// Zero seconds.
    public static let zero = MediaTime(value: 0, timescale: 1)

    /// The time in seconds, to the precision of a `Double`; for display only, as it is not exact.
    public var seconds: Double {
        Double(value) / Double(timescale)
    }

    /// The time in nanoseconds, rounded to the nearest integer and saturated to the range of `Int64`.
    public var nanoseconds: Int64 {
        converted(toTimescale: 1_000_000_000).value
    }

    /// The time as a `Duration`, rounded to the nearest nanosecond.
    public var duration: Duration {
        .nanoseconds(nanoseconds)
    }

    /// Returns the time at another timescale, rounded to the nearest unit (half away from zero) and saturated.
    public func converted(toTimescale timescale: Int32) -> MediaTime {
        let scale = Int128(max(1, timescale))
        let units = Self.divideRounding(Int128(value) * scale, by: Int128(self.timescale))
        return MediaTime(value: Int64(clamping: units), timescale: timescale)
    }

    /// Creates a time of `numerator / denominator` seconds: exact if it fits, else to the nanosecond, else to the
    /// second, else saturated.
    package init(numerator: Int128, denominator: Int128) {
        let divisor = Self.greatestCommonDivisor(numerator.magnitude, denominator.magnitude)
        let value = divisor > 1 ? numerator / Int128(divisor) : numerator
        let scale = divisor > 1 ? denominator / Int128(divisor) : denominator
        if let value = Int64(exactly: value), let timescale = Int32(exactly: scale) {
            self.init(value: value, timescale: timescale)
            return
        }
        // Computes whole seconds and the remainder separately, so that the product cannot overflow 128 bits.
        let (whole, rest) = value.quotientAndRemainder(dividingBy: scale)
        guard let seconds = Int64(exactly: whole) else {
            self.init(value: Int64(clamping: whole), timescale: 1)
            return
        }
        let fraction = Self.divideRounding(rest * 1_000_000_000, by: scale)
        if let nanoseconds = Int64(exactly: Int128(seconds) * 1_000_000_000 + fraction) {
            self.init(value: nanoseconds, timescale: 1_000_000_000)
        } else {
            self.init(value: Int64(clamping: Self.divideRounding(value, by: scale)), timescale: 1)
        }
    }

    private static func divideRounding(_ numerator: Int128, by denominator: Int128) -> Int128 {
        let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: denominator)
        guard remainder.magnitude * 2 >= denominator.magnitude else { return quotient }
        return quotient + (numerator < 0 ? -1 : 1)
    }

    private static func greatestCommonDivisor(_ a: UInt128, _ b: UInt128) -> UInt128 {
        guard let b = UInt64(exactly: b) else { return greatestCommonDivisor(b, a % b) }
        guard b != 0 else { return a }
        // From here on 64 bits are enough, whose division takes a fraction of the time.
        var (c, d) = (b, UInt64(truncatingIfNeeded: a % UInt128(b)))
        while d != 0 { (c, d) = (d, c % d) }
        return UInt128(c)
    }
}

extension MediaTime: Comparable, Hashable {
    /// Whether both times are equal, independent of their timescales.
    public static func == (lhs: MediaTime, rhs: MediaTime) -> Bool {
        Int128(lhs.value) * Int128(rhs.timescale) == Int128(rhs.value) * Int128(lhs.timescale)
    }

    /// Whether the left time is earlier; the comparison is exact.
    public static func < (lhs: MediaTime, rhs: MediaTime) -> Bool {
        Int128(lhs.value) * Int128(rhs.timescale) < Int128(rhs.value) * Int128(lhs.timescale)
    }

    /// Hashes the reduced fraction, so that equal times have equal hashes.
    public func hash(into hasher: inout Hasher) {
        let divisor = Self.greatestCommonDivisor(UInt128(value.magnitude), UInt128(timescale))
        hasher.combine(Int128(value) / Int128(divisor))
        hasher.combine(Int128(timescale) / Int128(divisor))
    }
}

extension MediaTime: AdditiveArithmetic {
    /// Returns the sum; a sum that cannot be represented is rounded or saturated (see ``MediaTime``).
    public static func + (lhs: MediaTime, rhs: MediaTime) -> MediaTime {
        if lhs.timescale == rhs.timescale {
            let (sum, overflow) = lhs.value.addingReportingOverflow(rhs.value)
            if !overflow { return MediaTime(value: sum, timescale: lhs.timescale) }
        }
        return MediaTime(
            numerator: Int128(lhs.value) * Int128(rhs.timescale) + Int128(rhs.value) * Int128(lhs.timescale),
            denominator: Int128(lhs.timescale) * Int128(rhs.timescale))
    }

    /// Returns the difference; a difference that cannot be represented is rounded or saturated (see ``MediaTime``).
    public static func - (lhs: MediaTime, rhs: MediaTime) -> MediaTime {
        if lhs.timescale == rhs.timescale {
            let (difference, overflow) = lhs.value.subtractingReportingOverflow(rhs.value)
            if !overflow { return MediaTime(value: difference, timescale: lhs.timescale) }
        }
        return MediaTime(
            numerator: Int128(lhs.value) * Int128(rhs.timescale) - Int128(rhs.value) * Int128(lhs.timescale),
            denominator: Int128(lhs.timescale) * Int128(rhs.timescale))
    }

    /// Returns the product; a product that cannot be represented is rounded or saturated (see ``MediaTime``).
    public static func * (lhs: MediaTime, rhs: Int64) -> MediaTime {
        let (product, overflow) = lhs.value.multipliedReportingOverflow(by: rhs)
        if !overflow { return MediaTime(value: product, timescale: lhs.timescale) }
        return MediaTime(numerator: Int128(lhs.value) * Int128(rhs), denominator: Int128(lhs.timescale))
    }
}

extension MediaTime: CustomStringConvertible, CustomDebugStringConvertible {
    /// The time in seconds, such as `23891.760198435 s`, or a fraction, such as `1001/30000 s`, if the time has more
    /// than nine decimals.
    public var description: String {
        let divisor = Int64(clamping: Self.greatestCommonDivisor(Int128(value).magnitude, Int128(timescale).magnitude))
        let (numerator, denominator) = (value / max(1, divisor), Int64(timescale) / max(1, divisor))
        var (scale, digits): (Int64, Int) = (1, 0)
        while scale % max(1, denominator) != 0 {
            guard digits < 9 else { return debugDescription }
            (scale, digits) = (scale * 10, digits + 1)
        }
        let units = Int128(numerator) * Int128(scale / max(1, denominator))
        let (whole, rest) = units.magnitude.quotientAndRemainder(dividingBy: UInt128(scale))
        let sign = units < 0 ? "-" : ""
        return "\(sign)\(whole)\(digits > 0 ? "." + rest.zeroPadded(to: digits) : "") s"
    }

    /// The exact value and timescale, such as `48000/90000 s`.
    public var debugDescription: String {
        "\(value)/\(timescale) s"
    }
}
