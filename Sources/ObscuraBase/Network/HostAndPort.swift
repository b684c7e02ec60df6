// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A host and a port as written in addresses: `name`, `name:80`, `192.0.2.1:80`, `[::1]:80`, `:80`.
package struct HostAndPort: Sendable, Hashable, CustomStringConvertible {
    /// The host as written, without the brackets of IPv6; empty if missing. A host with a colon is an IPv6 address.
    package let host: String
    /// The port; nil if missing.
    package let port: Int?

    package init(host: String, port: Int?) {
        (self.host, self.port) = (host, port)
    }

    /// Parses the text; does not check whether a host name is valid.
    ///
    /// Returns nil for a port that is not a number in `ports`, and for IPv6 without brackets, whose last digits could
    /// be mistaken for a port.
    package init?(_ text: some StringProtocol, ports: ClosedRange<Int> = 1...65_535) {
        let isBracketed = text.first == "["
        let end = isBracketed ? text.firstIndex(of: "]").map(text.index(after:)) : text.firstIndex(of: ":")
        let host = text[..<(end ?? text.endIndex)]
        let rest = text[host.endIndex...]
        if isBracketed {
            // A zone may follow the address: fe80::1%eth0.
            let address = host.dropFirst().prefix { $0 != "%" && $0 != "]" }
            guard host.last == "]", address.contains(":"), IPAddress(String(address)) != nil else { return nil }
            self.host = String(host.dropFirst().dropLast())
        } else {
            self.host = String(host)
        }
        if rest.isEmpty {
            port = nil
        } else {
            let digits = rest.dropFirst()
            guard rest.first == ":", (1...5).contains(digits.utf8.count),
                digits.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains), let number = Int(digits),
                ports.contains(number)
            else { return nil }
            port = number
        }
    }

    /// The text as written in addresses, with IPv6 in brackets.
    package var description: String {
        (host.contains(":") ? "[\(host)]" : host) + (port.map { ":\($0)" } ?? "")
    }
}
