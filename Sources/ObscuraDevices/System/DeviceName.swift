// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The parts of device names in udev's form, so that names are the same with udev and without.
///
/// The rules are those of systemd's `udev_replace_whitespace` and `udev_replace_chars`, with which `usb_id` makes
/// ID_SERIAL: white space at the ends is removed, other white space becomes one `_`, and so does each character except
/// letters, digits, `#+-.:=@_`, UTF-8 beyond ASCII, and `\x`.
enum DeviceName {
    /// Returns one part; like udev, uses at most the first 63 bytes.
    static func part(_ text: some Sequence<UInt8>) -> String {
        var bytes: [UInt8] = []
        var isPending = false
        for byte in text.prefix(63) {
            if isSpace(byte) {
                isPending = !bytes.isEmpty
                continue
            }
            if isPending { bytes.append(UInt8(ascii: "_")) }
            isPending = false
            bytes.append(byte)
        }
        return clean(bytes)
    }

    /// Returns the text for display and logs: one line without control characters, at most 200 characters.
    static func shown(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator: line.append(" ")
            default: line.append(scalar)
            }
        }
        return String(String(line).split(separator: " ").joined(separator: " ").prefix(200))
    }

    /// Returns the names with a number appended to all but the first of equal ones. The order is that of the unique
    /// ids, so that it is stable across restarts.
    static func distinct(_ names: [String], by uniqueIDs: [String]) -> [String] {
        var result = names
        var taken: Set<String> = []
        for index in zip(names.indices, uniqueIDs).sorted(by: { $0.1 < $1.1 }).map(\.0) {
            var number = 1
            while taken.contains(result[index]) {
                number += 1
                result[index] = "\(names[index]) (\(number))"
            }
            taken.insert(result[index])
        }
        return result
    }

    private static func clean(_ bytes: [UInt8]) -> String {
        var result = ""
        var rest = bytes[...]
        while let first = rest.first {
            if isPlain(first) {
                result.unicodeScalars.append(Unicode.Scalar(first))
                rest = rest.dropFirst()
            } else if first == UInt8(ascii: "\\"), rest.dropFirst().first == UInt8(ascii: "x") {
                result += "\\x"
                rest = rest.dropFirst(2)
            } else if let (text, length) = wideCharacter(rest) {
                result += text
                rest = rest.dropFirst(length)
            } else {
                result += "_"
                rest = rest.dropFirst()
            }
        }
        return result
    }

    /// Returns the first character, if it has two to four bytes of UTF-8.
    private static func wideCharacter(_ bytes: ArraySlice<UInt8>) -> (text: String, length: Int)? {
        for length in 2...4 where bytes.count >= length {
            let part = bytes.prefix(length)
            if let text = String(validating: part, as: UTF8.self), text.unicodeScalars.count == 1 {
                return (text, length)
            }
        }
        return nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 32 || (9...13).contains(byte)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: "#+-.:=@_".utf8.contains(byte)
        }
    }
}
