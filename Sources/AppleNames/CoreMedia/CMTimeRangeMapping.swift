// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Limits a time to a range: returns the time itself if it is in the range, else the start or the end of the range.
///
/// The result is invalid if the time is invalid, or the range is invalid or empty.
public func CMTimeClampToRange(_ time: CMTime, range: CMTimeRange) -> CMTime {
    guard time.isValid, range.isValid, !range.isEmpty else { return .invalid }
    return time < range.start ? range.start : min(time, range.end)
}

/// Converts a time from one range to another.
///
/// The start is mapped to the start, the end to the end, and other times in proportion. If both ranges have infinite
/// durations, the time is moved, but not scaled. The result is invalid if a range is invalid or empty, or the time has
/// another epoch than `fromRange`.
public func CMTimeMapTimeFromRangeToRange(_ t: CMTime, fromRange: CMTimeRange, toRange: CMTimeRange) -> CMTime {
    guard !t.isNumeric || t.epoch == fromRange.start.epoch else { return .invalid }
    // The difference of two times of one epoch is a duration of epoch 0.
    let offset = t - fromRange.start
    return toRange.start + CMTimeMapDurationFromRangeToRange(offset, fromRange: fromRange, toRange: toRange)
}

/// Returns a duration, multiplied by the ratio of the durations of two ranges.
///
/// If both ranges have infinite durations, the duration is returned unchanged. The result is invalid if a range is
/// invalid or empty, or the duration is not of epoch 0.
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

/// Folds a time into a range, as in an endless loop: adds or subtracts the duration of the range until the time is in
/// it.
///
/// The result is invalid if the time is not numeric or of another epoch, or the range is not numeric or empty.
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
