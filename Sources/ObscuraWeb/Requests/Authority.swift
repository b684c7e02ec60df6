// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

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
        let text = text.lowercased()
        guard text.utf8.count <= 300 else { return nil }
        var rest = text[...]
        if rest.first == "[" {
            guard let end = rest.firstIndex(of: "]") else { return nil }
            let address = rest[rest.index(after: rest.startIndex)..<end]
            // Whatever stands in brackets is no name, so it need not be a correct address to be told from one.
            guard address.utf8.contains(UInt8(ascii: ":")), address.utf8.allSatisfy(Self.isOfIPv6) else { return nil }
            host = String(address)
            isLiteral = true
            rest = rest[rest.index(after: end)...]
        } else {
            let name = rest.prefix { $0 != ":" }
            guard !name.isEmpty, name.utf8.allSatisfy(Self.isOfName) else { return nil }
            // "host." is the host to a resolver, and a second name for one place is a way round a rule.
            guard name.first != ".", name.last != "." else { return nil }
            host = String(name)
            isLiteral = Self.isIPv4(name)
            rest = rest[name.endIndex...]
        }
        if rest.isEmpty {
            port = nil
        } else {
            let digits = rest.dropFirst()
            guard rest.first == ":", (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy(Self.isDigit),
                let number = Int(digits), (1...65535).contains(number)
            else { return nil }
            port = number
        }
    }

    package init(host: String, port: Int?, isLiteral: Bool) {
        self.host = host
        self.port = port
        self.isLiteral = isLiteral
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || "-._".utf8.contains(byte)
    }

    private static func isOfIPv6(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte) || ":.".utf8.contains(byte)
    }

    /// Four decimal numbers without leading zeros: the one form in which browsers write such an address.
    private static func isIPv4(_ text: Substring) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                part.utf8.allSatisfy(isDigit) && Int(part).map { $0 <= 255 && String($0) == part } ?? false
            }
    }
}
