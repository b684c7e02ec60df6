// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import NIOCore

/// Who is at the other end, as far as limits go: an address, or the network of 64 bits that one IPv6 user has.
package struct Peer: Hashable, Sendable, CustomStringConvertible {
    package let description: String
    /// Whether it is this machine itself.
    package let isLoopback: Bool

    package init(_ address: SocketAddress?) {
        switch address {
        case .v4(let address):
            let number = UInt32(bigEndian: address.address.sin_addr.s_addr)
            self.init(ipv4: number)
        case .v6(let address):
            let parts = address.address.sin6_addr.__in6_u.__u6_addr32
            let words = [parts.0, parts.1, parts.2, parts.3].map(UInt32.init(bigEndian:))
            // "::ffff:1.2.3.4" is how an IPv4 address looks to a socket that takes both.
            if words[0] == 0, words[1] == 0, words[2] == 0xFFFF {
                self.init(ipv4: words[3])
            } else {
                self.init(
                    description: "\(String(words[0], radix: 16)):\(String(words[1], radix: 16))",
                    isLoopback: words == [0, 0, 0, 1])
            }
        case .unixDomainSocket, nil:
            self.init(description: "unknown", isLoopback: false)
        }
    }

    private init(description: String, isLoopback: Bool) {
        self.description = description
        self.isLoopback = isLoopback
    }

    private init(ipv4 number: UInt32) {
        self.init(
            description: [24, 16, 8, 0].map { String(number >> $0 & 255) }.joined(separator: "."),
            isLoopback: number >> 24 == 127)
    }
}
