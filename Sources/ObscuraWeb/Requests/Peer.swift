// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import NIOCore
internal import ObscuraBase

/// The client of a connection for the purpose of limits: its address, or for IPv6 the 64-bit network of a single user.
package struct Peer: Hashable, Sendable, CustomStringConvertible {
    package let description: String
    /// Whether the client runs on this machine.
    package let isLoopback: Bool

    package init(_ address: SocketAddress?) {
        let address = address?.ipAddress.flatMap(IPAddress.init)
        description = address?.network ?? "unknown"
        isLoopback = address?.isLoopback ?? false
    }
}
