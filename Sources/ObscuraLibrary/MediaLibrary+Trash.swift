// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraMedia

extension MediaLibrary {
    /// Moves items to the trash of the library, together with their edits, favorites and keywords.
    ///
    /// - Returns: the deleted items, in the same order; a path that is given twice is deleted once.
    /// - Throws: ``ObscuraError/Code/notFound`` if an item does not exist; nothing is then deleted.
    @discardableResult
    nonisolated(nonsending) public func trash(_ paths: [String]) async throws(ObscuraError) -> [TrashedItem] {
        try await run { [self] () throws(ObscuraError) in
            for path in paths { _ = try existing(path) }
            // The lock is released after each, for other processes.
            var trashed: [TrashedItem] = []
            var seen: Set<PathKey> = []
            for path in paths where seen.insert(PathKey(path)).inserted {
                try change { lock throws(ObscuraError) in
                    let path = try existing(path)
                    trashed.append(try trashFolder.put(path, lock))
                    try reindex([path])
                }
            }
            return trashed
        }
    }

    /// Returns the items in the trash, most recently deleted first.
    nonisolated(nonsending) public func trashedItems() async throws(ObscuraError) -> [TrashedItem] {
        try await run { [self] () throws(ObscuraError) in trashFolder.items() }
    }

    /// Restores an item from the trash to the path that it had. If another file now has this path, the item gets a
    /// similar name.
    ///
    /// - Parameter id: ``TrashedItem/id``.
    /// - Throws: ``ObscuraError/Code/notFound``.
    @discardableResult
    nonisolated(nonsending) public func restore(_ id: String) async throws(ObscuraError) -> LibraryItem {
        try await run { [self] () throws(ObscuraError) in
            try change { lock throws(ObscuraError) in
                let path = try trashFolder.restore(id, lock)
                try reindex([path])
                return try current(path)
            }
        }
    }

    /// Deletes items from the trash; they cannot be restored.
    ///
    /// - Parameter ids: the items; nil for all.
    /// - Returns: the number of deleted items.
    @discardableResult
    nonisolated(nonsending) public func emptyTrash(_ ids: [String]? = nil) async throws(ObscuraError) -> Int {
        try await run { [self] () throws(ObscuraError) in
            let trash = trashFolder
            let deleted = try change { _ throws(ObscuraError) in
                var items: [TrashedItem] = []
                if let ids {
                    for id in ids { items.append(try trash.item(id)) }
                } else {
                    items = trash.items()
                }
                try trash.delete(items)
                return items
            }
            for item in deleted { thumbnails.remove("\(path == "/" ? "" : path)/\(item.path)") }
            return deleted.count
        }
    }

    /// The trash. A user deletes items because the disk is full, and their descriptions are small: it leaves no space
    /// free.
    private var trashFolder: Trash { Trash(LibraryFolder(root: folder.root, minimumFreeSpace: 0)) }
}
