// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase
internal import ObscuraLibrary

/// A request to create, change or delete albums, in a block of `performChanges`.
///
/// Indexes refer to the album at the time of the change. An index outside the album is an error. Changes that were
/// requested earlier in the block are kept.
public class PHAssetCollectionChangeRequest: PHChangeRequest, @unchecked Sendable {
    // All properties are constants or locks.
    private let album: Album.ID
    private let isNew: Bool
    private let name: Lock<String>

    private init(_ album: Album.ID, title: String, isNew: Bool) {
        (self.album, self.isNew, name) = (album, isNew, Lock(title))
        super.init()
        if isNew { ChangeRecorder.add(.createAlbum(album, self.title)) }
    }

    /// Creates a request to change an album.
    ///
    /// - Returns: nil if the collection is not an album of the user.
    public convenience init?(for assetCollection: PHAssetCollection) {
        guard assetCollection.assetCollectionType == .album else { return nil }
        self.init(
            Album.ID(assetCollection.localIdentifier), title: assetCollection.localizedTitle ?? "", isNew: false)
    }

    /// Creates a request to change an album.
    ///
    /// - Parameter assets: ignored.
    /// - Returns: nil if the collection is not an album of the user.
    public convenience init?(for assetCollection: PHAssetCollection, assets: PHFetchResult<PHAsset>) {
        self.init(for: assetCollection)
    }

    /// Requests a new album. The title must have 1 to 200 characters, and no other album may have it, ignoring case.
    @discardableResult
    public class func creationRequestForAssetCollection(withTitle title: String) -> PHAssetCollectionChangeRequest {
        PHAssetCollectionChangeRequest(.unused(), title: title, isNew: true)
    }

    /// Requests that albums are deleted. Their assets remain in the library.
    ///
    /// - Parameter assetCollections: albums, in an array, a set or a fetch result.
    public class func deleteAssetCollections(_ assetCollections: any NSFastEnumeration) {
        for album in LibraryChange.albums(assetCollections) { ChangeRecorder.add(.deleteAlbum(Album.ID(album))) }
    }

    /// The album that the request creates.
    public var placeholderForCreatedAssetCollection: PHObjectPlaceholder {
        PHObjectPlaceholder(album: album.description, in: store)
    }

    /// The title after the change.
    public var title: String {
        get { name.withLock { $0 } }
        set {
            name.withLock { $0 = newValue }
            if !isNew { ChangeRecorder.add(.renameAlbum(self.album, newValue)) }
        }
    }

    /// Adds assets to the end of the album. Assets that are already in the album keep their position.
    ///
    /// - Parameter assets: assets or placeholders, in an array, a set or a fetch result.
    public func addAssets(_ assets: any NSFastEnumeration) { change(.add(LibraryChange.assets(assets))) }

    /// Inserts assets. Afterward, each asset has its index in `indexes`.
    ///
    /// If an index is outside the album, the change fails, and the album is unchanged.
    ///
    /// - Parameter assets: assets or placeholders, as many as indexes.
    public func insertAssets(_ assets: any NSFastEnumeration, at indexes: IndexSet) {
        change(.insert(LibraryChange.assets(assets), indexes))
    }

    /// Removes assets from the album. They remain in the library.
    public func removeAssets(_ assets: any NSFastEnumeration) { change(.remove(LibraryChange.assets(assets))) }

    /// Removes the assets at some indexes from the album. They remain in the library.
    public func removeAssets(at indexes: IndexSet) { change(.removeAt(indexes)) }

    /// Removes the assets at `fromIndexes`, then inserts them at index `toIndex` of the remaining assets.
    public func moveAssets(at fromIndexes: IndexSet, to toIndex: Int) { change(.move(fromIndexes, toIndex)) }

    private func change(_ change: LibraryChange.AlbumChange) {
        ChangeRecorder.add(.change(self.album, change))
    }
}
