// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The validation of a driver's time stamps.
struct FrameStamps: Sendable {
    /// The last plausible stamp.
    private var last: HostTime?
    /// The last time that was returned.
    private var lastTime: HostTime?

    /// Limits of a plausible stamp, relative to the current time, in nanoseconds. Some drivers stamp the future end of a
    /// frame.
    private static let past: Int64 = 10_000_000_000
    private static let future: Int64 = 1_000_000_000

    /// Returns the capture time: the driver's stamp, or the time of arrival if the stamp is missing, implausible, or
    /// not later than the one before. After a time of arrival, a stamp from before it is moved just behind it, so that
    /// the times do not step back.
    mutating func time(of stamp: HostTime?, now: HostTime) -> (time: HostTime, isEstimated: Bool) {
        guard let stamp, stamp.nanoseconds > 0, now.nanoseconds(since: stamp) <= Self.past,
            stamp.nanoseconds(since: now) <= Self.future, last.map({ stamp > $0 }) ?? true
        else {
            lastTime = now
            return (now, true)
        }
        last = stamp
        let time = lastTime.map { max(stamp, $0.advanced(byNanoseconds: 1)) } ?? stamp
        lastTime = time
        return (time, time != stamp)
    }

    /// Begins a new stream.
    mutating func beginStream() {
        last = nil
        lastTime = nil
    }
}
