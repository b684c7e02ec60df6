// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CDBus

/// Writes the arguments of a call.
struct SDBusWriter {
    private let message: OpaquePointer

    init(_ message: OpaquePointer) {
        self.message = message
    }

    func append(_ argument: DBusCall.Argument) throws(DBusFailure) {
        switch argument {
        case .text(let text): try check(obscura_dbus_append_text(message, Self.string, text))
        case .boolean(let value): try check(obscura_dbus_append_number(message, Self.boolean, value ? 1 : 0))
        case .uint32(let number): try check(obscura_dbus_append_number(message, Self.uint32, Int64(number)))
        case .options(let options):
            try inside(Self.array, "{sv}") { () throws(DBusFailure) in
                for (name, value) in options.sorted(by: { $0.key < $1.key }) { try append(name, value) }
            }
        }
    }

    private func append(_ name: String, _ value: DBusCall.Argument) throws(DBusFailure) {
        try inside(Self.entry, "sv") { () throws(DBusFailure) in
            try append(.text(name))
            try inside(Self.variant, Self.signature(of: value)) { () throws(DBusFailure) in try append(value) }
        }
    }

    private func inside(
        _ type: CChar, _ contents: String, _ body: () throws(DBusFailure) -> Void
    ) throws(DBusFailure) {
        try check(obscura_dbus_open_container(message, type, contents))
        try body()
        try check(obscura_dbus_close_container(message))
    }

    private func check(_ status: Int32) throws(DBusFailure) {
        if status < 0 { throw .malformed(errno: -status) }
    }

    private static func signature(of argument: DBusCall.Argument) -> String {
        switch argument {
        case .text: "s"
        case .boolean: "b"
        case .uint32: "u"
        case .options: "a{sv}"
        }
    }

    private static let string = CChar(UInt8(ascii: "s"))
    private static let boolean = CChar(UInt8(ascii: "b"))
    private static let uint32 = CChar(UInt8(ascii: "u"))
    private static let array = CChar(UInt8(ascii: "a"))
    private static let entry = CChar(UInt8(ascii: "e"))
    private static let variant = CChar(UInt8(ascii: "v"))
}
