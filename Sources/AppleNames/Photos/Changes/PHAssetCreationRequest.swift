// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraLibrary
internal import UniformTypeIdentifiers

/// A request to create an asset from a file or from data, in a block of `performChanges`.
public class PHAssetCreationRequest: PHAssetChangeRequest, @unchecked Sendable {
    // It has no properties of its own.

    /// Requests a new asset. Add its file or its data to the returned request.
    @discardableResult
    public class func forAsset() -> Self {
        self.init(.new(NewAsset()))
    }

    /// Returns whether an asset can have files of exactly these types, which are raw values of ``PHAssetResourceType``.
    public class func supportsAssetResourceTypes(_ types: [NSNumber]) -> Bool {
        types.count == 1 && types.allSatisfy { PHAssetResourceType(rawValue: $0.intValue) != nil }
    }

    /// Adds a file. An asset has one file only.
    ///
    /// - Parameters:
    ///   - type: the role of the file.
    ///   - fileURL: a JPEG, PNG, MP4, QuickTime, Matroska or WebM file, which is read after the block.
    ///   - options: the settings.
    public func addResource(
        with type: PHAssetResourceType, fileURL: URL, options: PHAssetResourceCreationOptions?
    ) {
        add(.file(fileURL), type, options)
    }

    /// Adds data, in the formats of ``addResource(with:fileURL:options:)``.
    public func addResource(with type: PHAssetResourceType, data: Data, options: PHAssetResourceCreationOptions?) {
        add(.bytes(data), type, options)
    }

    private func add(
        _ content: AssetData.Content, _ type: PHAssetResourceType, _ options: PHAssetResourceCreationOptions?
    ) {
        guard let newAsset else {
            return PhotoStore.logger.error("addResource: ignored, because the request does not create an asset")
        }
        newAsset.add(
            AssetData(
                content: content, kind: type == .photo ? .photo : .movie, isMoved: options?.shouldMoveFile ?? false,
                name: options?.originalFilename, type: options?.uniformTypeIdentifier.flatMap { UTType($0) }))
    }
}
