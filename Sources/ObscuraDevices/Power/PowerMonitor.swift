// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
package import ObscuraCapture
internal import ObscuraMedia

/// The sleep of the machine and the lock of the user's session, as logind reports them on the system bus.
///
/// Thread-safe. Without a system bus or logind, nothing is ever reported.
package final class PowerMonitor: Sendable {
    /// The monitor of this machine.
    package static let shared = PowerMonitor(DBusConnection(.system))

    private struct Shared {
        var power = PowerState()
        var observers: [UInt64: (noticesLock: Bool, tell: @Sendable () -> Void)] = [:]
        var nextObserver: UInt64 = 0
        var isObservingSleep = false
        var isObservingSessions = false
        /// The path of the session whose lock is observed; nil while there is none.
        var session: String?
    }

    private let connection: DBusConnection?
    private let shared = Lock(Shared())

    private static let callLimit = Duration.seconds(5)

    /// - Parameter connection: the system bus; nil for a monitor that only ``change(_:)`` changes.
    init(_ connection: DBusConnection?) {
        self.connection = connection
    }

    /// Whether devices must be closed at present, and why.
    package func interruption(noticesLock: Bool) -> InterruptionReason? {
        shared.withLock { $0.power.interruption(noticesLock: noticesLock) }
    }

    /// Calls `tell` after each change of ``interruption(noticesLock:)``, on the thread of the bus, until the returned
    /// object is released.
    package func observe(noticesLock: Bool, _ tell: @escaping @Sendable () -> Void) -> Observation {
        let (id, matches, findsSession) = shared.withLock { shared -> (UInt64, [DBusMatch], Bool) in
            shared.nextObserver += 1
            shared.observers[shared.nextObserver] = (noticesLock, tell)
            var matches = shared.isObservingSleep ? [] : [DBusMatch.prepareForSleep]
            shared.isObservingSleep = true
            if noticesLock, !shared.isObservingSessions {
                matches += [.sessionNew, .sessionRemoved]
                shared.isObservingSessions = true
            }
            return (shared.nextObserver, matches, noticesLock && shared.session == nil)
        }
        for match in matches { observe(match) }
        // Also where an earlier attempt has failed: a service of the user can start before the user has logged in.
        if findsSession { findSession() }
        return Observation { [weak self] in self?.shared.withLock { _ = $0.observers.removeValue(forKey: id) } }
    }

    /// Changes the state, and tells the observers that it concerns.
    func change(_ body: (inout PowerState) -> Void) {
        let observers = shared.withLock { shared -> [@Sendable () -> Void] in
            let former = shared.power
            body(&shared.power)
            return shared.observers.values.filter {
                former.interruption(noticesLock: $0.noticesLock)
                    != shared.power.interruption(noticesLock: $0.noticesLock)
            }
            .map(\.tell)
        }
        for tell in observers { tell() }
    }

    // MARK: logind

    private func observe(_ match: DBusMatch) {
        connection?.observe(match) { [weak self] event in
            switch event {
            case .signal(let signal): self?.note(signal)
            case .ended: self?.forget()
            }
        }
    }

    private func note(_ signal: DBusSignal) {
        switch signal.member {
        case "SessionNew":
            if shared.withLock({ $0.session == nil }) { findSession() }
        case "SessionRemoved":
            // Nobody reports that a session which was locked at its end is no longer locked.
            guard signal.arguments.count > 1, let path = signal.arguments[1].text, isSession(path) else { return }
            shared.withLock { $0.session = nil }
            change { $0.isLocked = false }
            findSession()
        case "PropertiesChanged" where !isSession(signal.path): break
        default: change { $0.note(signal) }
        }
    }

    private func isSession(_ path: String) -> Bool { shared.withLock { $0.session == path } }

    /// Without the bus, nobody would report the end of an interruption.
    private func forget() {
        shared.withLock { shared in
            shared.isObservingSleep = false
            shared.isObservingSessions = false
            shared.session = nil
        }
        change { $0 = PowerState() }
    }

    /// Observes the session of this process, or for a service of the user the one with the display. If there is none,
    /// the next one is observed.
    private func findSession() {
        connection?.call(.getSession, timeout: Self.callLimit) { [weak self] result in
            guard let self, case .success(let values) = result, let path = values.first?.text else { return }
            let isNew = shared.withLock { shared in
                defer { shared.session = path }
                return shared.session != path
            }
            guard isNew else { return }
            observe(.sessionChanged(path))
            connection?.call(.lockedHint(of: path), timeout: Self.callLimit) { [weak self] result in
                guard let self, case .success(let values) = result, let isLocked = values.first?.boolean,
                    isSession(path)
                else { return }
                change { $0.isLocked = isLocked }
            }
        }
    }
}

extension DBusMatch {
    fileprivate static let prepareForSleep = DBusMatch(
        sender: DBusCall.logind, path: "/org/freedesktop/login1", interface: "org.freedesktop.login1.Manager",
        member: "PrepareForSleep")

    fileprivate static let sessionNew = DBusMatch(
        sender: DBusCall.logind, path: "/org/freedesktop/login1", interface: "org.freedesktop.login1.Manager",
        member: "SessionNew")

    fileprivate static let sessionRemoved = DBusMatch(
        sender: DBusCall.logind, path: "/org/freedesktop/login1", interface: "org.freedesktop.login1.Manager",
        member: "SessionRemoved")

    fileprivate static func sessionChanged(_ path: String) -> DBusMatch {
        DBusMatch(
            sender: DBusCall.logind, path: path, interface: "org.freedesktop.DBus.Properties",
            member: "PropertiesChanged")
    }
}

extension DBusCall {
    fileprivate static let logind = "org.freedesktop.login1"

    /// `auto` is the session of the caller, else the one of the user with a display.
    fileprivate static let getSession = DBusCall(
        destination: logind, path: "/org/freedesktop/login1", interface: "org.freedesktop.login1.Manager",
        member: "GetSession", arguments: [.text("auto")], startsService: false)

    fileprivate static func lockedHint(of path: String) -> DBusCall {
        DBusCall(
            destination: logind, path: path, interface: "org.freedesktop.DBus.Properties", member: "Get",
            arguments: [.text("org.freedesktop.login1.Session"), .text("LockedHint")], startsService: false)
    }
}
