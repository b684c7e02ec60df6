// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The validation of a driver's time stamps.
struct FrameStamps: Sendable {
    private var last: HostTime?

    /// Limits of a plausible stamp, relative to the current time, in nanoseconds. Some drivers stamp the future end of a
    /// frame.
    private static let past: Int64 = 10_000_000_000
    private static let future: Int64 = 1_000_000_000

    /// Returns the capture time: the driver's stamp, or the time of arrival if the stamp is missing, implausible, or
    /// not later than the one before.
    mutating func time(of stamp: HostTime?, now: HostTime) -> (time: HostTime, isEstimated: Bool) {
        guard let stamp, stamp.nanoseconds > 0, now.nanoseconds(since: stamp) <= Self.past,
            stamp.nanoseconds(since: now) <= Self.future, last.map({ stamp > $0 }) ?? true
        else { return (now, true) }
        last = stamp
        return (stamp, false)
    }

    /// Begins a new stream.
    mutating func beginStream() {
        last = nil
    }
}
