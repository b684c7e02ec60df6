// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors
// swift-format-ignore-file
//
// An album of an app's own photos, as camera apps have it.
import Photos
import UIKit

final class PhotoAlbum: NSObject {
    static let title = "My Camera"

    private let imageManager = PHImageManager.default()
    private(set) var assets: PHFetchResult<PHAsset>?
    private var album: PHAssetCollection?
    var onChange: ((_ inserted: Int, _ removed: Int) -> Void)?

    override init() {
        super.init()
        PHPhotoLibrary.requestAuthorization(for: .readWrite) { status in
            guard status == .authorized || status == .limited else { return print("no access: \(status.rawValue)") }
        }
        album = fetchAlbum()
        assets = fetchAssets()
        PHPhotoLibrary.shared().register(self)
    }

    deinit {
        PHPhotoLibrary.shared().unregisterChangeObserver(self)
    }

    private func fetchAlbum() -> PHAssetCollection? {
        let albums = PHAssetCollection.fetchAssetCollections(with: .album, subtype: .albumRegular, options: nil)
        var found: PHAssetCollection?
        albums.enumerateObjects { collection, _, stop in
            if collection.localizedTitle == PhotoAlbum.title {
                found = collection
                stop.pointee = true
            }
        }
        return found
    }

    private func fetchAssets() -> PHFetchResult<PHAsset> {
        let options = PHFetchOptions()
        options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
        if let album { return PHAsset.fetchAssets(in: album, options: options) }
        return PHAsset.fetchAssets(with: .audio, options: options)
    }

    func createIfNeeded(completion: @escaping (Bool) -> Void) {
        if album != nil { return completion(true) }
        PHPhotoLibrary.shared().performChanges({
            PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: PhotoAlbum.title)
        }) { success, error in
            if success {
                self.album = self.fetchAlbum()
                self.assets = self.fetchAssets()
            } else {
                print("no album: \(error?.localizedDescription ?? "")")
            }
            completion(success)
        }
    }

    func save(_ image: UIImage, completion: @escaping (String?) -> Void) {
        guard let album else { return completion(nil) }
        var placeholder: PHObjectPlaceholder?
        PHPhotoLibrary.shared().performChanges({
            let albumRequest = PHAssetCollectionChangeRequest(for: album)
            let assetRequest = PHAssetChangeRequest.creationRequestForAsset(from: image)
            placeholder = assetRequest.placeholderForCreatedAsset
            guard let placeholder else { return }
            albumRequest?.addAssets([placeholder] as NSArray)
        }, completionHandler: { success, error in
            completion(success ? placeholder?.localIdentifier : nil)
        })
    }

    func saveMovie(_ url: URL) async throws -> String? {
        var identifier: String?
        try await PHPhotoLibrary.shared().performChanges {
            let options = PHAssetResourceCreationOptions()
            options.shouldMoveFile = true
            let request = PHAssetCreationRequest.forAsset()
            request.addResource(with: .video, fileURL: url, options: options)
            identifier = request.placeholderForCreatedAsset?.localIdentifier
        }
        return identifier
    }

    func thumbnail(of asset: PHAsset, size: CGFloat) -> UIImage? {
        let options = PHImageRequestOptions()
        options.deliveryMode = .highQualityFormat
        options.resizeMode = .exact
        options.isNetworkAccessAllowed = true
        options.isSynchronous = true
        var thumbnail: UIImage?
        imageManager.requestImage(for: asset, targetSize: CGSize(width: size, height: size), contentMode: .aspectFill, options: options) { image, info in
            if let error = info?[PHImageErrorKey] as? Error { print(error) }
            thumbnail = image
        }
        return thumbnail
    }

    func delete(_ assets: [PHAsset], completion: @escaping (Bool) -> Void) {
        PHPhotoLibrary.shared().performChanges({
            PHAssetChangeRequest.deleteAssets(assets as NSFastEnumeration)
        }) { success, _ in completion(success) }
    }
}

extension PhotoAlbum: PHPhotoLibraryChangeObserver {
    func photoLibraryDidChange(_ changeInstance: PHChange) {
        guard let assets, let details = changeInstance.changeDetails(for: assets) else { return }
        self.assets = details.fetchResultAfterChanges
        if details.hasIncrementalChanges {
            onChange?(details.insertedIndexes?.count ?? 0, details.removedIndexes?.count ?? 0)
        }
    }
}
