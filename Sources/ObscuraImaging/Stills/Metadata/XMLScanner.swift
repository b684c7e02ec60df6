// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Takes an XML text apart into tags and texts, one after the other. A pure value.
///
/// It knows no entities but the five of XML and those of numbers, so that no text can grow; and it trusts nobody:
/// whatever the text is, it ends.
struct XMLScanner {
    enum Token: Equatable {
        case begin(String, attributes: [String: String], isEmpty: Bool)
        case text(String)
        case end(String)
    }

    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = text[...].utf8
    }

    /// The next part; nil at the end, and where a tag is broken off.
    mutating func next() -> Token? {
        while let first = rest.first {
            guard first == UInt8(ascii: "<") else {
                return .text(Self.unescaped(take { $0 != UInt8(ascii: "<") }))
            }
            if starts(with: "<!--") {
                guard skip(past: "-->") else { return nil }
            } else if starts(with: "<?") {
                guard skip(past: "?>") else { return nil }
            } else if starts(with: "<![CDATA[") {
                rest = rest.dropFirst("<![CDATA[".utf8.count)
                let begin = rest
                guard skip(past: "]]>") else { return nil }
                let count = begin.count - rest.count - "]]>".utf8.count
                return .text(String(Substring(begin.prefix(count))))
            } else if starts(with: "<!") {
                // A document type: nothing of it is believed.
                guard skip(past: ">") else { return nil }
            } else {
                return tag()
            }
        }
        return nil
    }

    private mutating func tag() -> Token? {
        rest = rest.dropFirst()
        if rest.first == UInt8(ascii: "/") {
            rest = rest.dropFirst()
            let name = String(take { $0 != UInt8(ascii: ">") })
            guard rest.popFirst() != nil else { return nil }
            return .end(name)
        }
        let name = String(take(while: Self.isOfName))
        var attributes: [String: String] = [:]
        while true {
            _ = take(while: Self.isSpace)
            guard let next = rest.first else { return nil }
            if next == UInt8(ascii: ">") {
                rest = rest.dropFirst()
                return .begin(name, attributes: attributes, isEmpty: false)
            }
            if next == UInt8(ascii: "/") {
                rest = rest.dropFirst()
                guard rest.popFirst() == UInt8(ascii: ">") else { return nil }
                return .begin(name, attributes: attributes, isEmpty: true)
            }
            let key = String(take(while: Self.isOfName))
            _ = take(while: Self.isSpace)
            guard !key.isEmpty, rest.popFirst() == UInt8(ascii: "=") else { return nil }
            _ = take(while: Self.isSpace)
            guard let quote = rest.popFirst(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
                return nil
            }
            attributes[key] = Self.unescaped(take { $0 != quote })
            guard rest.popFirst() != nil else { return nil }
        }
    }

    private mutating func take(while condition: (UInt8) -> Bool) -> Substring {
        let end = rest.firstIndex { !condition($0) } ?? rest.endIndex
        defer { rest = rest[end...] }
        return Substring(rest[..<end])
    }

    private func starts(with text: String) -> Bool { rest.starts(with: text.utf8) }

    private mutating func skip(past mark: String) -> Bool {
        while !rest.isEmpty {
            if starts(with: mark) {
                rest = rest.dropFirst(mark.utf8.count)
                return true
            }
            rest = rest.dropFirst()
        }
        return false
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0a, 0x0d].contains(byte) }

    private static func isOfName(_ byte: UInt8) -> Bool {
        !isSpace(byte) && !"=/><\"'".utf8.contains(byte)
    }

    /// The text with what its entities stand for; an entity that is none stays as it is.
    private static func unescaped(_ text: Substring) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return String(text) }
        let parts = text.split(separator: "&", omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(into: String(parts[0])) { whole, part in
            guard let end = part.firstIndex(of: ";"), let character = character(part[..<end]) else {
                whole += "&" + part
                return
            }
            whole.unicodeScalars.append(character)
            whole += part[part.index(after: end)...]
        }
    }

    private static func character(_ name: Substring) -> Unicode.Scalar? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        case _ where name.hasPrefix("#x"): return UInt32(name.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
        case _ where name.hasPrefix("#"): return UInt32(name.dropFirst()).flatMap(Unicode.Scalar.init)
        default: return nil
        }
    }
}
