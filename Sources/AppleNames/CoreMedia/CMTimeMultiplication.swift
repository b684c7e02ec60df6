// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Returns the product of a time and an integer, in the timescale of the time.
///
/// If the value overflows, the timescale is halved until the value fits. If it never fits, the result is infinite. An
/// invalid or indefinite time is returned unchanged. An infinite time stays infinite, with the sign of the product;
/// multiplied by zero, it becomes invalid.
public func CMTimeMultiply(_ time: CMTime, multiplier: Int32) -> CMTime {
    if let result = nonnumericProduct(time, sign: Int(multiplier.signum())) { return result }
    return .fitting(
        Int128(time.value) * Int128(multiplier), over: Int128(time.timescale), timescale: time.timescale,
        isRounded: time.hasBeenRounded, epoch: time.epoch)
}

/// Returns the product of a time and a number.
///
/// The timescale is doubled until it is at least 65,536. Otherwise, the rules of ``CMTimeMultiply(_:multiplier:)``
/// apply. The multiplier is not rounded before the multiplication. If it is not a number, the result is invalid. If it
/// is infinite, the result is infinite or, for a time of zero, invalid.
public func CMTimeMultiplyByFloat64(_ time: CMTime, multiplier: Float64) -> CMTime {
    if multiplier.isNaN { return time.isIndefinite ? .indefinite : .invalid }
    let sign = multiplier == 0 ? 0 : multiplier < 0 ? -1 : 1
    if let result = nonnumericProduct(time, sign: sign) { return result }
    let productSign = Int(time.value.signum()) * sign
    guard multiplier.isFinite else { return .infinity(sign: productSign) }

    var timescale = time.timescale
    var doublings = 0
    while timescale < 65536 {
        timescale *= 2
        doublings += 1
    }
    if productSign == 0 { return CMTime(0, timescale, isRounded: time.hasBeenRounded, epoch: time.epoch) }

    // The multiplier is an integer of 53 bits times a power of two.
    let product = Int128(time.value) * Int128(multiplier.significand * 0x1p52) * (multiplier < 0 ? -1 : 1)
    let exponent = Int(multiplier.exponent) - 52
    if exponent >= 0 {
        // More than 95 bits overflow in any timescale.
        guard exponent < 96, product.magnitude >> (96 - exponent) == 0 else { return .infinity(sign: productSign) }
        return .fitting(
            product << exponent, over: Int128(time.timescale), timescale: timescale, isRounded: time.hasBeenRounded,
            epoch: time.epoch)
    }
    if exponent >= -90 {
        return .fitting(
            product, over: Int128(time.timescale) << -exponent, timescale: timescale, isRounded: time.hasBeenRounded,
            epoch: time.epoch)
    }
    // A denominator of more than 128 bits: the value is small enough for any timescale.
    let shift = -exponent - doublings
    let value = CMTimeValue(((product.magnitude >> (shift - 1)) + 1) >> 1)
    let isExact = product.trailingZeroBitCount >= shift
    return CMTime(
        value * CMTimeValue(productSign), timescale, isRounded: time.hasBeenRounded || !isExact, epoch: time.epoch)
}

/// Returns `(time * multiplier) / divisor`.
///
/// The result is exact if it fits in a timescale of 32 bits and a value of 64 bits, both signed. Otherwise, it is rounded
/// to the largest timescale in which it fits, and if it fits in none, it is infinite with the sign of the exact result. If
/// the divisor is zero, the result is infinite with the sign of the product, or invalid if the product is zero.
///
/// An invalid or indefinite time is returned unchanged. An infinite time stays infinite, with the sign of the result;
/// multiplied by zero, it becomes invalid.
public func CMTimeMultiplyByRatio(_ time: CMTime, multiplier: Int32, divisor: Int32) -> CMTime {
    let sign = Int(multiplier.signum()) * (divisor < 0 ? -1 : 1)
    if let result = nonnumericProduct(time, sign: sign) { return result }
    guard divisor != 0 else { return .infinity(sign: Int(time.value.signum()) * sign) }
    if time.value == 0 || sign == 0 {
        return CMTime(0, time.timescale, isRounded: time.hasBeenRounded, epoch: time.epoch)
    }

    let common = greatestCommonDivisor(Int128(multiplier), Int128(divisor))
    var numerator = Int128(time.value) * Int128(sign) * (abs(Int128(multiplier)) / common)
    var denominator = Int128(time.timescale) * (abs(Int128(divisor)) / common)
    if CMTimeValue(exactly: numerator) == nil || CMTimeScale(exactly: denominator) == nil {
        let common = greatestCommonDivisor(numerator, denominator)
        (numerator, denominator) = (numerator / common, denominator / common)
    }
    let largest = Int128(CMTimeValue.max) * denominator / abs(numerator)
    return .fitting(
        numerator, over: denominator, timescale: CMTimeScale(clamping: max(1, min(denominator, largest))),
        isRounded: time.hasBeenRounded, epoch: time.epoch)
}

/// Returns the product of a time without a usable value and a number of a sign; nil for other times.
private func nonnumericProduct(_ time: CMTime, sign: Int) -> CMTime? {
    guard time.isValid else { return .invalid }
    if time.infinitySign != 0 { return .infinity(sign: time.infinitySign * sign) }
    if time.isIndefinite { return .indefinite }
    return time.isFraction ? nil : .invalid
}
