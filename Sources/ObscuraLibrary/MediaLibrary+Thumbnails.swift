// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraImaging
public import ObscuraMedia

extension MediaLibrary {
    /// Returns a small picture of an item as a PNG file, from the user's thumbnail cache if possible.
    ///
    /// Thumbnails of files without edits are shared with file managers: `$XDG_CACHE_HOME/thumbnails`.
    ///
    /// - Parameters:
    ///   - path: the item.
    ///   - size: the size to fit the picture in.
    /// - Throws: ``ObscuraError/Code/notFound``, ``ObscuraError/Code/unreadable``, ``ObscuraError/Code/tooLarge``.
    nonisolated(nonsending) public func thumbnail(
        of path: String, size: ThumbnailSize = .large
    ) async throws(ObscuraError) -> [UInt8] {
        let (key, stored) = try await run { [self] () throws(ObscuraError) in
            let path = try existing(path)
            guard let status = folder.status(of: path) else { throw .noSuchItem(path.text) }
            let place = try? folder.folder(path.folder)
            // The states are read before the edits, so that a later change is noticed.
            let sidecars = place.map { ItemReader.sidecars(of: path.name, in: $0) }
            let edits = place.flatMap { reader.recipe(of: path, in: $0) }.flatMap { _ in sidecars }
            let key = ThumbnailCache.Key(
                path: "\(self.path == "/" ? "" : self.path)/\(path.text)", status: status, edits: edits, size: size)
            return (key, thumbnails.thumbnail(key))
        }
        if let stored { return stored }
        let source = try await run { [self] () throws(ObscuraError) in
            try self.source(of: try existing(path), fitting: size.size)
        }
        return try await withMemory(of: source) { [thumbnails] in
            try thumbnails.store(source.render(), for: key)
        }
    }
}
