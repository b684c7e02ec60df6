// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The rounding of a value that a timescale cannot represent exactly.
public enum CMTimeRoundingMethod: UInt32, Sendable {
    /// To the nearest value. Halves are rounded away from zero.
    case roundHalfAwayFromZero = 1
    /// Toward zero.
    case roundTowardZero = 2
    /// Away from zero.
    case roundAwayFromZero = 3
    /// Depends on the timescale. For a smaller timescale: toward zero, but a negative value never becomes zero. For a
    /// larger timescale: away from zero.
    case quickTime = 4
    /// Toward positive infinity.
    case roundTowardPositiveInfinity = 5
    /// Toward negative infinity.
    case roundTowardNegativeInfinity = 6

    /// The method of functions without a parameter for it: ``roundHalfAwayFromZero``.
    public static var `default`: CMTimeRoundingMethod { .roundHalfAwayFromZero }
}

extension CMTimeRoundingMethod {
    /// Divides, rounds, and returns whether the quotient is exact; the divisor is positive.
    ///
    /// `quickTime` rounds as for a smaller timescale.
    func quotient(_ dividend: Int128, _ divisor: Int128) -> (value: Int128, isExact: Bool) {
        let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
        if remainder == 0 { return (quotient, true) }
        let away = remainder.signum()
        let step: Int128 =
            switch self {
            // The remainder is compared with what is left of the divisor, because twice the remainder may overflow.
            case .roundHalfAwayFromZero: abs(remainder) >= divisor - abs(remainder) ? away : 0
            case .roundTowardZero: 0
            case .roundAwayFromZero: away
            case .quickTime: quotient == 0 && away < 0 ? away : 0
            case .roundTowardPositiveInfinity: max(away, 0)
            case .roundTowardNegativeInfinity: min(away, 0)
            }
        return (quotient + step, false)
    }
}

extension CMTime {
    /// Returns this time in another timescale; see ``CMTimeConvertScale(_:timescale:method:)``.
    public func convertScale(_ newTimescale: Int32, method: CMTimeRoundingMethod) -> CMTime {
        CMTimeConvertScale(self, timescale: newTimescale, method: method)
    }
}

/// Returns a time in another timescale. If the value had to be rounded, the result has ``CMTimeFlags/hasBeenRounded``.
///
/// A time that is not numeric is returned unchanged. The result is infinite if the value overflows, and invalid if the
/// timescale is not positive.
public func CMTimeConvertScale(_ time: CMTime, timescale: Int32, method: CMTimeRoundingMethod) -> CMTime {
    guard time.isNumeric else { return time }
    guard time.isFraction, timescale > 0 else { return .invalid }
    if timescale == time.timescale { return time }
    let isLarger = timescale > time.timescale
    let method = method == .quickTime && isLarger ? .roundAwayFromZero : method
    let (value, isExact) = method.quotient(Int128(time.value) * Int128(timescale), Int128(time.timescale))
    guard let value = CMTimeValue(exactly: value) else { return .infinity(sign: Int(value.signum())) }
    return CMTime(value, timescale, isRounded: time.hasBeenRounded || !isExact, epoch: time.epoch)
}
