// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraLibrary

/// A list of all assets with a property. The raw value is its identifier.
enum AutomaticAlbum: String, CaseIterable, Sendable {
    case userLibrary = "smartAlbumUserLibrary"
    case favorites = "smartAlbumFavorites"
    case videos = "smartAlbumVideos"

    /// Apple's English names.
    var title: String {
        switch self {
        case .userLibrary: "Recents"
        case .favorites: "Favorites"
        case .videos: "Videos"
        }
    }

    var subtype: PHAssetCollectionSubtype {
        switch self {
        case .userLibrary: .smartAlbumUserLibrary
        case .favorites: .smartAlbumFavorites
        case .videos: .smartAlbumVideos
        }
    }

    var query: LibraryQuery {
        var query = LibraryQuery()
        query.order = .oldestFirst
        switch self {
        case .userLibrary: break
        case .favorites: query.isFavorite = true
        case .videos: query.kind = .movie
        }
        return query
    }
}
