// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase
internal import ObscuraLibrary

/// The trash, which `MediaLibrary` and `obscura library` share. Items that were deleted in subfolders are not listed.
extension MediaFolder {
    /// Moves a photo or movie to the trash, with its edits, favorites and keywords.
    nonisolated(nonsending) func moveToTrash(_ text: String) async throws -> TrashedItem {
        try await run(about: text) { [self] in
            let name = try item(text)
            guard directory.status(of: name.text) != nil else { throw ObscuraError.noSuchItem(text) }
            return try directory.trash.put(name.text) { move throws(ObscuraError) in
                try directory.whileUnused(name.text, move)
            }
        }
    }

    /// Returns the deleted items, most recently deleted first.
    nonisolated(nonsending) func trashedItems() async throws -> [TrashedItem] {
        try await run(about: "trash") { [self] in directory.trash.items.filter { (try? MediaName($0.path)) != nil } }
    }

    /// Returns an item from the trash to the folder.
    nonisolated(nonsending) func restore(_ id: String) async throws -> MediaItem {
        try await run(about: "deleted item") { [self] in
            try describe(try MediaName(try directory.trash.restore(try trashed(id).id)))
        }
    }

    /// Deletes an item from the trash for good.
    nonisolated(nonsending) func deleteTrashed(_ id: String) async throws {
        try await run(about: "deleted item") { [self] in
            let item = try trashed(id)
            if try delete(where: { $0.id == item.id }).isEmpty { throw ObscuraError.noSuchTrashedItem }
        }
    }

    /// Deletes all listed items from the trash for good.
    ///
    /// - Returns: their identifiers.
    nonisolated(nonsending) func emptyTrash() async throws -> [String] {
        try await run(about: "trash") { [self] in try delete(where: { _ in true }).map(\.id) }
    }

    /// Blocks.
    private func delete(where matches: (TrashedItem) -> Bool) throws(ObscuraError) -> [TrashedItem] {
        let deleted = try directory.trash.delete { (try? MediaName($0.path)) != nil && matches($0) }
        for item in deleted { thumbnails?.remove(thumbnailPath(of: item.path)) }
        return deleted
    }

    /// Returns a deleted photo as a JPEG, or the first frame of a deleted movie; see ``picture(of:fitting:original:)``.
    nonisolated(nonsending) func picture(ofTrashed id: String, fitting size: PixelSize) async throws -> [UInt8] {
        let (source, key) = try await run(about: "deleted item") { [self] in
            let name = try MediaName(try trashed(id).path)
            let (file, recipe) = try directory.trash.open(id)
            let key = PictureCache.Key(name: "\(id)/\(name.text)", status: file.status, recipe: recipe, box: size)
            return (try PictureSource(file, as: name.type.kind, recipe: recipe, fitting: size), key)
        }
        return try await pictures.picture(key) {
            try await MemoryBudget.pictures.withBytes(source.cost.byteCount) {
                try await run(about: source.file.name, isPainting: true) {
                    try Self.jpeg(source.render(), fitting: size)
                }
            }
        }
    }

    /// Blocks.
    private func trashed(_ id: String) throws(ObscuraError) -> TrashedItem {
        guard let item = try? directory.trash.item(id), (try? MediaName(item.path)) != nil else {
            throw .noSuchTrashedItem
        }
        return item
    }
}

extension ObscuraError {
    fileprivate static var noSuchTrashedItem: ObscuraError {
        ObscuraError(
            .studio, .noSuchItem, subject: "deleted item", reason: "the trash has no such item",
            advice: "Reload the trash; the item may have been restored or deleted for good.")
    }
}
