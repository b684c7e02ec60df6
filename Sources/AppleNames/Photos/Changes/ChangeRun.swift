// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase
internal import ObscuraLibrary

/// The changes of one block: all of them are checked, and then made in order.
struct ChangeRun {
    private let library: MediaLibrary
    private let store: PhotoStore
    private let changes: [LibraryChange]

    /// Makes changes, after those that were requested before.
    ///
    /// - Throws: the first failure. Nothing has changed if a check failed; otherwise the changes before it are made.
    nonisolated(nonsending) static func make(
        _ changes: [LibraryChange], in store: PhotoStore
    ) async throws(ObscuraError) {
        _ = await store.changing.lock(isCancellable: false)
        defer {
            for case .add(let asset) in changes { asset.release() }
            store.changing.unlock()
        }
        let run = ChangeRun(library: try await store.library(), store: store, changes: changes)
        try await run.check()
        for change in changes { try await run.make(change) }
    }

    // MARK: Checks

    nonisolated(nonsending) private func check() async throws(ObscuraError) {
        var albums: [String: String] = [:]
        for (album, _) in try await library.albums() { albums[album.id.description] = album.name }
        var added: Set<ObjectIdentifier> = []
        var deleted: Set<String> = []
        for change in changes {
            switch change {
            case .add(let asset):
                _ = try await asset.placed(in: store)
                added.insert(ObjectIdentifier(asset))
            case .setFavorite(_, let asset): try await check([asset], added, deleted)
            case .trash(let assets):
                try await check(assets, added, deleted)
                for case .present(let path) in assets { deleted.insert(path) }
            case .createAlbum(let id, let title):
                try checkTitle(title, albums.values)
                albums[id.description] = title
            case .renameAlbum(let id, let title):
                try checkAlbum(id, albums)
                try checkTitle(title, albums.filter { $0.key != id.description }.values)
                albums[id.description] = title
            case .deleteAlbum(let id):
                try checkAlbum(id, albums)
                albums[id.description] = nil
            case .change(let id, let change):
                try checkAlbum(id, albums)
                switch change {
                case .add(let assets), .insert(let assets, _), .remove(let assets):
                    try await check(assets, added, deleted)
                case .removeAt, .move: break
                }
            }
        }
    }

    nonisolated(nonsending) private func check(
        _ assets: [LibraryChange.Asset], _ added: Set<ObjectIdentifier>, _ deleted: Set<String>
    ) async throws(ObscuraError) {
        var paths: [String] = []
        for asset in assets {
            switch asset {
            case .present(let path): paths.append(path)
            case .new(let asset):
                guard added.contains(ObjectIdentifier(asset)) else {
                    throw ObscuraError(
                        .library, .notFound, subject: "placeholder",
                        reason: "its asset is not created earlier in the same block",
                        advice: "Create the asset in the block before you use its placeholder.")
                }
            }
        }
        for (path, item) in zip(paths, try await library.items(at: paths))
        where item == nil || deleted.contains(path) {
            throw Self.missing(path, "the library has no such photo or movie")
        }
    }

    private func checkAlbum(_ id: Album.ID, _ albums: [String: String]) throws(ObscuraError) {
        guard albums[id.description] != nil else {
            throw Self.missing("album \"\(id)\"", "the library has no album with this id")
        }
    }

    private func checkTitle(_ title: String, _ others: some Sequence<String>) throws(ObscuraError) {
        let title = try MediaLibrary.checkedAlbumName(title).lowercased()
        guard !others.contains(where: { $0.lowercased() == title }) else {
            throw ObscuraError(
                .library, .fileExists, subject: "album \"\(title)\"", reason: "an album has this name already",
                advice: "Choose another name.")
        }
    }

    private static func missing(_ subject: String, _ reason: String) -> ObscuraError {
        ObscuraError(.library, .notFound, subject: subject, reason: reason, advice: "Fetch the objects again.")
    }

    // MARK: Changes

    nonisolated(nonsending) private func make(_ change: LibraryChange) async throws(ObscuraError) {
        switch change {
        case .add(let asset): try await asset.placed(in: store).add(to: library)
        case .setFavorite(let isFavorite, let asset):
            try await library.setFavorite(isFavorite, for: paths([asset]))
        case .trash(let assets): try await library.trash(paths(assets))
        case .createAlbum(let id, let title): _ = try await library.createAlbum(named: title, id: id)
        case .renameAlbum(let id, let title): try await library.renameAlbum(id, to: title)
        case .deleteAlbum(let id): try await library.deleteAlbum(id)
        case .change(let id, let change): try await make(change, id)
        }
    }

    nonisolated(nonsending) private func make(
        _ change: LibraryChange.AlbumChange, _ id: Album.ID
    ) async throws(ObscuraError) {
        switch change {
        case .add(let assets): try await library.add(paths(assets), to: id)
        case .remove(let assets): try await library.remove(paths(assets), from: id)
        case .removeAt(let indexes):
            let order = try await order(of: id, indexes)
            try await library.remove(indexes.map { order[$0] }, from: id)
        case .insert(let assets, let indexes):
            let added = try await paths(assets)
            var order = try await order(of: id, []).filter { !added.contains($0) }
            guard added.count == indexes.count, indexes.allSatisfy({ $0 < order.count + added.count }) else {
                throw Self.wrongIndexes(id)
            }
            try await library.add(added, to: id)
            for (index, path) in zip(indexes, added) { order.insert(path, at: min(index, order.count)) }
            try await library.reorder(order, in: id)
        case .move(let indexes, let target):
            let order = try await order(of: id, indexes)
            var others = order.indices.filter { !indexes.contains($0) }.map { order[$0] }
            guard others.indices.contains(target) || target == others.count else { throw Self.wrongIndexes(id) }
            others.insert(contentsOf: indexes.map { order[$0] }, at: target)
            try await library.reorder(others, in: id)
        }
    }

    /// The paths in an album, in its order.
    nonisolated(nonsending) private func order(
        of id: Album.ID, _ indexes: IndexSet
    ) async throws(ObscuraError) -> [String] {
        var query = LibraryQuery()
        query.album = id
        query.order = .album
        let order = try await library.entries(matching: query).map(\.path)
        guard indexes.allSatisfy(order.indices.contains) else { throw Self.wrongIndexes(id) }
        return order
    }

    nonisolated(nonsending) private func paths(
        _ assets: [LibraryChange.Asset]
    ) async throws(ObscuraError) -> [String] {
        var paths: [String] = []
        for asset in assets {
            switch asset {
            case .present(let path): paths.append(path)
            case .new(let asset): paths.append(try await asset.placed(in: store).path)
            }
        }
        return paths
    }

    private static func wrongIndexes(_ id: Album.ID) -> ObscuraError {
        ObscuraError(
            .library, .invalidRequest, subject: "album \"\(id)\"",
            reason: "the number of indexes is wrong, or an index is not in its list of assets",
            advice: "Fetch its assets again.")
    }
}
