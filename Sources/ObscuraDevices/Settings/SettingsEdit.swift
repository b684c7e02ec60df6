// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture
internal import ObscuraMedia

/// Changes the settings of one camera in the text of the file.
enum SettingsEdit {
    /// The text with other settings for one camera. What is nil stays; `unspecified` and the empty name take
    /// away what was said. Every other byte stays as it is: other cameras, other keys, comments and order.
    ///
    /// - Throws: ``ObscuraError/Code/unusableSettings``: the text is no TOML, or has the camera in a form in
    ///   which no key can be added.
    static func replacing(
        _ bytes: [UInt8], camera id: String, position: CaptureDevice.Position?, name: String?, path: String
    ) throws(ObscuraError) -> [UInt8] {
        var text = bytes
        let nowhere = CaptureDevice.Position.unspecified.rawValue
        let wishes = [("position", position?.rawValue, nowhere), ("name", name, "")]
        for case (let key, let wish?, let none) in wishes {
            let value = wish == none ? nil : wish
            let document = try SettingsDocument(text: text, path: path)
            let place = ["devices", id]
            let entry = document.entries.first { $0.path == place + [key] }
            let header = document.headers.first { $0.path == place }
            switch (entry, value) {
            case (let entry?, let value?): text.replaceSubrange(entry.range, with: quoted(value).utf8)
            case (let entry?, nil) where entry.isOnOwnLines: text.removeSubrange(lines(of: entry.range, in: text))
            case (let entry?, nil): text.replaceSubrange(entry.range, with: quoted(none).utf8)
            case (nil, let value?):
                let line = "\(key) = \(quoted(value))\n"
                if let header {
                    let isEnded = text.prefix(header.end).last == UInt8(ascii: "\n")
                    text.insert(contentsOf: ((isEnded ? "" : "\n") + line).utf8, at: header.end)
                } else if document.entries.contains(where: { $0.path.starts(with: place) }) {
                    throw .unusableSettings(
                        path, "it has \"\(DeviceName.shown(id))\" in a form to which nothing can be added")
                } else {
                    append("[devices.\(quoted(id))]\n" + line, to: &text)
                }
            case (nil, nil): break
            }
        }
        // What would not be understood again is not written.
        _ = try SettingsDocument(text: text, path: path)
        return text
    }

    private static func append(_ table: String, to text: inout [UInt8]) {
        let end = text.last.map { $0 == UInt8(ascii: "\n") ? "\n" : "\n\n" } ?? ""
        text += (end + table).utf8
    }

    /// The whole lines on which the bytes stand.
    private static func lines(of range: Range<Int>, in text: [UInt8]) -> Range<Int> {
        let newline = UInt8(ascii: "\n")
        let start = text[..<range.lowerBound].lastIndex(of: newline).map { $0 + 1 } ?? 0
        let end = text[range.upperBound...].firstIndex(of: newline).map { $0 + 1 } ?? text.count
        return start..<end
    }

    /// A basic string of TOML.
    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case "\u{0}"..<" ", "\u{7f}":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
