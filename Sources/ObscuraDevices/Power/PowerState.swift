// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture

/// The sleep of the machine and the lock of the user's session, as a pure value.
struct PowerState: Sendable, Hashable {
    /// Whether the machine is about to sleep, or sleeps.
    var isAsleep = false
    /// Whether the session of the user is locked.
    var isLocked = false

    /// The reason for which devices are closed; nil if they may run.
    ///
    /// - Parameter noticesLock: whether a locked session is a reason.
    func interruption(noticesLock: Bool) -> InterruptionReason? {
        if isAsleep { return .systemSleep }
        return isLocked && noticesLock ? .sessionLocked : nil
    }

    /// Notes a signal of logind.
    ///
    /// The signals `Lock` and `Unlock` do not count: they ask the desktop to show or hide its lock screen, and there
    /// is no `Unlock` if the user unlocks the session by password. The property `LockedHint` is the state, which the
    /// desktop keeps.
    mutating func note(_ signal: DBusSignal) {
        switch signal.member {
        case "PrepareForSleep":
            if let value = signal.arguments.first?.boolean { isAsleep = value }
        case "PropertiesChanged":
            guard signal.arguments.first?.text == "org.freedesktop.login1.Session", signal.arguments.count > 1,
                let value = signal.arguments[1]["LockedHint"]?.boolean
            else { return }
            isLocked = value
        default: break
        }
    }
}
