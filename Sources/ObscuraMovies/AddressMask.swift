// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Hides what is secret in addresses, wherever in a text they stand.
enum AddressMask {
    /// The text with `***` for passwords (`rtsp://user:***@host/`) and for the values of such query items as
    /// `token=` and `passphrase=`.
    static func masked(_ text: String) -> String {
        guard text.contains("://") else { return text }
        var result = ""
        var rest = text[...]
        while let separator = rest.firstRange(of: "://") {
            result += rest[..<separator.upperBound]
            rest = rest[separator.upperBound...]
            let end = rest.firstIndex(where: { $0.isWhitespace || $0 == "\"" || $0 == "'" }) ?? rest.endIndex
            result += maskedQuery(maskedUser(rest[..<end]))
            rest = rest[end...]
        }
        return result + rest
    }

    /// `address` is what follows `://`.
    private static func maskedUser(_ address: Substring) -> Substring {
        let authority = address.prefix { !"/?#".contains($0) }
        if let at = authority.lastIndex(of: "@") {
            guard let colon = authority[..<at].firstIndex(of: ":") else { return address }
            return address[...colon] + "***" + address[at...]
        }
        // A password with an unescaped slash ends the authority too early: what follows the colon is then
        // not a port. Better to show too little than to show the password.
        guard let colon = authority.firstIndex(of: ":"), let at = address.lastIndex(of: "@"), colon < at,
            !authority[authority.index(after: colon)...].allSatisfy(\.isNumber)
        else { return address }
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
