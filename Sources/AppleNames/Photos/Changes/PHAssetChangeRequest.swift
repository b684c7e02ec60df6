// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase
internal import ObscuraLibrary
public import UIKit

/// A request to create, change or delete assets, in a block of `performChanges`.
public class PHAssetChangeRequest: PHChangeRequest, @unchecked Sendable {  // All properties are constants or locks.
    private let asset: LibraryChange.Asset
    private let favorite: Lock<Bool>

    required init(_ asset: LibraryChange.Asset, isFavorite: Bool = false) {
        self.asset = asset
        favorite = Lock(isFavorite)
        super.init()
        if case .new(let asset) = asset { ChangeRecorder.add(.add(asset)) }
    }

    /// Creates a request to change an asset.
    public convenience init(for asset: PHAsset) {
        self.init(.present(asset.localIdentifier), isFavorite: asset.isFavorite)
    }

    /// Requests a new photo: a JPEG file with the pixels and the orientation of the image. The image is encoded after
    /// the block, or as soon as the identifier of the placeholder is read.
    @discardableResult
    public class func creationRequestForAsset(from image: UIImage) -> Self {
        self.init(.new(NewAsset(AssetData(content: .image(image), kind: .photo))))
    }

    /// Requests a new photo with the contents of a JPEG or PNG file.
    ///
    /// - Returns: nil if there is no such file.
    @discardableResult
    public class func creationRequestForAssetFromImage(atFileURL fileURL: URL) -> Self? {
        creationRequest(.photo, fileURL)
    }

    /// Requests a new movie with the contents of an MP4, QuickTime, Matroska or WebM file.
    ///
    /// - Returns: nil if there is no such file.
    @discardableResult
    public class func creationRequestForAssetFromVideo(atFileURL fileURL: URL) -> Self? {
        creationRequest(.movie, fileURL)
    }

    private class func creationRequest(_ kind: LibraryItem.Kind, _ url: URL) -> Self? {
        guard url.isFileURL, FileManager.default.fileExists(atPath: url.path) else { return nil }
        return self.init(.new(NewAsset(AssetData(content: .file(url), kind: kind))))
    }

    /// Requests that assets are moved to the trash of the library, from which Obscura can restore them.
    ///
    /// - Parameter assets: assets or placeholders, in an array, a set or a fetch result.
    public class func deleteAssets(_ assets: any NSFastEnumeration) {
        let assets = LibraryChange.assets(assets)
        ChangeRecorder.add(.trash(assets))
    }

    /// The asset that the request creates; nil for a request that creates none.
    public var placeholderForCreatedAsset: PHObjectPlaceholder? {
        newAsset.map { PHObjectPlaceholder($0, in: store) }
    }

    /// Whether the asset is marked as a favorite after the change.
    public var isFavorite: Bool {
        get { favorite.withLock { $0 } }
        set {
            favorite.withLock { $0 = newValue }
            ChangeRecorder.add(.setFavorite(newValue, self.asset))
        }
    }

    /// The asset that the request creates.
    var newAsset: NewAsset? {
        guard case .new(let asset) = asset else { return nil }
        return asset
    }
}
