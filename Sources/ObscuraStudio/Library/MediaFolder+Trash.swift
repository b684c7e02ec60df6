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
            return try directory.whileUnused(name.text) { () throws(ObscuraError) in
                try directory.trash.put(name.text)
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
        _ = try await run(about: "deleted item") { [self] in try directory.trash.empty([try trashed(id).id]) }
    }

    /// Deletes all listed items from the trash for good.
    nonisolated(nonsending) func emptyTrash() async throws {
        let ids = try await trashedItems().map(\.id)
        _ = try await run(about: "trash") { [self] in try directory.trash.empty(ids) }
    }

    /// Returns a deleted photo as a JPEG, or the first frame of a deleted movie; see ``picture(of:fitting:original:)``.
    nonisolated(nonsending) func picture(ofTrashed id: String, fitting size: PixelSize) async throws -> [UInt8] {
        let source = try await run(about: "deleted item") { [self] in
            let name = try MediaName(try trashed(id).path)
            let (file, recipe) = try directory.trash.open(id)
            return try PictureSource(file, as: name.type.kind, recipe: recipe, fitting: size)
        }
        return try await MemoryBudget.pictures.withBytes(source.cost.byteCount) {
            try await run(about: source.file.name, isPainting: true) { try Self.jpeg(source.render(), fitting: size) }
        }
    }

    /// Blocks.
    private func trashed(_ id: String) throws(ObscuraError) -> TrashedItem {
        guard let item = directory.trash.items.first(where: { $0.id == id }), (try? MediaName(item.path)) != nil else {
            throw ObscuraError(
                .studio, .noSuchItem, subject: "deleted item", reason: "the trash has no such item",
                advice: "Reload the trash; the item may have been restored or deleted for good.")
        }
        return item
    }
}
