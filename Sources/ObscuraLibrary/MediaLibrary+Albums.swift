// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraMedia

extension MediaLibrary {
    /// Returns the albums, ordered by name, each with the number of its items.
    nonisolated(nonsending) public func albums() async throws(ObscuraError) -> [(album: Album, count: Int)] {
        try await run { [self] () throws(ObscuraError) in
            try readAlbums()
            return try index.albums()
        }
    }

    /// Returns the album with this name, without distinction of case; nil if there is none.
    nonisolated(nonsending) public func album(named name: String) async throws(ObscuraError) -> Album? {
        let name = try AlbumList.checked(name).lowercased()
        return try await run { [folder] () throws(ObscuraError) in
            try AlbumList.read(folder).first { $0.name.lowercased() == name }
        }
    }

    /// Creates an album.
    ///
    /// - Parameter name: 1 to 200 characters.
    /// - Throws: ``ObscuraError/Code/fileExists`` if an album has this name.
    @discardableResult
    nonisolated(nonsending) public func createAlbum(named name: String) async throws(ObscuraError) -> Album {
        try await createAlbum(named: name, id: .unused())
    }

    /// Creates an album like ``createAlbum(named:)``, with an unused identifier.
    nonisolated(nonsending) package func createAlbum(
        named name: String, id: Album.ID
    ) async throws(ObscuraError) -> Album {
        let name = try AlbumList.checked(name)
        return try await changeAlbums { albums throws(ObscuraError) in
            try Self.requireUnused(name, in: albums)
            guard albums.count < AlbumList.mostAlbums else {
                throw ObscuraError(
                    .library, .tooLarge, subject: "album \"\(name)\"",
                    reason: "the library has the maximum of \(albums.count) albums", advice: "Delete an album.")
            }
            let album = Album(id: id, name: name, created: .now)
            albums.append(album)
            return album
        }
    }

    /// Returns the name that an album gets, which is without spaces at its ends.
    ///
    /// - Throws: ``ObscuraError/Code/invalidRequest`` for a name that no album can have.
    package static func checkedAlbumName(_ name: String) throws(ObscuraError) -> String {
        try AlbumList.checked(name)
    }

    /// Renames an album.
    ///
    /// - Throws: ``ObscuraError/Code/notFound``; ``ObscuraError/Code/fileExists`` if another album has this name.
    nonisolated(nonsending) public func renameAlbum(
        _ id: Album.ID, to name: String
    ) async throws(ObscuraError) {
        let name = try AlbumList.checked(name)
        try await changeAlbums { albums throws(ObscuraError) in
            let place = try Self.place(of: id, in: albums)
            try Self.requireUnused(name, in: albums.filter { $0.id != id })
            albums[place].name = name
        }
    }

    /// Deletes an album. Its items remain in the library.
    ///
    /// - Throws: ``ObscuraError/Code/notFound``.
    nonisolated(nonsending) public func deleteAlbum(_ id: Album.ID) async throws(ObscuraError) {
        try await changeAlbums { albums throws(ObscuraError) in
            _ = albums.remove(at: try Self.place(of: id, in: albums))
        }
    }

    /// Adds items to the end of an album, in the order of `paths`. Items that are already in the album keep their
    /// position.
    ///
    /// - Throws: ``ObscuraError/Code/notFound`` if the album or an item does not exist; nothing is then added.
    nonisolated(nonsending) public func add(
        _ paths: [String], to id: Album.ID
    ) async throws(ObscuraError) {
        try await run { [self] () throws(ObscuraError) in
            try change { _ throws(ObscuraError) in
                _ = try Self.place(of: id, in: try AlbumList.read(folder))
                let last = try index.lastPosition(in: id)
                try changeNotes(of: paths.enumerated().map { ($1, $0) }) { notes, number in
                    let end = last + Double(number) + 1
                    notes.albums[id.description] = notes.albums[id.description] ?? end
                }
            }
        }
    }

    /// Moves items to the beginning of an album, in the order of `paths`. The other items follow in their present
    /// order.
    ///
    /// - Throws: ``ObscuraError/Code/notFound`` if the album does not exist, or if an item is not in the album.
    nonisolated(nonsending) public func reorder(
        _ paths: [String], in id: Album.ID
    ) async throws(ObscuraError) {
        try await run { [self] () throws(ObscuraError) in
            try change { _ throws(ObscuraError) in
                _ = try Self.place(of: id, in: try AlbumList.read(folder))
                let present = try index.paths(in: id)
                let strangers = Set(paths.map(PathKey.init)).subtracting(present.map(PathKey.init))
                if let stranger = strangers.map(\.text).min() {
                    throw ObscuraError(
                        .library, .notFound, subject: stranger, reason: "the item is not in the album",
                        advice: "Add the item to the album first.")
                }
                var seen: Set<PathKey> = []
                let order = (paths + present).filter { seen.insert(PathKey($0)).inserted }
                try changeNotes(of: order.enumerated().map { ($1, $0) }) { notes, number in
                    notes.albums[id.description] = Double(number + 1)
                }
            }
        }
    }

    /// Removes items from an album. The items remain in the library.
    nonisolated(nonsending) public func remove(
        _ paths: [String], from id: Album.ID
    ) async throws(ObscuraError) {
        try await changeNotes(of: paths) { $0.albums[id.description] = nil }
    }

    /// Changes the list of albums.
    private func changeAlbums<R: Sendable>(
        _ body: @escaping @Sendable (inout [Album]) throws(ObscuraError) -> R
    ) async throws(ObscuraError) -> R {
        try await run { [self] () throws(ObscuraError) in
            try change { lock throws(ObscuraError) in
                var albums = try AlbumList.read(folder)
                let result = try body(&albums)
                try AlbumList.write(albums, folder, lock)
                try readAlbums()
                return result
            }
        }
    }

    /// Updates the albums of the index, if the file has changed. Blocks.
    func readAlbums() throws(ObscuraError) {
        let stamp = AlbumList.stamp(folder)
        guard try index.albumStamp() != stamp else { return }
        // A damaged list leaves the albums of the index.
        guard let albums = try? AlbumList.read(folder) else { return }
        try index.setAlbums(albums, stamp: stamp)
        signal.advance()
    }

    private static func requireUnused(_ name: String, in albums: [Album]) throws(ObscuraError) {
        guard !albums.contains(where: { $0.name.lowercased() == name.lowercased() }) else {
            throw ObscuraError(
                .library, .fileExists, subject: "album \"\(name)\"", reason: "an album has this name already",
                advice: "Choose another name.")
        }
    }

    private static func place(of id: Album.ID, in albums: [Album]) throws(ObscuraError) -> Int {
        guard let place = albums.firstIndex(where: { $0.id == id }) else {
            throw ObscuraError(
                .library, .notFound, subject: "album \"\(id)\"", reason: "the library has no album with this id",
                advice: "List the albums.")
        }
        return place
    }
}
