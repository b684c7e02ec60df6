// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The two parts of a path: its folder and its last name.
package struct PathParts: Sendable, Hashable {
    /// The folder, without a slash at the end unless it is the root; "." for a path without a slash.
    package let folder: String
    /// The last name; empty for a path that ends with a slash.
    package let name: String

    package init(_ path: String) {
        guard let slash = path.lastIndex(of: "/") else {
            folder = "."
            name = path
            return
        }
        name = String(path[path.index(after: slash)...])
        var folder = path[..<slash]
        while folder.hasSuffix("/") { folder.removeLast() }
        self.folder = folder.isEmpty ? "/" : String(folder)
    }
}
