// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// An item, with the data that only the index needs.
struct ItemRecord: Sendable, Hashable {
    var item: LibraryItem
    /// The state of the item's file; see `FileStatus.stamp`.
    var stamp: String
    /// The states of the item's sidecars.
    var sidecars: String
    /// See ``ContentPrint``; ``noPrint`` if the file could not be opened.
    var print: Int64
    /// The positions in albums, by their identifiers.
    var albums: [String: Double]

    /// The print of a file that could not be opened. The print of another file is practically never the same.
    static let noPrint: Int64 = 0

    /// The text that searches look at.
    var searchedText: String {
        let stem = item.path.split(separator: ".").dropLast().joined(separator: ".")
        return ([item.title, item.description, item.camera, stem].compactMap(\.self) + item.keywords)
            .joined(separator: "\n")
    }
}
