// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase

/// A host and port, as in `Host` and `Origin`.
package struct Authority: Sendable, Hashable {
    /// The host in lower case; an IPv6 address has no brackets.
    package let host: String
    /// The port; nil if absent, which means the default port of the scheme.
    package let port: Int?
    /// Whether the host is an IP address.
    package let isLiteral: Bool

    /// Parses `name`, `name:port`, `1.2.3.4:port` or `[::1]:port`; anything else is invalid, such as a user, space or
    /// path.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count <= 300, let place = HostAndPort(text.lowercased()) else { return nil }
        (host, port) = (place.host, place.port)
        isLiteral = IPAddress(host) != nil
        if isLiteral { return }
        // Resolvers treat "host." as "host": such a second spelling could bypass a rule.
        guard !host.isEmpty, host.utf8.allSatisfy(Self.isOfName), host.first != ".", host.last != "." else {
            return nil
        }
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-._".utf8.contains(byte)
        }
    }
}
