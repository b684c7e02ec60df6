// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The validation of a driver's time stamps.
struct FrameStamps: Sendable {
    private var last: HostTime?

    /// Limits of a plausible stamp, relative to the current time. Some drivers stamp the future end of a frame.
    private static let past = Duration.seconds(10)
    private static let future = Duration.seconds(1)

    /// Returns the capture time: the driver's stamp, or the time of arrival if the stamp is missing, implausible, or
    /// not later than the one before.
    mutating func time(of stamp: HostTime?, now: HostTime) -> (time: HostTime, isEstimated: Bool) {
        guard let stamp, stamp.nanoseconds > 0, now - stamp <= Self.past, stamp - now <= Self.future,
            last.map({ stamp > $0 }) ?? true
        else { return (now, true) }
        last = stamp
        return (stamp, false)
    }

    /// Begins a new stream.
    mutating func beginStream() {
        last = nil
    }
}
