// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// When a burst of changes is over, as a pure value: nothing has changed for a while, or patience has ended.
///
/// A wait that ends early with no change ends nothing: other events of the kernel wake the monitor as well.
struct SettlingTime: Sendable {
    /// Nothing has changed for so long: a device is done with appearing.
    static let quiet = Duration.milliseconds(50)
    /// For so long at the most one waits for that, and for the rights that udev gives to a new node.
    static let patience = Duration.seconds(1)

    private let deadline: HostTime
    private var restsUntil: HostTime

    /// Begins with a change at `now`.
    init(now: HostTime) {
        deadline = now + Self.patience
        restsUntil = now + Self.quiet
    }

    /// Something changed again, or was not ready yet when it was looked at.
    mutating func begin(at now: HostTime) {
        restsUntil = now + Self.quiet
    }

    /// How long to wait for further changes; nil when it is time to look.
    func rest(at now: HostTime) -> Duration? {
        let end = min(restsUntil, max(deadline, now))
        return end > now ? end - now : nil
    }

    /// Whether one may wait longer for what is not ready.
    func mayWait(at now: HostTime) -> Bool { now < deadline }
}
