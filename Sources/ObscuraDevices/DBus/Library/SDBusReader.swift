// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CDBus
internal import Glibc
internal import ObscuraBase

/// Reads a message that was received.
struct SDBusReader {
    private let message: OpaquePointer

    init(_ message: OpaquePointer) {
        self.message = message
    }

    /// The message with its contents; nil for one of an unknown kind, and for a signal that cannot be read.
    var result: DBusMessage? {
        var kind = ObscuraMessageKind.signal
        guard obscura_dbus_kind(message, &kind) >= 0 else { return nil }
        switch kind {
        case .signal:
            guard let arguments = try? contents() else { return nil }
            return .signal(
                DBusSignal(
                    path: text(obscura_dbus_path(message)), interface: text(obscura_dbus_interface(message)),
                    member: text(obscura_dbus_member(message)), arguments: arguments))
        case .error:
            return serial.map {
                .reply(
                    to: $0,
                    .failure(
                        .refused(
                            name: text(obscura_dbus_error_name(message)),
                            text: text(obscura_dbus_error_text(message)))))
            }
        case .reply:
            return serial.map { .reply(to: $0, Result { () throws(DBusFailure) in try contents() }) }
        }
    }

    private var serial: UInt64? {
        var serial: UInt64 = 0
        return obscura_dbus_reply_serial(message, &serial) < 0 ? nil : serial
    }

    private func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }

    /// The values up to the end of the message or the container. libsystemd limits their depth.
    private func contents() throws(DBusFailure) -> [DBusValue] {
        var values: [DBusValue] = []
        while let value = try next() { values.append(value) }
        return values
    }

    private func next() throws(DBusFailure) -> DBusValue? {
        var type: CChar = 0
        var signature: UnsafePointer<CChar>?
        try check(obscura_dbus_peek(message, &type, &signature))
        switch UInt8(bitPattern: type) {
        case 0: return nil
        case UInt8(ascii: "s"), UInt8(ascii: "o"), UInt8(ascii: "g"):
            var read: UnsafePointer<CChar>?
            try check(obscura_dbus_read_text(message, type, &read))
            return .text(text(read))
        case UInt8(ascii: "b"): return .boolean(try number(type) != 0)
        case UInt8(ascii: "d"):
            var read = 0.0
            try check(obscura_dbus_read_double(message, &read))
            return .double(read)
        case UInt8(ascii: "h"):
            var copy: Int32 = -1
            try check(obscura_dbus_read_descriptor(message, &copy))
            return .descriptor(FileDescriptor(owning: copy))
        case UInt8(ascii: "v"): return try inside(type, signature).first
        case UInt8(ascii: "a"):
            let isDictionary = signature.map { $0.pointee == CChar(UInt8(ascii: "{")) } ?? false
            let items = try inside(type, signature)
            guard isDictionary else { return .items(items) }
            return .dictionary(
                items.compactMap { item in
                    guard let pair = item.items, pair.count == 2 else { return nil }
                    return (pair[0], pair[1])
                })
        case UInt8(ascii: "r"), UInt8(ascii: "e"): return .items(try inside(type, signature))
        default: return .number(try number(type))
        }
    }

    private func inside(_ type: CChar, _ signature: UnsafePointer<CChar>?) throws(DBusFailure) -> [DBusValue] {
        guard let signature else { throw .malformed(errno: EBADMSG) }
        // The library may release it when the container is entered.
        try check(obscura_dbus_enter(message, type, String(cString: signature)))
        let values = try contents()
        try check(obscura_dbus_exit(message))
        return values
    }

    private func number(_ type: CChar) throws(DBusFailure) -> Int64 {
        var read: Int64 = 0
        try check(obscura_dbus_read_number(message, type, &read))
        return read
    }

    private func check(_ status: Int32) throws(DBusFailure) {
        if status < 0 { throw .malformed(errno: -status) }
    }
}
