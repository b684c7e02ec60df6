// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A message that was received.
enum DBusMessage: Sendable {
    /// The result of the call with this serial.
    case reply(to: UInt64, Result<[DBusValue], DBusFailure>)
    case signal(DBusSignal)
}
