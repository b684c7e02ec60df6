// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// An item in a list of all items of a query, which is small enough for lists of a million.
package struct LibraryEntry: Sendable, Hashable {
    /// The path of the item.
    package let path: String
    /// A number that changes with the file, the edits, the favorites and the keywords of the item. Only for comparisons
    /// in one process.
    package let version: Int

    package init(path: String, version: Int) {
        (self.path, self.version) = (path, version)
    }
}
