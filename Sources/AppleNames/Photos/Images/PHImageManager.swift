// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import AppleGraphics
internal import Obscura
internal import ObscuraBase
internal import ObscuraLibrary
public import UIKit

/// The target size for an image in full size.
public let PHImageManagerMaximumSize = CGSize(width: -1, height: -1)

/// Reads the images of assets. Thread-safe.
///
/// Each handler is called once: on the main queue if the request was made there, else on a queue of the manager. A
/// synchronous request calls its handler on the calling thread, before it returns.
///
/// The information about a result has the keys `PHImageResultRequestIDKey`, `PHImageResultIsDegradedKey` and
/// `PHImageResultIsInCloudKey`. A failed request adds `PHImageErrorKey`, and a cancelled request `PHImageCancelledKey`.
public class PHImageManager: NSObject, @unchecked Sendable {  // All properties are constants or locks.
    private static let shared = PHImageManager()

    private let requests = ImageRequests()

    /// Creates a manager. Its requests are independent of the requests of other managers.
    override public init() {}

    /// The shared manager.
    public class func `default`() -> PHImageManager { shared }

    /// Requests the image of a photo, upright and with its edits, or the first frame of a movie.
    ///
    /// - Parameters:
    ///   - asset: the asset.
    ///   - targetSize: the size in pixels, or ``PHImageManagerMaximumSize``.
    ///   - contentMode: the scaling to a target size with another aspect ratio.
    ///   - options: the settings.
    ///   - resultHandler: receives the image; nil after a failure.
    /// - Returns: a number for ``cancelImageRequest(_:)``.
    @discardableResult @preconcurrency
    public func requestImage(
        for asset: PHAsset, targetSize: CGSize, contentMode: PHImageContentMode, options: PHImageRequestOptions?,
        resultHandler: @escaping @Sendable (UIImage?, [AnyHashable: Any]?) -> Void
    ) -> PHImageRequestID {
        let box =
            options?.resizeMode == PHImageRequestOptionsResizeMode.none
            ? nil : asset.box(for: targetSize, contentMode)
        let isEdited = options?.isEdited ?? true
        return requests.start(asset, isSynchronous: options?.isSynchronous ?? false) { library throws(ObscuraError) in
            let picture = try await library.picture(of: asset.localIdentifier, fitting: box, isEdited: isEdited)
            return try await PhotoStore.work.run { () throws(ObscuraError) in
                do {
                    return UIImage(cgImage: try CGImage(converting: picture))
                } catch {
                    throw ObscuraError(wrapping: error, as: .library, .outOfMemory, subject: asset.localIdentifier)
                }
            }
        } handler: {
            resultHandler($0, $1)
        }
    }

    /// Requests the file of a photo. If the photo has edits, it is a new upright file with the edits applied.
    ///
    /// - Parameters:
    ///   - asset: the photo.
    ///   - options: the settings. `resizeMode` has no effect.
    ///   - resultHandler: receives the bytes, their type as a uniform type identifier, and the orientation with which
    ///     the pixels are stored. The bytes are nil after a failure, and for a movie.
    /// - Returns: a number for ``cancelImageRequest(_:)``.
    @discardableResult @preconcurrency
    public func requestImageDataAndOrientation(
        for asset: PHAsset, options: PHImageRequestOptions?,
        resultHandler: @escaping @Sendable (Data?, String?, CGImagePropertyOrientation, [AnyHashable: Any]?) -> Void
    ) -> PHImageRequestID {
        let isEdited = options?.isEdited ?? true
        return requests.start(asset, isSynchronous: options?.isSynchronous ?? false) { library throws(ObscuraError) in
            try await ImageFile(of: asset, in: library, isEdited: isEdited)
        } handler: { file, info in
            resultHandler(file?.data, file?.type.identifier, file?.orientation ?? .up, info)
        }
    }

    /// Cancels a request. Unless its handler has been called already, it is called without a result.
    public func cancelImageRequest(_ requestID: PHImageRequestID) { requests.cancel(requestID) }
}

extension PHImageRequestOptions {
    fileprivate var isEdited: Bool { version == .current }
}

extension PHAsset {
    /// The size to fit the picture in for a target size; nil for its own size.
    fileprivate func box(for target: CGSize, _ mode: PHImageContentMode) -> PixelSize? {
        guard target != PHImageManagerMaximumSize, pixelWidth > 0, pixelHeight > 0 else { return nil }
        let (width, height) = (Double(target.width), Double(target.height))
        guard width.isFinite, height.isFinite, width > 0, height > 0 else { return nil }
        let (across, down) = (width / Double(pixelWidth), height / Double(pixelHeight))
        let scale = mode == .aspectFit ? min(across, down) : max(across, down)
        guard scale < 1 else { return nil }
        func scaled(_ side: Int) -> Int { max(1, Int((Double(side) * scale).rounded())) }
        return PixelSize(width: scaled(pixelWidth), height: scaled(pixelHeight))
    }
}
