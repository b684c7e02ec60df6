// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraLibrary

extension PHAssetCollection {
    /// Fetches the albums of the user, or the smart albums, such as all favorites. Blocks.
    public class func fetchAssetCollections(
        with type: PHAssetCollectionType, subtype: PHAssetCollectionSubtype, options: PHFetchOptions?
    ) -> PHFetchResult<PHAssetCollection> {
        fetch(options) { collection in
            collection.assetCollectionType == type
                && (subtype == .any || collection.assetCollectionSubtype == subtype)
        }
    }

    /// Fetches collections by their identifiers. Unknown identifiers are skipped. Blocks.
    public class func fetchAssetCollections(
        withLocalIdentifiers identifiers: [String], options: PHFetchOptions?
    ) -> PHFetchResult<PHAssetCollection> {
        fetch(options) { identifiers.contains($0.localIdentifier) }
    }

    /// Fetches the collections of a type that contain an asset. Blocks.
    public class func fetchAssetCollectionsContaining(
        _ asset: PHAsset, with type: PHAssetCollectionType, options: PHFetchOptions?
    ) -> PHFetchResult<PHAssetCollection> {
        fetch(options, in: asset.store, containing: asset.localIdentifier) { $0.assetCollectionType == type }
    }

    private class func fetch(
        _ options: PHFetchOptions?, in store: PhotoStore = .current, containing path: String? = nil,
        where matches: @escaping @Sendable (PHAssetCollection) -> Bool
    ) -> PHFetchResult<PHAssetCollection> {
        let (isReversed, limit) = (options?.isDescendingByTitle ?? false, options?.limit)
        return PHFetchResult(
            Fetch(
                entries: { () throws(ObscuraError) in
                    try store.blocking { library throws(ObscuraError) in
                        var found: [LibraryEntry] = []
                        for collection in try await all(library, in: store) where matches(collection) {
                            if let path,
                                try await library.entries(matching: collection.query, among: [path]).isEmpty
                            {
                                continue
                            }
                            found.append(
                                LibraryEntry(path: collection.localIdentifier, version: collection.version))
                        }
                        if isReversed { found.reverse() }
                        return Array(found.prefix(limit ?? .max))
                    }
                },
                objects: { collections($0.map(\.path), in: store) },
                hasDetails: options?.wantsIncrementalChangeDetails ?? true))
    }

    /// Returns collections by their identifiers. One that was deleted is empty, and its title is its identifier.
    static func collections(_ identifiers: [String], in store: PhotoStore) -> [PHAssetCollection] {
        var present: [String: PHAssetCollection] = [:]
        do throws(ObscuraError) {
            present = try all(in: store)
        } catch {
            PhotoStore.logger.error("\(error)")
        }
        return identifiers.map { present[$0] ?? PHAssetCollection(deleted: $0, in: store) }
    }

    /// Returns a collection as it is now; nil if it was deleted.
    static func present(_ identifier: String, in store: PhotoStore) throws(ObscuraError) -> PHAssetCollection? {
        try all(in: store)[identifier]
    }

    private static func all(in store: PhotoStore) throws(ObscuraError) -> [String: PHAssetCollection] {
        let found = try store.blocking { library throws(ObscuraError) -> [PHAssetCollection] in
            try await all(library, in: store)
        }
        return Dictionary(found.map { ($0.localIdentifier, $0) }) { first, _ in first }
    }

    /// The albums by their names, and then the lists of all assets with a property.
    nonisolated(nonsending) private static func all(
        _ library: MediaLibrary, in store: PhotoStore
    ) async throws(ObscuraError) -> [PHAssetCollection] {
        var found = try await library.albums().map { PHAssetCollection(album: $0.album, count: $0.count, in: store) }
        for list in AutomaticAlbum.allCases {
            found.append(PHAssetCollection(list, count: try await library.count(matching: list.query), in: store))
        }
        return found
    }

    /// A number that changes with the properties.
    var version: Int { [localizedTitle, "\(estimatedAssetCount)"].hashValue }
}

extension PHCollection {
    /// Fetches the albums of the user. There are no folders of albums. Blocks.
    public class func fetchTopLevelUserCollections(with options: PHFetchOptions?) -> PHFetchResult<PHCollection> {
        let fetch = PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: options).fetch
        return PHFetchResult(
            Fetch(entries: fetch.entries, objects: { fetch.objects($0) }, hasDetails: fetch.hasDetails))
    }
}

extension PHFetchOptions {
    /// Whether the order of albums is the reverse of the usual one.
    fileprivate var isDescendingByTitle: Bool {
        guard let descriptor = sortDescriptors?.first else { return false }
        guard descriptor.keyPath == \PHCollection.localizedTitle else {
            PhotoStore.logger.error("PHFetchOptions: albums are sorted by localizedTitle only")
            return false
        }
        return !descriptor.ascending
    }
}
