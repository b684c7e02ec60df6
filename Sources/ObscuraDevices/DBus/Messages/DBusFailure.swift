// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase

/// The reason why a call has no result.
enum DBusFailure: Error, Sendable, Hashable {
    /// This was built without the trait PipeWire.
    case builtWithout
    /// libsystemd cannot be loaded.
    case libraryMissing
    /// There is no such bus, or it rejects the connection.
    case unreachable(errno: Int32)
    /// The connection has ended before the reply.
    case connectionLost
    case timedOut
    /// The error of the service or the bus.
    case refused(name: String, text: String)
    /// The call or its reply is invalid.
    case malformed(errno: Int32)

    /// The failure as the end of a sentence.
    var reason: String {
        switch self {
        case .builtWithout: "Obscura was built without the trait PipeWire"
        case .libraryMissing: "libsystemd0 is missing"
        case .unreachable(let errno): "the bus cannot be reached: \(SystemError(errno).reason)"
        case .connectionLost: "the connection to the bus has ended"
        case .timedOut: "there is no reply"
        case .refused(let name, let text): text.isEmpty ? name : text
        case .malformed(let errno): "a message is invalid: \(SystemError(errno).reason)"
        }
    }
}
