// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// An address such as `rtsp://user:password@host:8554/path?query` (RFC 3986, section 3), split into its parts.
package struct NetworkAddress: Sendable, Hashable {
    /// In lower case.
    package let scheme: String
    /// As written, still encoded; nil without an `@`.
    package let user: String?
    /// As written, still encoded; nil without one.
    package let password: String?
    /// Host and port as written.
    package let place: String
    /// With its slash; empty without one.
    package let path: String
    /// Without its question mark; nil without one.
    package let query: String?

    /// Returns nil unless the text begins with a scheme and `://`.
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

    /// Nil if ``place`` is malformed.
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

    /// The `@` behind user and password.
    ///
    /// A password may have a slash that was not escaped, which ends the authority too early: what stands there is then
    /// no host with a port, and the last `@` of all counts.
    ///
    /// - Parameter address: the text behind `://`.
    static func userEnd(of address: Substring) -> Substring.Index? {
        let authority = address.prefix { !"/?#".contains($0) }
        if let at = authority.lastIndex(of: "@") { return at }
        return authority.contains(":") && HostAndPort(authority) == nil ? address.lastIndex(of: "@") : nil
    }
}
