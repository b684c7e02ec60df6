// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

/// A moment on CLOCK_MONOTONIC, in nanoseconds: the clock by which cameras stamp their frames on Linux.
public struct HostTime: Hashable, Comparable, Sendable {
    /// Nanoseconds since the clock's beginning.
    public var nanoseconds: Int64

    /// The moment at so many nanoseconds of CLOCK_MONOTONIC.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The present moment.
    public static var now: HostTime {
        var time = Glibc.timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return HostTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Whether the left moment is the earlier one.
    public static func < (lhs: HostTime, rhs: HostTime) -> Bool {
        lhs.nanoseconds < rhs.nanoseconds
    }

    /// The moment that lies `duration` later. Saturates at the ends of the range.
    public static func + (lhs: HostTime, rhs: Duration) -> HostTime {
        let (sum, overflow) = lhs.nanoseconds.addingReportingOverflow(rhs.wholeNanoseconds)
        return HostTime(nanoseconds: overflow ? (rhs < .zero ? .min : .max) : sum)
    }

    /// The time from `rhs` to `lhs`.
    public static func - (lhs: HostTime, rhs: HostTime) -> Duration {
        let (difference, overflow) = lhs.nanoseconds.subtractingReportingOverflow(rhs.nanoseconds)
        return .nanoseconds(overflow ? (lhs < rhs ? .min : .max) : difference)
    }

    /// The same moment as a ``MediaTime`` in nanoseconds.
    public var mediaTime: MediaTime {
        MediaTime(value: nanoseconds, timescale: 1_000_000_000)
    }
}

extension Duration {
    /// The whole nanoseconds of the duration, saturated to what an `Int64` holds (292 years).
    public var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return seconds < 0 ? .min : .max }
        let (sum, overflowed) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflowed ? (seconds < 0 ? .min : .max) : sum
    }
}
