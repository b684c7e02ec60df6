// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

/// A time in nanoseconds on CLOCK_MONOTONIC, the clock of camera timestamps on Linux.
public struct HostTime: Hashable, Comparable, Sendable {
    /// Nanoseconds since the start of CLOCK_MONOTONIC, which is about the boot of the machine.
    public var nanoseconds: Int64

    /// Creates a time from nanoseconds of CLOCK_MONOTONIC.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The current time.
    public static var now: HostTime {
        var time = Glibc.timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return HostTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Whether the left time is earlier.
    public static func < (lhs: HostTime, rhs: HostTime) -> Bool {
        lhs.nanoseconds < rhs.nanoseconds
    }

    /// Returns the time that is `rhs` later than `lhs`; saturates at the limits of the range.
    public static func + (lhs: HostTime, rhs: Duration) -> HostTime {
        lhs.advanced(byNanoseconds: rhs.wholeNanoseconds)
    }

    /// Returns the duration from `rhs` to `lhs`; saturates at the limits of the range.
    public static func - (lhs: HostTime, rhs: HostTime) -> Duration {
        .nanoseconds(lhs.nanoseconds(since: rhs))
    }

    /// Does the same as `+`, without the wide numbers of `Duration`.
    package func advanced(byNanoseconds distance: Int64) -> HostTime {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(distance)
        return HostTime(nanoseconds: overflow ? (distance < 0 ? .min : .max) : sum)
    }

    /// Returns the nanoseconds from `other` to this time, like `-` but without the wide numbers of `Duration`, for what is
    /// measured with each frame.
    package func nanoseconds(since other: HostTime) -> Int64 {
        let (difference, overflow) = nanoseconds.subtractingReportingOverflow(other.nanoseconds)
        return overflow ? (self < other ? .min : .max) : difference
    }

    /// This time on CLOCK_MONOTONIC as a ``MediaTime``, with the timescale 1,000,000,000 (nanoseconds).
    public var mediaTime: MediaTime {
        MediaTime(value: nanoseconds, timescale: 1_000_000_000)
    }
}

extension Duration {
    /// The duration in whole nanoseconds, saturated to the range of `Int64` (292 years).
    public var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return seconds < 0 ? .min : .max }
        let (sum, overflowed) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflowed ? (seconds < 0 ? .min : .max) : sum
    }
}
