// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture
internal import TOMLKit

/// The text of the settings file, read and changed.
enum SettingsText {
    /// The tables of the text.
    ///
    /// TOMLKit frees no tables: a text is parsed only when it has changed, not at each listing.
    static func parse(_ bytes: [UInt8], _ path: String) throws(CaptureError) -> TOMLTable {
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw .unusableSettings(path, "it is not a text file in UTF-8")
        }
        do {
            return try TOMLTable(string: text)
        } catch let error as TOMLParseError {
            throw .unusableSettings(
                "\(path):\(error.source.begin.line):\(error.source.begin.column)",
                DeviceName.shown(error.description))
        } catch {
            throw .unusableSettings(path, DeviceName.shown("\(error)"))
        }
    }

    /// The text with other settings for one camera; what they leave nil is taken away. Everything else stays
    /// as it is: other cameras, other keys, comments and order.
    static func replacing(
        _ bytes: [UInt8], camera id: String, with camera: DeviceSettings.Camera, path: String
    ) throws(CaptureError) -> [UInt8] {
        let wanted = try parse(bytes, path)
        try change(wanted, id, camera, path)
        let edited = edit(String(decoding: bytes, as: UTF8.self), id, camera)
        // The text was edited by its lines; a table written in another way is written anew.
        if let result = try? parse(Array(edited.utf8), path), result == wanted { return Array(edited.utf8) }
        return Array((wanted.convert() + "\n").utf8)
    }

    private static func change(
        _ root: TOMLTable, _ id: String, _ camera: DeviceSettings.Camera, _ path: String
    ) throws(CaptureError) {
        if root["devices"] == nil { root["devices"] = TOMLTable() }
        guard let devices = root["devices"]?.table else {
            throw .unusableSettings(path, "devices is not a table; write [devices.\"ID\"]")
        }
        if devices[id]?.table == nil { devices[id] = TOMLTable() }
        guard let table = devices[id]?.table else { throw .unusableSettings(path, "it cannot be changed") }
        for (key, value) in keys(camera) {
            table.remove(at: key)
            if let value { table[key] = value }
        }
    }

    private static func edit(_ text: String, _ id: String, _ camera: DeviceSettings.Camera) -> String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        while lines.last?.isEmpty == true { lines.removeLast() }
        let header = "[devices.\(quoted(id))]"
        let isHeader = { (line: String) in line.drop { $0 == " " || $0 == "\t" }.hasPrefix("[") }
        var start = lines.firstIndex { $0.hasPrefix(header) } ?? lines.endIndex
        if start == lines.endIndex {
            lines += (lines.isEmpty ? [] : [""]) + [header]
            start = lines.endIndex - 1
        }
        var end = lines[(start + 1)...].firstIndex(where: isHeader) ?? lines.endIndex
        for (key, value) in keys(camera) {
            let line = lines[(start + 1)..<end].firstIndex { line in
                line.prefix { $0 != "=" }.filter { $0 != " " && $0 != "\t" } == key && line.contains("=")
            }
            let text = value.map { "\(key) = \(quoted($0))" }
            switch (line, text) {
            case (let line?, let text?): lines[line] = text
            case (let line?, nil):
                lines.remove(at: line)
                end -= 1
            case (nil, let text?):
                lines.insert(text, at: start + 1)
                end += 1
            case (nil, nil): break
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func keys(_ camera: DeviceSettings.Camera) -> [(key: String, value: String?)] {
        [("name", camera.name), ("position", camera.position?.rawValue)]
    }

    /// A basic string of TOML.
    static func quoted(_ text: String) -> String {
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
