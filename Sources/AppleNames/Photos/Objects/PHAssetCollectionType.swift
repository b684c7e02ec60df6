// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The kind of a collection.
public enum PHAssetCollectionType: Int, Sendable {
    /// An album of the user.
    case album = 1
    /// A smart album: all assets with a common property, such as all favorites.
    case smartAlbum = 2
}

/// The kind of a collection, in detail.
public enum PHAssetCollectionSubtype: Int, Sendable {
    /// An album of the user.
    case albumRegular = 2
    /// All movies.
    case smartAlbumVideos = 202
    /// All favorites.
    case smartAlbumFavorites = 203
    /// All assets.
    case smartAlbumUserLibrary = 209
    /// All kinds.
    case any = 9_223_372_036_854_775_807
}
