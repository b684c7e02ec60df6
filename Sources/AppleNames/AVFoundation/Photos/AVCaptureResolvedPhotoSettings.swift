// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The settings of a photo as they are applied.
public final class AVCaptureResolvedPhotoSettings: NSObject, Sendable {
    /// The number of the settings with which the photo was taken.
    public let uniqueID: Int64
    /// The size of the photo as it is stored, in pixels.
    public let photoDimensions: CMVideoDimensions
    /// The size of the preview, in pixels; zero for none.
    public let previewDimensions: CMVideoDimensions
    /// The size of the thumbnail in the file, in pixels; zero for none.
    public let embeddedThumbnailDimensions: CMVideoDimensions
    /// Whether the flash may fire: the flash mode is not `off`.
    public let isFlashEnabled: Bool
    /// The number of photos of the capture, which is 1.
    public var expectedPhotoCount: Int { 1 }

    init(
        uniqueID: Int64, photo: CMVideoDimensions, preview: CMVideoDimensions, thumbnail: CMVideoDimensions,
        isFlashEnabled: Bool
    ) {
        self.uniqueID = uniqueID
        photoDimensions = photo
        previewDimensions = preview
        embeddedThumbnailDimensions = thumbnail
        self.isFlashEnabled = isFlashEnabled
    }
}
