// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A signal that was received.
struct DBusSignal: Sendable {
    let path: String
    let interface: String
    let member: String
    let arguments: [DBusValue]
}

/// A selection of signals.
struct DBusMatch: Sendable, Hashable {
    /// The service that sends them; nil for any.
    var sender: String?
    /// The object that they are from; nil for any.
    var path: String?
    let interface: String
    let member: String
    /// The first argument, a string; nil for any.
    var firstArgument: String?

    /// The rule for the bus (https://dbus.freedesktop.org/doc/dbus-specification.html, "Match Rules").
    var rule: String {
        let parts: [(String, String?)] = [
            ("type", "signal"), ("sender", sender), ("path", path), ("interface", interface), ("member", member),
            ("arg0", firstArgument),
        ]
        return parts.compactMap { name, value in value.map { "\(name)='\($0)'" } }.joined(separator: ",")
    }

    /// Whether the signal is selected. The bus checks the sender.
    func selects(_ signal: DBusSignal) -> Bool {
        interface == signal.interface && member == signal.member && (path ?? signal.path) == signal.path
            && (firstArgument == nil || firstArgument == signal.arguments.first?.text)
    }
}
