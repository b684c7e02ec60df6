// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension CMTime {
    /// Creates a time from seconds; see ``CMTimeMakeWithSeconds(_:preferredTimescale:)``.
    public init(seconds: Double, preferredTimescale: CMTimeScale) {
        self = CMTimeMakeWithSeconds(seconds, preferredTimescale: preferredTimescale)
    }

    /// The time in seconds; see ``CMTimeGetSeconds(_:)``.
    public var seconds: Double { CMTimeGetSeconds(self) }
}

/// Returns the time of a number of seconds; the value is rounded toward zero.
///
/// If the value overflows, the timescale is halved until the value fits. If it never fits, the result is infinite. If
/// the seconds of the result differ from the argument, the result has ``CMTimeFlags/hasBeenRounded``. The result is
/// invalid if the timescale is not positive, or the seconds are not a number.
public func CMTimeMakeWithSeconds(_ seconds: Float64, preferredTimescale: Int32) -> CMTime {
    guard preferredTimescale > 0, !seconds.isNaN else { return .invalid }
    var timescale = preferredTimescale
    while timescale > 0 {
        // Nil if the product overflows, or is infinite.
        if let value = CMTimeValue(exactly: (seconds * Double(timescale)).rounded(.towardZero)) {
            let isExact = Double(value) / Double(timescale) == seconds
            return CMTime(value, timescale, isRounded: !isExact, epoch: 0)
        }
        timescale /= 2
    }
    return seconds < 0 ? .negativeInfinity : .positiveInfinity
}

/// Returns a time in seconds; NaN if the time is invalid or indefinite. The epoch is ignored.
public func CMTimeGetSeconds(_ time: CMTime) -> Float64 {
    if time.infinitySign != 0 { return time.isPositiveInfinity ? .infinity : -.infinity }
    guard time.isNumeric else { return .nan }
    return Double(time.value) / Double(time.timescale)
}
