// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A call of a method.
struct DBusCall: Sendable, Hashable {
    /// An argument of a call.
    enum Argument: Sendable, Hashable {
        case text(String)
        case boolean(Bool)
        case uint32(UInt32)
        /// A dictionary of strings and variants (`a{sv}`).
        case options([String: Argument])
    }

    /// The name of the service.
    let destination: String
    let path: String
    let interface: String
    let member: String
    var arguments: [Argument] = []
    /// Whether the bus may start the service.
    var startsService = true
}
