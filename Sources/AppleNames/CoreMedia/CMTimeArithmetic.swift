// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension CMTime {
    /// Returns the sum of two times; see ``CMTimeAdd(_:_:)``.
    public static func + (addend1: CMTime, addend2: CMTime) -> CMTime { CMTimeAdd(addend1, addend2) }

    /// Returns the difference of two times; see ``CMTimeSubtract(_:_:)``.
    public static func - (minuend: CMTime, subtrahend: CMTime) -> CMTime { CMTimeSubtract(minuend, subtrahend) }
}

/// Returns the sum of two times.
///
/// - The timescale is the least common multiple of both timescales, but at most ``kCMTimeMaxTimescale``. If the value
///   overflows, the timescale is halved until the value fits. If it never fits, the result is infinite.
/// - If the result or an operand was rounded, the result has ``CMTimeFlags/hasBeenRounded``.
/// - If an operand is invalid, the result is invalid. The sum of two infinities of opposite signs is also invalid.
///   Otherwise, an infinite operand makes the result infinite. Without an infinite operand, an indefinite operand makes
///   it indefinite.
/// - A time of epoch 0 is a duration. It can be added to a time of any epoch, and the result has that epoch. The sum of
///   two times of the same epoch has epoch 0. The sum of two times of different epochs, neither of which is 0, is
///   invalid.
public func CMTimeAdd(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { sum(lhs, rhs, sign: 1) }

/// Returns the difference of two times, by the rules of ``CMTimeAdd(_:_:)``.
///
/// Two infinities of the same sign make the result invalid.
public func CMTimeSubtract(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { sum(lhs, rhs, sign: -1) }

/// Returns `one + sign * other`.
private func sum(_ one: CMTime, _ other: CMTime, sign: Int) -> CMTime {
    guard one.isValid, other.isValid else { return .invalid }
    let (infinity, otherInfinity) = (one.infinitySign, sign * other.infinitySign)
    if infinity != 0 || otherInfinity != 0 { return .infinity(sign: infinity + otherInfinity) }
    if one.isIndefinite || other.isIndefinite { return .indefinite }
    guard one.isFraction, other.isFraction else { return .invalid }
    guard one.epoch == 0 || other.epoch == 0 || one.epoch == other.epoch else { return .invalid }

    let (timescale, otherTimescale) = (Int128(one.timescale), Int128(other.timescale))
    let divisor = greatestCommonDivisor(timescale, otherTimescale)
    let multiple = timescale / divisor * otherTimescale
    let value = Int128(one.value) * (otherTimescale / divisor)
    let otherValue = Int128(other.value) * (timescale / divisor)
    return .fitting(
        value + Int128(sign) * otherValue, over: multiple, timescale: CMTimeScale(clamping: multiple),
        isRounded: one.hasBeenRounded || other.hasBeenRounded,
        epoch: one.epoch == other.epoch ? 0 : one.epoch == 0 ? other.epoch : one.epoch)
}
