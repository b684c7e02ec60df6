// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The percent-encoding of addresses and headers (RFC 3986, section 2.1), such as `%2F` for a slash.
package enum PercentCoding {
    /// Returns the text with all bytes encoded except ASCII letters, digits and the given characters.
    package static func encoded(_ text: String, keeping others: String = "-._~") -> String {
        text.utf8.reduce(into: "") { encoded, byte in
            let character = Character(Unicode.Scalar(byte))
            let isKept = character.isASCII && (character.isLetter || character.isNumber || others.contains(character))
            encoded += isKept ? String(character) : "%" + byte.zeroPadded(to: 2, radix: 16, uppercase: true)
        }
    }

    /// Returns the decoded text; nil for an incomplete escape, a zero byte, and bytes that are not UTF-8.
    package static func decoded(_ text: some StringProtocol) -> String? {
        bytes(text).flatMap { $0.contains(0) ? nil : String(validating: $0, as: UTF8.self) }
    }

    /// Returns the decoded bytes of any value; nil for an incomplete escape.
    package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text.utf8.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
    }
}
