// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase
internal import ObscuraLibrary

/// Settings for reading the file of an asset.
public class PHAssetResourceRequestOptions: NSObject, NSCopying {
    /// Whether files may be downloaded. Without effect: all files of the library are local.
    public var isNetworkAccessAllowed = false

    /// Creates the default settings.
    override public init() {}

    /// Returns a copy.
    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = PHAssetResourceRequestOptions()
        copy.isNetworkAccessAllowed = isNetworkAccessAllowed
        return copy
    }
}

/// Reads the files of assets. Thread-safe.
public class PHAssetResourceManager: NSObject, @unchecked Sendable {  // It has no properties.
    private static let shared = PHAssetResourceManager()

    override init() {}

    /// The shared manager.
    public class func `default`() -> PHAssetResourceManager { shared }

    /// Copies the file of an asset.
    ///
    /// - Parameters:
    ///   - resource: the file.
    ///   - fileURL: the location of the copy. A file must not exist there.
    ///   - options: the settings.
    /// - Throws: ``PHPhotosError``.
    nonisolated(nonsending) public func writeData(
        for resource: PHAssetResource, toFile fileURL: URL, options: PHAssetResourceRequestOptions?
    ) async throws {
        let asset = resource.asset
        do throws(ObscuraError) {
            let library = try await asset.store.library()
            try await library.copy(asset.localIdentifier, to: fileURL.path)
        } catch {
            throw PHPhotosError(error, in: asset.store)
        }
    }

    /// Copies the file of an asset, like ``writeData(for:toFile:options:)``.
    ///
    /// - Parameter completionHandler: called on an arbitrary queue, with a ``PHPhotosError`` if the copy failed.
    @preconcurrency
    public func writeData(
        for resource: PHAssetResource, toFile fileURL: URL, options: PHAssetResourceRequestOptions?,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        Task(executorPreference: PhotoStore.executor) {
            var failure: (any Error)?
            do {
                try await self.writeData(for: resource, toFile: fileURL, options: nil)
            } catch {
                failure = error
            }
            let error = failure
            resource.asset.store.call { completionHandler(error) }
        }
    }
}
