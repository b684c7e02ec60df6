// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Returns the time of a range that is nearest to a time: itself, the start, or the end.
///
/// It is invalid if the time is invalid, or the range is invalid or empty.
public func CMTimeClampToRange(_ time: CMTime, range: CMTimeRange) -> CMTime {
    guard time.isValid, range.isValid, !range.isEmpty else { return .invalid }
    return time < range.start ? range.start : min(time, range.end)
}

/// Returns the time of a range that has the place of a time in another range.
///
/// The starts are mapped to each other, the ends too, and other times in proportion. It is invalid if a range is
/// invalid or empty, or the time is not of the epoch of the range that it comes from. Between two ranges of infinite
/// durations a time is moved and not scaled.
public func CMTimeMapTimeFromRangeToRange(_ t: CMTime, fromRange: CMTimeRange, toRange: CMTimeRange) -> CMTime {
    guard !t.isNumeric || t.epoch == fromRange.start.epoch else { return .invalid }
    // The difference of two times of one epoch is a duration of epoch 0.
    let offset = t - fromRange.start
    return toRange.start + CMTimeMapDurationFromRangeToRange(offset, fromRange: fromRange, toRange: toRange)
}

/// Returns a duration, multiplied by the ratio of the durations of two ranges.
///
/// It is invalid if a range is invalid or empty, or the duration is not of epoch 0. Between two ranges of infinite
/// durations it stays the same.
public func CMTimeMapDurationFromRangeToRange(_ dur: CMTime, fromRange: CMTimeRange, toRange: CMTimeRange) -> CMTime {
    guard dur.isValid, dur.epoch == 0, fromRange.isValid, !fromRange.isEmpty, toRange.isValid, !toRange.isEmpty else {
        return .invalid
    }
    let (from, to) = (fromRange.duration, toRange.duration)
    if from.isPositiveInfinity, to.isPositiveInfinity { return dur }
    guard from.isFraction, to.isFraction else { return .invalid }
    let multiplier = Int128(to.value) * Int128(from.timescale)
    let divisor = Int128(from.value) * Int128(to.timescale)
    let common = greatestCommonDivisor(multiplier, divisor)
    if let multiplier = Int32(exactly: multiplier / common), let divisor = Int32(exactly: divisor / common) {
        return CMTimeMultiplyByRatio(dur, multiplier: multiplier, divisor: divisor)
    }
    return CMTimeMultiplyByFloat64(dur, multiplier: Double(multiplier) / Double(divisor))
}

/// Returns the time of a range that a time has in a loop of that range, which repeats before and after it.
///
/// It is invalid if the time is not numeric or of another epoch, or the range is not numeric or empty.
public func CMTimeFoldIntoRange(_ time: CMTime, foldRange: CMTimeRange) -> CMTime {
    let (start, duration) = (foldRange.start, foldRange.duration)
    guard foldRange.isValid, !foldRange.isEmpty, time.epoch == start.epoch else { return .invalid }
    let offset = time - start
    guard offset.isFraction, duration.isFraction else { return .invalid }
    let value = Int128(offset.value) * Int128(duration.timescale)
    let modulus = Int128(duration.value) * Int128(offset.timescale)
    let remainder = value % modulus
    let denominator = Int128(offset.timescale) * Int128(duration.timescale)
    let multiple = denominator / greatestCommonDivisor(Int128(offset.timescale), Int128(duration.timescale))
    return start
        + .fitting(
            remainder < 0 ? remainder + modulus : remainder, over: denominator,
            timescale: CMTimeScale(clamping: multiple),
            isRounded: offset.hasBeenRounded || duration.hasBeenRounded, epoch: 0)
}
