// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import Testing

@testable import ObscuraDevices

@Suite("Sleep and lock of the session")
struct PowerStateTests {
    private func prepareForSleep(_ begins: Bool) -> DBusSignal {
        DBusSignal(
            path: "/org/freedesktop/login1", interface: "org.freedesktop.login1.Manager", member: "PrepareForSleep",
            arguments: [.boolean(begins)])
    }

    private func changed(_ interface: String, _ values: [(String, DBusValue)]) -> DBusSignal {
        DBusSignal(
            path: "/org/freedesktop/login1/session/a", interface: "org.freedesktop.DBus.Properties",
            member: "PropertiesChanged",
            arguments: [
                .text(interface), .dictionary(values.map { (key: .text($0.0), value: $0.1) }), .items([]),
            ])
    }

    @Test("Sleep is an interruption until the machine has woken up")
    func sleeping() {
        var state = PowerState()
        #expect(state.interruption(noticesLock: true) == nil)
        state.note(prepareForSleep(true))
        #expect(state.interruption(noticesLock: false) == .systemSleep)
        state.note(prepareForSleep(false))
        #expect(state.interruption(noticesLock: true) == nil)
    }

    @Test("A locked session is an interruption on request, and sleep has priority")
    func locked() {
        var state = PowerState()
        let session = "org.freedesktop.login1.Session"
        state.note(changed(session, [("IdleHint", .boolean(true))]))
        state.note(changed("org.freedesktop.login1.User", [("LockedHint", .boolean(true))]))
        #expect(state == PowerState())
        state.note(changed(session, [("IdleHint", .boolean(true)), ("LockedHint", .boolean(true))]))
        #expect(state.interruption(noticesLock: false) == nil)
        #expect(state.interruption(noticesLock: true) == .sessionLocked)
        state.note(prepareForSleep(true))
        #expect(state.interruption(noticesLock: true) == .systemSleep)
        state.note(prepareForSleep(false))
        state.note(changed(session, [("LockedHint", .boolean(false))]))
        #expect(state == PowerState())
    }

    @Test("Signals without the expected arguments change nothing")
    func malformed() {
        var state = PowerState(isAsleep: true, isLocked: true)
        for arguments: [DBusValue] in [[], [.text("x")], [.number(1)]] {
            for member in ["PrepareForSleep", "PropertiesChanged", "Lock", "Unlock"] {
                state.note(DBusSignal(path: "/", interface: "i", member: member, arguments: arguments))
            }
        }
        #expect(state == PowerState(isAsleep: true, isLocked: true))
    }

    @Test("An observer is told each change that concerns it once, and nothing after its end")
    func observers() {
        let monitor = PowerMonitor(nil)
        let count = Lock(0)
        var observation: Observation? = monitor.observe(noticesLock: true) { count.withLock { $0 += 1 } }
        monitor.change { $0.isAsleep = true }
        monitor.change { $0.isAsleep = true }
        // Sleep has priority.
        monitor.change { $0.isLocked = true }
        monitor.change { $0.isLocked = false }
        #expect(count.withLock { $0 } == 1 && observation != nil)
        let others = Lock(0)
        let other = monitor.observe(noticesLock: false) { others.withLock { $0 += 1 } }
        observation = nil
        monitor.change { $0 = PowerState(isLocked: true) }
        monitor.change { $0 = PowerState() }
        #expect(count.withLock { $0 } == 1)
        #expect(others.withLock { $0 } == 1)
        withExtendedLifetime(other) {}
    }
}
