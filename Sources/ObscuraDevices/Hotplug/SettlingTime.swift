// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The end of a burst of changes, as a pure value: no change for ``quiet``, at the latest after ``limit``.
///
/// A wait that ends early without a change does not end the burst: other kernel events wake the monitor too.
struct SettlingTime: Sendable {
    /// The time without changes after which a device is complete.
    static let quiet = Duration.milliseconds(50)
    /// Maximum time for that, and for udev to set the permissions of a new node.
    static let limit = Duration.seconds(1)

    private let deadline: HostTime
    private var restsUntil: HostTime

    /// Begins a burst with a change at `now`.
    init(now: HostTime) {
        deadline = now + Self.limit
        restsUntil = now + Self.quiet
    }

    /// Restarts the quiet time after another change, or a scan that found a node that was not ready.
    mutating func begin(at now: HostTime) {
        restsUntil = now + Self.quiet
    }

    /// Returns the time left to wait for further changes; nil when it is time to scan.
    func rest(at now: HostTime) -> Duration? {
        let end = min(restsUntil, max(deadline, now))
        return end > now ? end - now : nil
    }

    /// Whether nodes that are not ready may be waited for.
    func mayWait(at now: HostTime) -> Bool { now < deadline }
}
