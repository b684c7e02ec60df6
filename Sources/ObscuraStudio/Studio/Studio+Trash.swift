// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase
internal import ObscuraLibrary

extension Studio {
    /// Number of deleted items whose place in the ribbon is remembered.
    private static let mostPlaces = 1000

    /// Moves a photo or movie to the trash, and removes it from the ribbon.
    func moveToTrash(_ name: String) async throws -> TrashedItem {
        let item = try await folder.moveToTrash(name)
        if let place = recentMedia.names.firstIndex(of: name) {
            ribbonPlaces.withLock { places in
                if places.count >= Self.mostPlaces { places.removeAll() }
                places[item.id] = place
            }
        }
        recentMedia.remove(name)
        noteLibraryChange()
        return item
    }

    /// Returns an item from the trash; one that was deleted since the start of the Studio is also returned to the ribbon.
    func restore(_ id: String) async throws -> MediaItem {
        let item = try await folder.restore(id)
        if let place = ribbonPlaces.withLock({ $0.removeValue(forKey: id) }) {
            recentMedia.insert(item.name, at: place)
        }
        noteLibraryChange()
        return item
    }

    /// Deletes an item from the trash for good.
    func deleteTrashed(_ id: String) async throws {
        try await folder.deleteTrashed(id)
        ribbonPlaces.withLock { $0[id] = nil }
    }

    /// Deletes all items from the trash for good.
    func emptyTrash() async throws {
        let ids = try await folder.emptyTrash()
        ribbonPlaces.withLock { places in
            for id in ids { places[id] = nil }
        }
    }

    /// Deletes a photo or movie for good, without the trash.
    func delete(_ name: String) async throws {
        try await folder.delete(name)
        recentMedia.remove(name)
        noteLibraryChange()
    }
}
