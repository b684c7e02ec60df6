// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation

/// Shared libraries that tests make with `gcc`.
package enum SharedLibrary {
    /// Makes `lib<name>.so` of C code in the folder.
    package static func make(_ name: String, of text: String, in folder: TemporaryFolder) throws {
        let source = try folder.write("\(name).c", text)
        _ = try Tool.run("gcc", ["-shared", "-fPIC", "-o", folder("lib\(name).so"), source])
    }

    /// Makes an empty `lib<name>.so` that is linked with `lib<other>.so`, which does not exist.
    package static func make(_ name: String, lacking other: String, in folder: TemporaryFolder) throws {
        try make(other, of: "", in: folder)
        let source = try folder.write("\(name).c", "")
        let options = ["-Wl,--no-as-needed", "-L\(folder.path)", "-l\(other)"]
        _ = try Tool.run("gcc", ["-shared", "-o", folder("lib\(name).so"), source] + options)
        try FileManager.default.removeItem(atPath: folder("lib\(other).so"))
    }
}
