// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Masks the secrets in addresses within any text.
package enum AddressMask {
    /// Returns the text with `***` for passwords (`rtsp://user:***@host/`) and for the values of query items such as
    /// `token=` and `passphrase=`.
    package static func masked(_ text: String) -> String {
        guard text.contains("://") else { return text }
        var result = ""
        var rest = text[...]
        while let separator = rest.firstRange(of: "://") {
            let before = rest[..<separator.lowerBound].last { !$0.isLetter && !$0.isNumber && !"+-.".contains($0) }
            result += rest[..<separator.upperBound]
            rest = rest[separator.upperBound...]
            let end = end(of: rest, behind: before)
            result += maskedQuery(maskedUser(rest[..<end]))
            rest = rest[end...]
        }
        return result + rest
    }

    /// Masks a complete address, which may contain spaces.
    package static func masked(address: String) -> String {
        guard let separator = address.firstRange(of: "://") else { return address }
        return String(address[..<separator.upperBound] + maskedQuery(maskedUser(address[separator.upperBound...])))
    }

    /// Returns the end of an address within a text: a space, or for a quoted address the first quote after its
    /// password. Passwords can contain quotes; masking too much is better than showing a password.
    private static func end(of rest: Substring, behind before: Character?) -> Substring.Index {
        let end = rest.firstIndex(where: \.isWhitespace) ?? rest.endIndex
        guard let quote = before, quote == "'" || quote == "\"" else { return end }
        let word = rest[..<(nextAddress(in: rest[..<end], quote) ?? end)]
        return word[(word.lastIndex(of: "@") ?? word.startIndex)...].firstIndex(of: quote) ?? word.endIndex
    }

    /// Returns the end of the first of several quoted addresses without a space between them, as in JSON.
    private static func nextAddress(in word: Substring, _ quote: Character) -> Substring.Index? {
        word.ranges(of: "\(quote),\(quote)").first { separator in
            word[separator.upperBound...].drop { $0.isLetter || $0.isNumber || "+-.".contains($0) }.hasPrefix("://")
        }?.lowerBound
    }

    /// Masks the password of an address, which is passed without its scheme and `://`.
    private static func maskedUser(_ address: Substring) -> Substring {
        guard let at = NetworkAddress.userEnd(of: address), let colon = address[..<at].firstIndex(of: ":") else {
            return address
        }
        return address[...colon] + "***" + address[at...]
    }

    private static func maskedQuery(_ address: Substring) -> Substring {
        guard let mark = address.firstIndex(of: "?") else { return address }
        let query = address[address.index(after: mark)...]
        let items = query.split(separator: "&", omittingEmptySubsequences: false).map { item -> Substring in
            guard let equals = item.firstIndex(of: "="), isSecret(item[..<equals]) else { return item }
            return item[...equals] + "***"
        }
        return address[...mark] + items.joined(separator: "&")
    }

    private static func isSecret(_ name: Substring) -> Bool {
        let name = name.lowercased()
        return ["pass", "pwd", "token", "secret", "key", "auth", "sig", "credential"].contains { name.contains($0) }
    }
}
