// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase
internal import ObscuraLibrary

/// A thumbnail on the disk, from which a picture is made.
struct StoredThumbnail: Sendable {
    let key: ThumbnailCache.Key
    /// The size that it has, in pixels.
    let size: PixelSize
    let isOfMovie: Bool
}

/// Small pictures are kept on the disk, in the user's thumbnail cache, so that a page of large photos is shown at once
/// after a restart.
extension MediaFolder {
    /// One size for all small pictures, so that there is one thumbnail of each file.
    private static let thumbnailSize = ThumbnailSize.extraLarge
    /// Photos of fewer pixels are decoded as fast as a thumbnail.
    private static let fewPixels = 1 << 20
    /// Each takes up to 1 MiB.
    private static let mostPending = 16

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
            let key = try pictureKey(of: text, box: Self.thumbnailSize.size)
            guard let thumbnail = key.thumbnail, storedBytes(thumbnail) == nil else {
                return (PictureSource, ThumbnailCache.Key)?.none
            }
            let source = try openPicture(
                try item(text), recipe: key.picture.recipe, fitting: thumbnail.key.size.size)
            return (source, thumbnail.key)
        }
        guard let (source, key) = found, source.file.status == key.status else { return }
        let picture = try await MemoryBudget.pictures.withBytes(source.cost.byteCount) {
            try await run(about: text, isPainting: true) { try source.render() }
        }
        _ = try await background.run { [thumbnails] in Result { try thumbnails?.store(picture, for: key) } }.get()
    }

    /// Returns the keys of a picture in the memory and on the disk. Blocks.
    ///
    /// - Parameter box: the size to fit it in; nil for its full size.
    func pictureKey(
        of text: String, box: PixelSize?, original: Bool = false
    ) throws(ObscuraError) -> (picture: PictureCache.Key, thumbnail: StoredThumbnail?) {
        let name = try item(text)
        guard let status = directory.status(of: name.text) else { throw .noSuchItem(text) }
        // The states are read before the edits, so that a later change is noticed.
        let edits = directory.sidecarStamps(of: name.text)
        let recipe = original ? nil : storedRecipe(of: name)
        let key = PictureCache.Key(name: name.text, status: status, recipe: recipe, box: box)
        return (key, thumbnail(of: name, for: key, edits: edits))
    }

    /// Returns the thumbnail from which a picture can be made; nil if the picture is larger, or if the file is as fast.
    private func thumbnail(of name: MediaName, for key: PictureCache.Key, edits: String) -> StoredThumbnail? {
        guard thumbnails != nil, let box = key.box else { return nil }
        guard let whole = outline(of: name, key.status).size,
            name.type.kind == .movie || whole.pixelCount > Self.fewPixels
        else { return nil }
        let size = key.recipe?.size(of: whole) ?? whole
        let wanted = size.reduced(toFit: box)
        let largest = Self.thumbnailSize.size
        guard wanted.width <= largest.width, wanted.height <= largest.height else { return nil }
        return StoredThumbnail(
            key: ThumbnailCache.Key(
                path: thumbnailPath(of: name.text), status: key.status, edits: key.recipe.map { _ in edits },
                size: Self.thumbnailSize),
            size: size.reduced(toFit: largest), isOfMovie: name.type.kind == .movie)
    }

    /// The absolute path of an item, as thumbnails have it.
    func thumbnailPath(of name: String) -> String { "\(path == "/" ? "" : path)/\(name)" }

    /// Returns a picture from a stored thumbnail; nil if there is none.
    nonisolated(nonsending) func storedPicture(
        _ thumbnail: StoredThumbnail, of key: PictureCache.Key
    ) async throws -> [UInt8]? {
        try await run(about: key.name, isPainting: true) { [self] in
            // One that cannot be decoded is created again.
            guard let bytes = storedBytes(thumbnail), let still = try? Still(bytes) else { return nil }
            return try? Self.jpeg(still.picture, fitting: key.box)
        }
    }

    /// Returns the file of a stored thumbnail; nil if there is none, or one of another size.
    private func storedBytes(_ thumbnail: StoredThumbnail) -> [UInt8]? {
        // Other programs show another frame of a movie.
        guard let bytes = thumbnails?.thumbnail(thumbnail.key, ofOthers: !thumbnail.isOfMovie),
            let size = (try? StillInfo(bytes))?.size, abs(size.width - thumbnail.size.width) <= 1,
            abs(size.height - thumbnail.size.height) <= 1
        else { return nil }
        return bytes
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

extension PixelSize {
    /// The size of a picture of this size that is reduced to fit in `box`.
    fileprivate func reduced(toFit box: PixelSize) -> PixelSize {
        let scale = min(1, Double(box.width) / Double(max(1, width)), Double(box.height) / Double(max(1, height)))
        return PixelSize(
            width: max(1, Int((Double(width) * scale).rounded())),
            height: max(1, Int((Double(height) * scale).rounded())))
    }
}
