// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension CMTimeRange {
    /// Whether a time is in this range; see ``CMTimeRangeContainsTime(_:time:)``.
    public func containsTime(_ time: CMTime) -> Bool { CMTimeRangeContainsTime(self, time: time) }

    /// Whether another range is in this one; see ``CMTimeRangeContainsTimeRange(_:otherRange:)``.
    public func containsTimeRange(_ range: CMTimeRange) -> Bool {
        CMTimeRangeContainsTimeRange(self, otherRange: range)
    }

    /// Returns the times that are in both ranges; see ``CMTimeRangeGetIntersection(_:otherRange:)``.
    public func intersection(_ otherRange: CMTimeRange) -> CMTimeRange {
        CMTimeRangeGetIntersection(self, otherRange: otherRange)
    }

    /// Returns the smallest range that contains both ranges; see ``CMTimeRangeGetUnion(_:otherRange:)``.
    public func union(_ otherRange: CMTimeRange) -> CMTimeRange { CMTimeRangeGetUnion(self, otherRange: otherRange) }

    /// The start and the end; nil if the range is invalid or indefinite.
    fileprivate var bounds: (start: CMTime, end: CMTime)? {
        let end = end
        return end.isValid && !isIndefinite ? (start, end) : nil
    }

    /// Whether a time is of the epoch of the range, which cannot span others; infinite times are of every epoch.
    fileprivate func hasEpoch(of time: CMTime) -> Bool {
        !start.isNumeric || !time.isNumeric || start.epoch == time.epoch
    }
}

/// Returns whether a time is in a range: at or after the start, and before the end.
public func CMTimeRangeContainsTime(_ range: CMTimeRange, time: CMTime) -> Bool {
    guard let (start, end) = range.bounds, time.isValid, !time.isIndefinite else { return false }
    return range.hasEpoch(of: time) && start <= time && time < end
}

/// Returns whether `otherRange` is inside `range`: it starts no earlier and ends no later.
public func CMTimeRangeContainsTimeRange(_ range: CMTimeRange, otherRange: CMTimeRange) -> Bool {
    guard let (start, end) = range.bounds, let (otherStart, otherEnd) = otherRange.bounds else { return false }
    return range.hasEpoch(of: otherRange.start) && start <= otherStart && otherEnd <= end
}

/// Returns the largest range that is in both ranges; ``CMTimeRange/zero`` if they have no time in common.
///
/// The result is invalid if a range is invalid or indefinite, or the epochs of the starts differ.
public func CMTimeRangeGetIntersection(_ range: CMTimeRange, otherRange: CMTimeRange) -> CMTimeRange {
    guard let (start, end) = range.bounds, let (otherStart, otherEnd) = otherRange.bounds,
        range.hasEpoch(of: otherRange.start)
    else { return .invalid }
    let (first, last) = (max(start, otherStart), min(end, otherEnd))
    return first < last ? CMTimeRangeFromTimeToTime(start: first, end: last) : .zero
}

/// Returns the smallest range that contains both ranges and the times between them.
///
/// An empty range has no effect on the result. The result is invalid if a range is invalid or indefinite, or the epochs
/// of the starts differ.
public func CMTimeRangeGetUnion(_ range: CMTimeRange, otherRange: CMTimeRange) -> CMTimeRange {
    guard let (start, end) = range.bounds, let (otherStart, otherEnd) = otherRange.bounds,
        range.hasEpoch(of: otherRange.start)
    else { return .invalid }
    if otherRange.isEmpty { return range }
    if range.isEmpty { return otherRange }
    return CMTimeRangeFromTimeToTime(start: min(start, otherStart), end: max(end, otherEnd))
}
