// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraLibrary

/// A change of the library.
enum LibraryChange: Sendable {
    /// An asset of the library, or one that the same change creates.
    enum Asset: Sendable {
        case present(String)
        case new(NewAsset)
    }

    /// A change of the assets of an album.
    enum AlbumChange: Sendable {
        case add([Asset])
        case insert([Asset], IndexSet)
        case remove([Asset])
        case removeAt(IndexSet)
        case move(IndexSet, Int)
    }

    case add(NewAsset)
    case setFavorite(Bool, Asset)
    case trash([Asset])
    case createAlbum(Album.ID, String)
    case renameAlbum(Album.ID, String)
    case deleteAlbum(Album.ID)
    case change(Album.ID, AlbumChange)
}
