// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// The exact arithmetic that the functions on times share. A numeric time is a fraction of a 64-bit and a 31-bit
// integer; sums and products of two fit in 128 bits.

extension CMTime {
    /// Whether it is numeric with a positive timescale.
    ///
    /// Apple requires positive timescales. The initializers with flags do not check them; calculations treat a numeric
    /// time with another timescale as invalid.
    var isFraction: Bool { isNumeric && timescale > 0 }

    /// The sign of an infinity: 1 or -1; 0 for all other times.
    var infinitySign: Int { isPositiveInfinity ? 1 : isNegativeInfinity ? -1 : 0 }

    /// Returns an infinity; the invalid time for the sign 0.
    static func infinity(sign: Int) -> CMTime {
        sign > 0 ? .positiveInfinity : sign < 0 ? .negativeInfinity : .invalid
    }

    /// Creates a numeric time.
    init(_ value: CMTimeValue, _ timescale: CMTimeScale, isRounded: Bool, epoch: CMTimeEpoch) {
        let flags: CMTimeFlags = isRounded ? [.valid, .hasBeenRounded] : .valid
        self.init(value: value, timescale: timescale, flags: flags, epoch: epoch)
    }

    /// Returns a fraction of seconds in a timescale, which is halved until the value fits; infinite if it never does.
    ///
    /// - Parameter denominator: positive.
    static func fitting(
        _ numerator: Int128, over denominator: Int128, timescale: CMTimeScale, isRounded: Bool, epoch: CMTimeEpoch
    ) -> CMTime {
        let (magnitude, divisor) = (numerator.magnitude, denominator.magnitude)
        var timescale = timescale
        while timescale > 0 {
            let product = magnitude.multipliedFullWidth(by: UInt128(timescale))
            // Otherwise the quotient has more than 128 bits.
            if product.high < divisor {
                let (quotient, remainder) = divisor.dividingFullWidth(product)
                // The default method: halves away from zero.
                let value = remainder > 0 && remainder >= divisor - remainder ? quotient + 1 : quotient
                if let value = CMTimeValue(magnitude: value, isNegative: numerator < 0) {
                    return CMTime(value, timescale, isRounded: isRounded || remainder > 0, epoch: epoch)
                }
            }
            timescale /= 2
        }
        return infinity(sign: Int(numerator.signum()))
    }
}

extension CMTimeValue {
    /// Creates a value from its magnitude and its sign; nil if it overflows.
    fileprivate init?(magnitude: UInt128, isNegative: Bool) {
        guard let value = Int128(exactly: magnitude) else { return nil }
        self.init(exactly: isNegative ? -value : value)
    }
}

/// Returns the greatest common divisor of two numbers, of which at most one is zero.
func greatestCommonDivisor(_ one: Int128, _ other: Int128) -> Int128 {
    var (one, other) = (abs(one), abs(other))
    while other != 0 { (one, other) = (other, one % other) }
    return one
}
