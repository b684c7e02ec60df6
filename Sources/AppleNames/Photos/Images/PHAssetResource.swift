// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraLibrary
internal import UniformTypeIdentifiers

/// The file of an asset.
public class PHAssetResource: NSObject, @unchecked Sendable {  // All properties are constants.
    /// The role of the file.
    public let type: PHAssetResourceType
    /// The identifier of the asset.
    public let assetLocalIdentifier: String
    /// The name of the file in the library.
    public let originalFilename: String
    /// The type of the file, by its extension.
    public let uniformTypeIdentifier: String
    let asset: PHAsset

    private init(_ asset: PHAsset, _ type: PHAssetResourceType, _ contentType: UTType) {
        (self.asset, self.type, uniformTypeIdentifier) = (asset, type, contentType.identifier)
        assetLocalIdentifier = asset.localIdentifier
        originalFilename = (asset.localIdentifier as NSString).lastPathComponent
    }

    /// Returns the file of an asset, without edits, in an array. The array is empty if the asset had been deleted when
    /// it was fetched.
    public class func assetResources(for asset: PHAsset) -> [PHAssetResource] {
        let ending = (asset.localIdentifier as NSString).pathExtension
        guard let kind = asset.item?.kind, let type = UTType(filenameExtension: ending) else { return [] }
        return [PHAssetResource(asset, kind == .photo ? .photo : .video, type)]
    }
}
