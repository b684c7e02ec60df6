// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraLibrary

/// An album of the user, or a smart album, such as all favorites.
public class PHAssetCollection: PHCollection, @unchecked Sendable {  // All properties are constants.
    /// Whether this is an album of the user or a smart album.
    public let assetCollectionType: PHAssetCollectionType
    /// The kind of album, such as all favorites.
    public let assetCollectionSubtype: PHAssetCollectionSubtype
    /// The number of assets when the collection was fetched.
    public let estimatedAssetCount: Int

    init(album: Album, count: Int, in store: PhotoStore) {
        (assetCollectionType, assetCollectionSubtype, estimatedAssetCount) = (.album, .albumRegular, count)
        super.init(album.id.description, title: album.name, in: store)
    }

    init(_ list: AutomaticAlbum, count: Int, in store: PhotoStore) {
        (assetCollectionType, assetCollectionSubtype, estimatedAssetCount) = (.smartAlbum, list.subtype, count)
        super.init(list.rawValue, title: list.title, in: store)
    }

    /// An album that does not exist any more.
    init(deleted identifier: String, in store: PhotoStore) {
        (assetCollectionType, assetCollectionSubtype, estimatedAssetCount) = (.album, .albumRegular, 0)
        super.init(identifier, title: identifier, in: store)
    }

    /// The condition for its assets, in the order of the collection.
    var query: LibraryQuery {
        if let list = AutomaticAlbum(rawValue: localIdentifier) { return list.query }
        var query = LibraryQuery()
        query.album = Album.ID(localIdentifier)
        query.order = .album
        return query
    }
}
