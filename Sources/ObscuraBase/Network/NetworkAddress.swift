// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// An address such as `rtsp://user:password@host:8554/path?query` (RFC 3986, section 3), split into its parts.
package struct NetworkAddress: Sendable, Hashable {
    /// The scheme, in lower case.
    package let scheme: String
    /// The user as written, percent-encoded; nil without an `@`.
    package let user: String?
    /// The password as written, percent-encoded; nil if missing.
    package let password: String?
    /// The host and port as written.
    package let place: String
    /// The path with its leading slash; empty if missing.
    package let path: String
    /// The query without its question mark; nil if missing.
    package let query: String?

    /// Parses an address; returns nil if the text does not start with a scheme and `://`.
    package init?(_ text: String) {
        guard let separator = text.firstRange(of: "://") else { return nil }
        let name = text[..<separator.lowerBound]
        guard let first = name.first, first.isASCII, first.isLetter,
            name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) })
        else { return nil }
        scheme = name.lowercased()
        var rest = text[separator.upperBound...]
        if let end = Self.userEnd(of: rest.prefix { $0 != "?" }) {
            let parts = rest[..<end].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            (user, password) = (String(parts[0]), parts.count > 1 ? String(parts[1]) : nil)
            rest = rest[end...].dropFirst()
        } else {
            (user, password) = (nil, nil)
        }
        let authority = rest.prefix { !"/?#".contains($0) }
        rest = rest[authority.endIndex...].prefix { $0 != "#" }
        let mark = rest.firstIndex(of: "?")
        place = String(authority)
        path = String(rest[..<(mark ?? rest.endIndex)])
        query = mark.map { String(rest[$0...].dropFirst()) }
    }

    /// The host and port; nil if ``place`` is malformed.
    package var hostAndPort: HostAndPort? { HostAndPort(place) }

    /// The decoded items of the query; nil if one of them is malformed.
    package var items: [(name: String, value: String)]? {
        var items: [(name: String, value: String)] = []
        for item in (query ?? "").split(separator: "&") {
            let halves = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentCoding.decoded(halves[0]),
                let value = PercentCoding.decoded(halves.count > 1 ? halves[1] : "")
            else { return nil }
            items.append((name, value))
        }
        return items
    }

    /// Returns the position of the `@` after user and password.
    ///
    /// An unescaped slash in a password would end the authority too early: the text before it is then not a host with a
    /// port, and the last `@` of the address is used.
    ///
    /// - Parameter address: the text after `://`.
    static func userEnd(of address: Substring) -> Substring.Index? {
        let authority = address.prefix { !"/?#".contains($0) }
        if let at = authority.lastIndex(of: "@") { return at }
        return authority.contains(":") && HostAndPort(authority) == nil ? address.lastIndex(of: "@") : nil
    }
}
