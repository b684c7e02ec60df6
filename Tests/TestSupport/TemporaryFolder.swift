// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import Foundation

/// A folder of one test, which is deleted with the object.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "obscura-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    package var url: URL { URL(fileURLWithPath: path, isDirectory: true) }

    /// The path of a file in the folder.
    package func callAsFunction(_ name: String) -> String { path + "/" + name }

    /// Writes a file into the folder and returns its path.
    package func write(_ name: String, _ text: String) throws -> String {
        try text.write(toFile: self(name), atomically: false, encoding: .utf8)
        return self(name)
    }

    /// The names in the folder or one of its subfolders, sorted, with hidden ones.
    package func names(in folder: String = "") -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: self(folder))) ?? []).sorted()
    }

    package func bytes(of name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: self(name))))
    }

    package func text(of name: String) throws -> String {
        String(decoding: try bytes(of: name), as: UTF8.self)
    }
}
