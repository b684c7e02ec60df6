// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase

/// A host and a port, as `Host` and `Origin` name them.
package struct Authority: Sendable, Hashable {
    /// In lower case; an IPv6 address without its brackets.
    package let host: String
    /// Nil where it was left out, and is that of the scheme.
    package let port: Int?
    /// Whether the host is an address in digits.
    package let isLiteral: Bool

    /// Reads `name`, `name:port`, `1.2.3.4:port` or `[::1]:port`, and nothing else: no user, no space, no path.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count <= 300, let place = HostAndPort(text.lowercased()) else { return nil }
        (host, port) = (place.host, place.port)
        isLiteral = IPAddress(host) != nil
        if isLiteral { return }
        // "host." is the host to a resolver, and a second name for one place is a way round a rule.
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
