// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraBase
package import ObscuraImaging
package import ObscuraMedia

/// The trash of a folder without its index, which notices the changes at its next refresh. All methods block.
package struct LibraryTrash: Sendable {
    private let folder: LibraryFolder

    package init(in root: OpenFolder) {
        // The descriptions of deleted items are small, and a user deletes items because the disk is full.
        folder = LibraryFolder(root: root, minimumFreeSpace: 0)
    }

    /// The items, most recently deleted first.
    package var items: [TrashedItem] { Trash(folder).items() }

    /// Returns an item.
    ///
    /// - Throws: ``ObscuraError/Code/notFound``.
    package func item(_ id: String) throws(ObscuraError) -> TrashedItem { try Trash(folder).item(id) }

    /// Moves a file, with everything that belongs to it, into the trash.
    ///
    /// - Parameter permission: runs the move, or throws, while no other process changes the library.
    /// - Throws: ``ObscuraError/Code/notFound``, ``ObscuraError/Code/diskFull``, and the errors of `permission`.
    package func put(
        _ path: String,
        with permission: (() throws(ObscuraError) -> TrashedItem) throws(ObscuraError) -> TrashedItem
    ) throws(ObscuraError) -> TrashedItem {
        try change { lock throws(ObscuraError) in
            let path = try LibraryPath(path)
            guard folder.status(of: path) != nil else { throw .noSuchItem(path.text) }
            return try permission { () throws(ObscuraError) in try Trash(folder).put(path, lock) }
        }
    }

    /// Returns an item to its path, or to a similar one if another file has it by now.
    ///
    /// - Returns: the path.
    /// - Throws: ``ObscuraError/Code/notFound``.
    package func restore(_ id: String) throws(ObscuraError) -> String {
        try change { lock throws(ObscuraError) in try Trash(folder).restore(id, lock).text }
    }

    /// Deletes those items for good that are in the trash now and match.
    ///
    /// - Returns: the deleted items.
    package func delete(where matches: (TrashedItem) -> Bool) throws(ObscuraError) -> [TrashedItem] {
        try change { _ throws(ObscuraError) in
            let trash = Trash(folder)
            let items = trash.items().filter(matches)
            try trash.delete(items)
            return items
        }
    }

    /// Opens the file of an item, and reads its edits.
    ///
    /// - Throws: ``ObscuraError/Code/notFound``.
    package func open(_ id: String) throws(ObscuraError) -> (file: MediaFile, recipe: StillRecipe?) {
        try Trash(folder).open(id)
    }

    private func change<R>(_ body: (LibraryLock) throws(ObscuraError) -> R) throws(ObscuraError) -> R {
        let lock = try LibraryLock(folder)
        defer { withExtendedLifetime(lock) {} }
        _ = try MoveJournal(folder, lock).complete()
        return try body(lock)
    }
}
