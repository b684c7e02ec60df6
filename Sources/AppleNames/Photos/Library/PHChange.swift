// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraLibrary

/// A change of the library. Its functions compare an earlier fetch with the library at the time of the call.
public class PHChange: NSObject, @unchecked Sendable {  // It has no properties.
    override init() {}

    /// Returns the differences between a fetch result and the library; nil if there are none, or if the library cannot be
    /// read. Blocks.
    public func changeDetails<T: PHObject>(for fetchResult: PHFetchResult<T>) -> PHFetchResultChangeDetails<T>? {
        do throws(ObscuraError) {
            let entries = try fetchResult.fetch.entries()
            guard entries != fetchResult.entries else { return nil }
            return PHFetchResultChangeDetails(from: fetchResult, to: PHFetchResult(fetchResult.fetch, entries))
        } catch {
            PhotoStore.logger.error("\(error)")
            return nil
        }
    }

    /// Returns the differences between an asset or an album and the library; nil if there are none, or if the library
    /// cannot be read. Blocks.
    public func changeDetails<T: PHObject>(for object: T) -> PHObjectChangeDetails<T>? {
        do throws(ObscuraError) {
            let present = try object.present()
            guard present == nil || present?.isSame(as: object) == false else { return nil }
            return PHObjectChangeDetails(from: object, to: present as? T)
        } catch {
            PhotoStore.logger.error("\(error)")
            return nil
        }
    }
}

extension PHObject {
    /// Returns the object as it is in the library now; nil if it was deleted. Blocks.
    fileprivate func present() throws(ObscuraError) -> PHObject? {
        switch self {
        case let asset as PHAsset:
            let path = asset.localIdentifier
            let items = try store.blocking { library throws(ObscuraError) in try await library.items(at: [path]) }
            guard let item = items.first ?? nil else { return nil }
            return PHAsset(path: path, item: item, in: store)
        case let collection as PHAssetCollection:
            return try PHAssetCollection.present(collection.localIdentifier, in: store)
        default: return self
        }
    }

    /// Whether all properties are equal.
    fileprivate func isSame(as other: PHObject) -> Bool {
        switch (self, other) {
        case (let one as PHAsset, let other as PHAsset): one.item == other.item
        case (let one as PHAssetCollection, let other as PHAssetCollection): one.version == other.version
        default: true
        }
    }
}
