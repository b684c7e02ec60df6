// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Reads TOML by its bytes, and stops at the first that cannot be.
///
/// Our own, and not TOMLKit: the parser beneath that (toml++) asserts what it expects, and ends the process
/// over a broken file, such as one that begins with `[,`. Of numbers, dates and arrays only the end is looked
/// for, since no setting is one.
struct SettingsScanner {
    /// What cannot be, and where.
    struct Failure: Error, Hashable {
        let reason: String
        let line: Int
        let column: Int
    }

    enum Value: Hashable {
        case text(String)
        /// A number, a truth, a date or an array.
        case other
    }

    let bytes: [UInt8]
    private(set) var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    func failure(_ reason: String) -> Failure {
        let before = bytes.prefix(position)
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let column = String(decoding: before[lineStart...], as: UTF8.self).unicodeScalars.count + 1
        return Failure(reason: reason, line: before.count { $0 == UInt8(ascii: "\n") } + 1, column: column)
    }

    /// Whether this text comes next; if so, it is passed.
    mutating func take(_ text: StaticString) -> Bool {
        let wanted = "\(text)".utf8
        guard bytes[position...].starts(with: wanted) else { return false }
        position += wanted.count
        return true
    }

    mutating func expect(_ text: StaticString, _ place: String) throws(Failure) {
        guard take(text) else { throw failure("\(text) is missing \(place)") }
    }

    mutating func skipSpaces() {
        while let next, next == UInt8(ascii: " ") || next == UInt8(ascii: "\t") { position += 1 }
    }

    /// Spaces, ends of lines and comments.
    mutating func skipBlank() throws(Failure) {
        while true {
            skipSpaces()
            try skipComment()
            guard take("\n") || take("\r\n") else { return }
        }
    }

    /// What may stand behind a value: spaces, a comment, the end of the line.
    mutating func endLine() throws(Failure) {
        skipSpaces()
        try skipComment()
        guard next == nil || take("\n") || take("\r\n") else { throw failure("the line should end here") }
    }

    private mutating func skipComment() throws(Failure) {
        guard next == UInt8(ascii: "#") else { return }
        while let next, next != UInt8(ascii: "\n") {
            // The other half of an end of line is no part of the comment.
            if next == UInt8(ascii: "\r"), bytes.dropFirst(position + 1).first == UInt8(ascii: "\n") { return }
            guard !Self.isControl(next) else { throw failure("a control character stands in a comment") }
            position += 1
        }
    }

    // MARK: Keys

    /// `a."b c".d`
    mutating func key() throws(Failure) -> [String] {
        var path: [String] = []
        repeat {
            skipSpaces()
            path.append(try simpleKey())
            skipSpaces()
        } while take(".")
        return path
    }

    private mutating func simpleKey() throws(Failure) -> String {
        if next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") { return try line(of: try quote()) }
        let start = position
        while let next, Self.isBare(next) { position += 1 }
        guard position > start else { throw failure("a name is missing") }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func quote() throws(Failure) -> UInt8 {
        guard let quote = next else { throw failure("a text is missing") }
        position += 1
        return quote
    }

    // MARK: Values

    /// A text, a number, a truth or a date; not what has brackets.
    mutating func plainValue() throws(Failure) -> Value {
        if take("\"\"\"") { return .text(try lines(of: UInt8(ascii: "\""))) }
        if take("'''") { return .text(try lines(of: UInt8(ascii: "'"))) }
        if next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") { return .text(try line(of: try quote())) }
        let start = position
        while let next, Self.isBare(next) || "+.:".utf8.contains(next) { position += 1 }
        let word = String(decoding: bytes[start..<position], as: UTF8.self)
        let isNumber = word.drop { $0 == "+" || $0 == "-" }.first.map { $0.isASCII && $0.isNumber } ?? false
        let words: Set = ["true", "false", "inf", "+inf", "-inf", "nan", "+nan", "-nan"]
        guard isNumber || words.contains(word) else {
            position = start
            throw failure(word.isEmpty ? "a value is missing" : "\(word) is no value; a text stands in quotes")
        }
        // A date and its time may stand apart by one space.
        if next == UInt8(ascii: " "), word.utf8.count == 10, word.contains("-"),
            let digit = bytes.dropFirst(position + 1).first, (0x30...0x39).contains(digit)
        {
            position += 1
            while let next, Self.isBare(next) || "+.:".utf8.contains(next) { position += 1 }
        }
        return .other
    }

    /// The rest of a text in one line, behind its first quote.
    private mutating func line(of quote: UInt8) throws(Failure) -> String {
        var text: [UInt8] = []
        while let next, next != quote {
            guard next != UInt8(ascii: "\n"), !Self.isControl(next) else { break }
            if next == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                text += try escape()
            } else {
                text.append(next)
                position += 1
            }
        }
        guard next == quote else { throw failure("the quote at the end of a text is missing") }
        position += 1
        return String(decoding: text, as: UTF8.self)
    }

    /// The rest of a text of several lines, behind its first three quotes.
    private mutating func lines(of quote: UInt8) throws(Failure) -> String {
        var text: [UInt8] = []
        if !take("\n") { _ = take("\r\n") }
        while let next {
            if next == quote {
                let count = bytes[position...].prefix(5).prefix { $0 == quote }.count
                position += count
                text += [UInt8](repeating: quote, count: count < 3 ? count : count - 3)
                if count >= 3 { return String(decoding: text, as: UTF8.self) }
            } else if next == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                if !skipLineEnd() { text += try escape() }
            } else {
                let isEnd = next == UInt8(ascii: "\n") || bytes[position...].starts(with: [13, 10])
                guard isEnd || !Self.isControl(next) else { break }
                text.append(next)
                position += 1
            }
        }
        throw failure("the quotes at the end of a text are missing")
    }

    /// A backslash at the end of a line takes away the white space up to the next word.
    private mutating func skipLineEnd() -> Bool {
        let rest = bytes[(position + 1)...]
        let isWhite = { (byte: UInt8) in byte == 32 || byte == 9 || byte == 13 || byte == 10 }
        let white = rest.prefix(while: isWhite)
        guard white.contains(10), white.prefix(while: { $0 != 10 }).allSatisfy(isWhite) else { return false }
        position = white.endIndex
        return true
    }

    private mutating func escape() throws(Failure) -> [UInt8] {
        let short: [UInt8: UInt8] = [
            UInt8(ascii: "b"): 8, UInt8(ascii: "t"): 9, UInt8(ascii: "n"): 10, UInt8(ascii: "f"): 12,
            UInt8(ascii: "r"): 13, UInt8(ascii: "\""): 34, UInt8(ascii: "\\"): 92,
        ]
        let letter = bytes.dropFirst(position + 1).first ?? 0
        if let byte = short[letter] {
            position += 2
            return [byte]
        }
        let length = letter == UInt8(ascii: "u") ? 4 : letter == UInt8(ascii: "U") ? 8 : 0
        let digits = bytes.dropFirst(position + 2).prefix(length)
        let text = String(decoding: digits, as: UTF8.self)
        guard length > 0, digits.count == length, text.allSatisfy(\.isHexDigit),
            let scalar = UInt32(text, radix: 16).flatMap(Unicode.Scalar.init)
        else { throw failure("a backslash must be written twice") }
        position += 2 + length
        return Array(String(Character(scalar)).utf8)
    }

    private static func isControl(_ byte: UInt8) -> Bool {
        byte < 0x20 && byte != 9 || byte == 0x7f
    }

    private static func isBare(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
