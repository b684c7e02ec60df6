// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import NIOCore
internal import ObscuraBase

/// Who is at the other end, as far as limits go: an address, or the network of 64 bits that one IPv6 user has.
package struct Peer: Hashable, Sendable, CustomStringConvertible {
    package let description: String
    /// Whether it is this machine itself.
    package let isLoopback: Bool

    package init(_ address: SocketAddress?) {
        let address = address?.ipAddress.flatMap(IPAddress.init)
        description = address?.network ?? "unknown"
        isLoopback = address?.isLoopback ?? false
    }
}
