// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The largest timescale.
public let kCMTimeMaxTimescale = 0x7FFF_FFFF

/// The former name of ``CMTime/invalid``.
public let kCMTimeInvalid = CMTime.invalid
/// The former name of ``CMTime/indefinite``.
public let kCMTimeIndefinite = CMTime.indefinite
/// The former name of ``CMTime/positiveInfinity``.
public let kCMTimePositiveInfinity = CMTime.positiveInfinity
/// The former name of ``CMTime/negativeInfinity``.
public let kCMTimeNegativeInfinity = CMTime.negativeInfinity
/// The former name of ``CMTime/zero``.
public let kCMTimeZero = CMTime.zero

extension CMTime {
    /// Creates the time `value / timescale`; invalid if the timescale is not positive.
    public init(value: CMTimeValue, timescale: CMTimeScale) { self = CMTimeMake(value: value, timescale: timescale) }
}

/// Returns the time `value / timescale`; invalid if the timescale is not positive.
public func CMTimeMake(value: Int64, timescale: Int32) -> CMTime {
    CMTimeMakeWithEpoch(value: value, timescale: timescale, epoch: 0)
}

/// Returns the time `value / timescale` of an epoch; invalid if the timescale is not positive.
public func CMTimeMakeWithEpoch(value: Int64, timescale: Int32, epoch: Int64) -> CMTime {
    timescale > 0 ? CMTime(value: value, timescale: timescale, flags: .valid, epoch: epoch) : .invalid
}

/// Returns whether a time is valid.
public func CMTIME_IS_VALID(_ time: CMTime) -> Bool { time.isValid }

/// Returns whether a time is invalid.
public func CMTIME_IS_INVALID(_ time: CMTime) -> Bool { !time.isValid }

/// Returns whether a time is positive infinity.
public func CMTIME_IS_POSITIVEINFINITY(_ time: CMTime) -> Bool { time.isPositiveInfinity }

/// Returns whether a time is negative infinity.
public func CMTIME_IS_NEGATIVEINFINITY(_ time: CMTime) -> Bool { time.isNegativeInfinity }

/// Returns whether a time is indefinite.
public func CMTIME_IS_INDEFINITE(_ time: CMTime) -> Bool { time.isIndefinite }

/// Returns whether a time is numeric: valid, not infinite, and not indefinite.
public func CMTIME_IS_NUMERIC(_ time: CMTime) -> Bool { time.isNumeric }

/// Returns whether a time, or one that it was calculated from, was rounded.
public func CMTIME_HAS_BEEN_ROUNDED(_ time: CMTime) -> Bool { time.hasBeenRounded }
