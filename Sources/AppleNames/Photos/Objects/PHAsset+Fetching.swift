// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraLibrary

extension PHAsset {
    /// Fetches all assets. Blocks.
    public class func fetchAssets(with options: PHFetchOptions?) -> PHFetchResult<PHAsset> {
        fetch(AutomaticAlbum.userLibrary.query, options)
    }

    /// Fetches all assets of a kind. Blocks.
    public class func fetchAssets(
        with mediaType: PHAssetMediaType, options: PHFetchOptions?
    ) -> PHFetchResult<PHAsset> {
        var query = AutomaticAlbum.userLibrary.query
        query.kind = mediaType.kind
        return fetch(query, among: query.kind == nil ? [] : nil, options)
    }

    /// Fetches the assets of a collection. Blocks.
    public class func fetchAssets(
        in assetCollection: PHAssetCollection, options: PHFetchOptions?
    ) -> PHFetchResult<PHAsset> {
        fetch(assetCollection.query, options, in: assetCollection.store)
    }

    /// Fetches assets by their identifiers. Unknown identifiers are skipped. Blocks.
    public class func fetchAssets(
        withLocalIdentifiers identifiers: [String], options: PHFetchOptions?
    ) -> PHFetchResult<PHAsset> {
        fetch(AutomaticAlbum.userLibrary.query, among: identifiers, options)
    }

    private class func fetch(
        _ query: LibraryQuery, among paths: [String]? = nil, _ options: PHFetchOptions?,
        in store: PhotoStore = .current
    ) -> PHFetchResult<PHAsset> {
        let order = options?.assetOrder ?? (query.order, isReversed: false)
        let (isReversed, limit) = (order.isReversed, options?.limit)
        return PHFetchResult(
            Fetch(
                entries: { () throws(ObscuraError) in
                    try store.blocking { library throws(ObscuraError) in
                        var query = query
                        query.order = order.order
                        let entries = try await library.entries(
                            matching: query, among: paths, limit: isReversed ? nil : limit)
                        return isReversed ? Array(entries.reversed().prefix(limit ?? .max)) : entries
                    }
                },
                objects: { assets($0.map(\.path), in: store) },
                hasDetails: options?.wantsIncrementalChangeDetails ?? true))
    }

    /// Returns assets by their paths.
    static func assets(_ paths: [String], in store: PhotoStore) -> [PHAsset] {
        var items: [LibraryItem?] = []
        do throws(ObscuraError) {
            items = try store.blocking { library throws(ObscuraError) in try await library.items(at: paths) }
        } catch {
            PhotoStore.logger.error("\(error)")
        }
        return paths.enumerated().map { number, path in
            PHAsset(path: path, item: number < items.count ? items[number] : nil, in: store)
        }
    }
}

extension PHFetchOptions {
    /// The maximum number of objects; nil for no limit.
    var limit: Int? { fetchLimit > 0 ? fetchLimit : nil }

    /// The order of assets; nil for the default one.
    fileprivate var assetOrder: (order: LibraryQuery.Order, isReversed: Bool)? {
        guard let descriptor = sortDescriptors?.first else { return nil }
        switch descriptor.keyPath {
        case \PHAsset.creationDate: return (descriptor.ascending ? .oldestFirst : .newestFirst, false)
        case \PHAsset.duration: return (.longestFirst, descriptor.ascending)
        default:
            PhotoStore.logger.error("PHFetchOptions: assets are sorted by creationDate and duration only")
            return nil
        }
    }
}
