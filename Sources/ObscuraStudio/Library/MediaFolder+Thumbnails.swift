// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase
internal import ObscuraLibrary

/// Small pictures are kept on the disk, in the user's thumbnail cache, so that a page of large photos is shown at once
/// after a restart.
extension MediaFolder {
    /// One size for all small pictures, so that there is one thumbnail of each file.
    private static let thumbnailSize = ThumbnailSize.extraLarge
    /// Photos of fewer pixels are decoded as fast as a thumbnail.
    private static let fewPixels = 1 << 20
    private static let mostPending = 64

    /// Stores the missing thumbnails of the newest items, which are those of the first page. Ends early if the folder
    /// cannot be read.
    nonisolated(nonsending) func storeThumbnails(count: Int = 60) async {
        guard thumbnails != nil, let newest = try? await items(limit: count).items else { return }
        for item in newest where !Task.isCancelled {
            // A file that cannot be shown is reported to those who look at it.
            try? await storeThumbnail(of: item.name)
        }
    }

    nonisolated(nonsending) private func storeThumbnail(of text: String) async throws {
        let found = try await run(about: text) { [self] in
            let name = try item(text)
            guard let status = directory.status(of: name.text) else { throw ObscuraError.noSuchItem(text) }
            let recipe = storedRecipe(of: name)
            let key = PictureCache.Key(
                name: name.text, status: status, recipe: recipe, box: Self.thumbnailSize.size)
            guard let thumbnail = thumbnailKey(of: name, for: key), thumbnails?.thumbnail(thumbnail) == nil else {
                return (PictureSource, ThumbnailCache.Key)?.none
            }
            return (try openPicture(name, recipe: recipe, fitting: thumbnail.size.size), thumbnail)
        }
        guard let (source, key) = found, source.file.status == key.status else { return }
        _ = try await MemoryBudget.pictures.withBytes(source.cost.byteCount) {
            try await background.run { [thumbnails] in Result { try thumbnails?.store(source.render(), for: key) } }
                .get()
        }
    }

    /// Returns the key of the thumbnail from which a picture can be made; nil if the picture is larger, or if the file
    /// is as fast. Blocks.
    func thumbnailKey(of name: MediaName, for key: PictureCache.Key) -> ThumbnailCache.Key? {
        guard thumbnails != nil, let box = key.box else { return nil }
        let outline = outline(of: name, key.status)
        guard let whole = outline.size, name.type.kind == .movie || whole.pixelCount > Self.fewPixels else {
            return nil
        }
        let size = key.recipe?.size(of: whole) ?? whole
        let scale = min(
            1, Double(box.width) / Double(max(1, size.width)), Double(box.height) / Double(max(1, size.height)))
        let side = Self.thumbnailSize.size.width
        guard Double(max(size.width, size.height)) * scale <= Double(side) else { return nil }
        return ThumbnailCache.Key(
            path: "\(path == "/" ? "" : path)/\(name.text)", status: key.status,
            edits: key.recipe.map { _ in directory.sidecarStamps(of: name.text) }, size: Self.thumbnailSize)
    }

    /// Returns a picture from a stored thumbnail; nil if there is none.
    nonisolated(nonsending) func storedThumbnail(
        _ thumbnail: ThumbnailCache.Key, of key: PictureCache.Key
    ) async throws -> [UInt8]? {
        try await run(about: key.name, isPainting: true) { [thumbnails] in
            // One that is damaged, or larger than it may be, is created again.
            guard let bytes = thumbnails?.thumbnail(thumbnail), let info = try? StillInfo(bytes),
                max(info.size.width, info.size.height) <= thumbnail.size.size.width, let still = try? Still(bytes)
            else { return nil }
            return try Self.jpeg(still.picture, fitting: key.box)
        }
    }

    /// Stores a thumbnail without waiting. Of many at once some are omitted.
    func store(_ picture: PixelBuffer, of file: MediaFile, for key: ThumbnailCache.Key) {
        guard let thumbnails, file.status == key.status else { return }
        let isTaken = pendingThumbnails.withLock { count in
            guard count < Self.mostPending else { return false }
            count += 1
            return true
        }
        guard isTaken else { return }
        background.async { [pendingThumbnails] in
            _ = try? thumbnails.store(picture, for: key)
            pendingThumbnails.withLock { $0 -= 1 }
        }
    }
}
