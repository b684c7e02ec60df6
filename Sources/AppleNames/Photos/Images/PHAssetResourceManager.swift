// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase
internal import ObscuraLibrary

/// Settings for reading the file of an asset.
public class PHAssetResourceRequestOptions: NSObject, NSCopying {
    /// Whether files may be downloaded. The files of the library are never elsewhere.
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

    /// The manager.
    public class func `default`() -> PHAssetResourceManager { shared }

    /// Copies the file of an asset.
    ///
    /// - Parameters:
    ///   - resource: the file.
    ///   - fileURL: the new file, which must not exist.
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
    /// - Parameter completionHandler: called on an arbitrary queue, with a ``PHPhotosError`` after a failure.
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
