// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The two parts of a path: its folder and its last name.
package struct PathParts: Sendable, Hashable {
    /// The folder, without a slash at the end unless it is the root; "." for a path without a slash.
    package let folder: String
    /// The last name; empty for a path that ends with a slash.
    package let name: String

    package init(_ path: String) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
            folder = "."
            name = path
            return
        }
        name = String(path[path.utf8.index(after: slash)...])
        var folder = path[..<slash]
        while folder.utf8.last == UInt8(ascii: "/") { folder = folder[..<folder.utf8.index(before: folder.endIndex)] }
        self.folder = folder.isEmpty ? "/" : String(folder)
    }
}

extension String {
    /// The names of a path between slashes, as the system sees them: by bytes. In Swift, a slash and a combining accent
    /// after it are one character.
    package var pathNames: [String] {
        utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { String(Substring($0)) }
    }
}

/// A name or a path, compared by its bytes, as the system does. Swift regards `é` in one scalar and in two as equal.
package struct PathKey: Sendable, Hashable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (first: PathKey, second: PathKey) -> Bool {
        first.text.utf8.elementsEqual(second.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}
