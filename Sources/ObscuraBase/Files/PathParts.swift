// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The two parts of a path: its folder and its last name.
package struct PathParts: Sendable, Hashable {
    /// Without a slash at its end, unless it is the root; "." for a path of one name.
    package let folder: String
    /// Empty for a path that ends with a slash.
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
