// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation

/// What `exiftool` reads out of a file: each field by its group and name, such as `GPS:GPSLatitude`.
package struct ExifTool {
    package let fields: [String: String]

    /// - Parameter path: of a file that exiftool can read.
    package init(_ path: String) throws {
        let data = try Tool.run("exiftool", ["-json", "-n", "-G1", "-struct", "-charset", "utf8", path])
        let answer = try JSONSerialization.jsonObject(with: data) as? [[String: Any]]
        var fields: [String: String] = [:]
        for (name, value) in answer?.first ?? [:] {
            if let list = value as? [Any] {
                fields[name] = list.map { "\($0)" }.joined(separator: "|")
            } else {
                fields[name] = "\(value)"
            }
        }
        self.fields = fields
    }

    package subscript(name: String) -> String? { fields[name] }

    package func number(_ name: String) -> Double? { fields[name].flatMap(Double.init) }

    /// Whether it is installed.
    package static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: "/usr/bin/exiftool") }
}
