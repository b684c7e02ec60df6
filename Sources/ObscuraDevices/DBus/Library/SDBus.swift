// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CDBus
internal import Glibc
internal import ObscuraMedia

/// A connection of libsystemd to a bus. For one thread at a time; no call waits for the bus.
final class SDBus {
    private let bus: OpaquePointer

    /// Begins to connect.
    init(system: Bool) throws(DBusFailure) {
        switch obscura_dbus_load() {
        case 0: break
        case -ENOSYS: throw .builtWithout
        default: throw .libraryMissing
        }
        var opened: OpaquePointer?
        let status = obscura_dbus_open(system ? .system : .session, &opened)
        guard status == 0, let opened else { throw .unreachable(errno: -status) }
        bus = opened
    }

    deinit {
        obscura_dbus_close(bus)
    }

    /// The descriptor and the events to wait for, and the time until which to wait at most.
    var awaited: (poll: pollfd, deadline: HostTime?) {
        var microseconds = UInt64.max
        _ = obscura_dbus_deadline(bus, &microseconds)
        let deadline = microseconds == .max ? nil : HostTime(nanoseconds: Int64(clamping: microseconds) &* 1000)
        let events = Int16(truncatingIfNeeded: max(0, obscura_dbus_events(bus)))
        return (pollfd(fd: obscura_dbus_descriptor(bus), events: events, revents: 0), deadline)
    }

    /// Sends a call, and returns its serial.
    func send(_ call: DBusCall) throws(DBusFailure) -> UInt64 {
        var created: OpaquePointer?
        let status = obscura_dbus_new_call(
            bus, call.destination, call.path, call.interface, call.member, call.startsService, &created)
        guard status >= 0, let created else { throw .malformed(errno: -status) }
        defer { obscura_dbus_release(created) }
        let writer = SDBusWriter(created)
        for argument in call.arguments { try writer.append(argument) }
        var serial: UInt64 = 0
        let sent = obscura_dbus_send(bus, created, &serial)
        guard sent >= 0 else { throw .unreachable(errno: -sent) }
        return serial
    }

    /// Reads and writes what is possible at once. Returns the received message, if there is one, and whether there may
    /// be more to do.
    func next() throws(DBusFailure) -> (message: DBusMessage?, isBusy: Bool) {
        var received: OpaquePointer?
        let status = obscura_dbus_next(bus, &received)
        guard status >= 0 else { throw .unreachable(errno: -status) }
        guard let received else { return (nil, status > 0) }
        defer { obscura_dbus_release(received) }
        return (SDBusReader(received).result, true)
    }
}
