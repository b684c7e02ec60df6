// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The parts of an address behind its `://` (RFC 3986, section 3).
package struct AddressParts: Sendable, Hashable {
    /// What stands before the `@`, as it is written; nil without one.
    package var user: String?
    /// The name or number of the host, without the brackets of IPv6.
    package var host: String
    /// As it is written, with the brackets of IPv6.
    package var hostText: String
    package var portText: String
    /// With its slash; empty without a path.
    package var path: String
    /// Without its question mark; nil without one.
    package var query: String?

    package init(_ text: Substring) {
        let end = text.firstIndex { "/?#".contains($0) } ?? text.endIndex
        var authority = text[..<end]
        var rest = text[end...]
        // A password may have a slash that was not escaped: then the last @ before the query ends it.
        let beforeQuery = text.prefix { $0 != "?" }
        if let at = authority.lastIndex(of: "@") ?? Self.lateAt(beforeQuery, authority) {
            user = String(text[..<at])
            let behind = text[text.index(after: at)...]
            let hostEnd = behind.firstIndex { "/?#".contains($0) } ?? behind.endIndex
            authority = behind[..<hostEnd]
            rest = behind[hostEnd...]
        }
        if authority.first == "[", let close = authority.firstIndex(of: "]") {
            hostText = String(authority[...close])
            host = String(authority[authority.index(after: authority.startIndex)..<close])
            portText = String(authority[authority.index(after: close)...].drop { $0 == ":" })
        } else if let colon = authority.lastIndex(of: ":") {
            hostText = String(authority[..<colon])
            host = hostText
            portText = String(authority[authority.index(after: colon)...])
        } else {
            hostText = String(authority)
            host = hostText
            portText = ""
        }
        rest = rest.prefix { $0 != "#" }
        let mark = rest.firstIndex(of: "?")
        path = String(rest[..<(mark ?? rest.endIndex)])
        query = mark.map { String(rest[rest.index(after: $0)...]) }
    }

    /// Host and port, as they are written.
    package var place: String { portText.isEmpty ? hostText : "\(hostText):\(portText)" }

    /// From 1 to 65535; nil for what is none.
    package var port: Int? {
        guard portText.allSatisfy({ $0.isASCII && $0.isNumber }), let port = Int(portText), (1...65_535).contains(port)
        else { return nil }
        return port
    }

    /// The items of the query, with `%41` as what it stands for; nil where one is not well formed.
    package var items: [(name: String, value: String)]? {
        var items: [(name: String, value: String)] = []
        for item in (query ?? "").split(separator: "&") {
            let halves = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(halves[0]), let value = Self.decoded(halves.count > 1 ? halves[1] : "") else {
                return nil
            }
            items.append((name, value))
        }
        return items
    }

    private static func lateAt(_ text: Substring, _ authority: Substring) -> Substring.Index? {
        guard let at = text.lastIndex(of: "@"), let colon = authority.firstIndex(of: ":"), colon < at,
            !authority[authority.index(after: colon)...].allSatisfy(\.isNumber)
        else { return nil }
        return at
    }

    /// A host as addresses have it: IPv6 in brackets.
    package static func written(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }

    /// As a part of an address: all but letters, digits and `-._~` as `%41` (RFC 3986, section 2.1).
    package static func encoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { encoded, byte in
            let scalar = Unicode.Scalar(byte)
            let isPlain =
                scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789-._~".unicodeScalars.contains(scalar))
            encoded +=
                isPlain ? String(scalar) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
    }

    /// With `%41` as what it stands for; nil for what is not well formed.
    package static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            rest = rest.dropFirst(2)
            guard digits.count == 2, let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16), value > 0
            else { return nil }
            bytes.append(value)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
