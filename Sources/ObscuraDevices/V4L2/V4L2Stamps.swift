// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The driver's time stamps, as far as they can be believed.
struct V4L2Stamps: Sendable {
    private var last: HostTime?

    /// A stamp this much older or newer than now is a driver's mistake. Some stamp the end of a frame that is
    /// still to come.
    private static let past = Duration.seconds(10)
    private static let future = Duration.seconds(1)

    /// When the frame was taken: the driver's stamp, or the moment of its arrival where there is no stamp, where
    /// it is from another day, or where it goes back.
    mutating func time(of stamp: HostTime?, now: HostTime) -> (time: HostTime, isEstimated: Bool) {
        guard let stamp, stamp.nanoseconds > 0, now - stamp <= Self.past, stamp - now <= Self.future,
            last.map({ stamp > $0 }) ?? true
        else { return (now, true) }
        last = stamp
        return (stamp, false)
    }

    /// A new stream begins.
    mutating func beginStream() {
        last = nil
    }
}
