// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A range of times: a start and a duration. The end is not part of the range.
public struct CMTimeRange: Sendable, Hashable {
    /// The start, of any epoch.
    public var start: CMTime
    /// The duration: of epoch 0, and not negative.
    public var duration: CMTime

    /// Creates an invalid range.
    public init() { self.init(start: .invalid, duration: .invalid) }

    /// Creates a range, without validation.
    public init(start: CMTime, duration: CMTime) {
        self.start = start
        self.duration = duration
    }

    /// Creates a range from a start to an end; see ``CMTimeRangeFromTimeToTime(start:end:)``.
    public init(start: CMTime, end: CMTime) { self = CMTimeRangeFromTimeToTime(start: start, end: end) }

    /// The empty range at 0.
    public static let zero = CMTimeRange(start: .zero, duration: .zero)
    /// An invalid range.
    public static let invalid = CMTimeRange(start: .invalid, duration: .invalid)

    /// Whether both times are valid, and the duration is of epoch 0 and not negative.
    public var isValid: Bool { start.isValid && duration.isValid && duration.epoch == 0 && duration.value >= 0 }
    /// Whether the range is valid, and its start or its duration is indefinite.
    public var isIndefinite: Bool { isValid && (start.isIndefinite || duration.isIndefinite) }
    /// Whether the range is valid, and its duration is zero.
    public var isEmpty: Bool { isValid && duration == .zero }
    /// The first time after the range; invalid if the range is invalid.
    public var end: CMTime { CMTimeRangeGetEnd(self) }
}

/// The former name of ``CMTimeRange/zero``.
public let kCMTimeRangeZero = CMTimeRange.zero
/// The former name of ``CMTimeRange/invalid``.
public let kCMTimeRangeInvalid = CMTimeRange.invalid

/// Returns a range; invalid if the duration is not of epoch 0.
public func CMTimeRangeMake(start: CMTime, duration: CMTime) -> CMTimeRange {
    duration.epoch == 0 ? CMTimeRange(start: start, duration: duration) : .invalid
}

/// Returns the range from a start to an end. Its duration is the difference.
///
/// The range is invalid if the end is before the start, or the epochs differ.
public func CMTimeRangeFromTimeToTime(start: CMTime, end: CMTime) -> CMTimeRange {
    CMTimeRangeMake(start: start, duration: end - start)
}

/// Returns the first time after a range; invalid if the range is invalid.
public func CMTimeRangeGetEnd(_ range: CMTimeRange) -> CMTime {
    range.isValid ? range.start + range.duration : .invalid
}

/// Returns whether two ranges have equal starts and equal durations.
public func CMTimeRangeEqual(_ range1: CMTimeRange, _ range2: CMTimeRange) -> Bool { range1 == range2 }

/// Returns whether a range is valid.
public func CMTIMERANGE_IS_VALID(_ range: CMTimeRange) -> Bool { range.isValid }

/// Returns whether a range is invalid.
public func CMTIMERANGE_IS_INVALID(_ range: CMTimeRange) -> Bool { !range.isValid }

/// Returns whether a range is valid, and its start or its duration is indefinite.
public func CMTIMERANGE_IS_INDEFINITE(_ range: CMTimeRange) -> Bool { range.isIndefinite }

/// Returns whether a range is valid and has the duration zero.
public func CMTIMERANGE_IS_EMPTY(_ range: CMTimeRange) -> Bool { range.isEmpty }
