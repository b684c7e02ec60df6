// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// The settings of one photo. Each photo needs its own settings object; see ``uniqueID``.
///
/// Not thread-safe. A capture reads the settings when it begins.
public final class AVCapturePhotoSettings: NSObject {
    private static let lastID = Lock<Int64>(0)

    /// The number of these settings, which identifies the photo in the callbacks of its delegate.
    public let uniqueID: Int64
    /// The format: `AVVideoCodecKey` with `AVVideoCodecType.jpeg`, or `kCVPixelBufferPixelFormatTypeKey` for pixels in
    /// memory instead of a file. Nil means JPEG.
    public let format: [String: Any]?
    /// The type of the file; nil for pixels in memory.
    public let processedFileType: AVFileType?

    /// The flash mode. Initially `off`.
    public var flashMode = AVCaptureDevice.FlashMode.off
    /// Whether the photo has the largest size of the camera instead of the size of the session. Requires
    /// ``AVCapturePhotoOutput/isHighResolutionCaptureEnabled``.
    public var isHighResolutionPhotoEnabled = false
    /// The maximum size of the photo: one of `supportedMaxPhotoDimensions` of the active format, and not larger than
    /// ``AVCapturePhotoOutput/maxPhotoDimensions``. Zero, the initial value, means the size of the session.
    public var maxPhotoDimensions = CMVideoDimensions()
    /// The preferred balance of speed and quality. Without effect: each photo is a single exposure, and all values are
    /// equally fast.
    public var photoQualityPrioritization = AVCapturePhotoQualityPrioritization.balanced
    /// The format of the preview: `kCVPixelBufferPixelFormatTypeKey` and, optionally, `kCVPixelBufferWidthKey` and
    /// `kCVPixelBufferHeightKey`, the size into which the preview is fitted. Nil for no preview.
    public var previewPhotoFormat: [String: Any]?
    /// The thumbnail in the file: `AVVideoCodecKey` with `AVVideoCodecType.jpeg` and, optionally, `AVVideoWidthKey` and
    /// `AVVideoHeightKey`, the size into which the thumbnail is fitted (default: 160 pixels). Nil for no thumbnail.
    public var embeddedThumbnailPhotoFormat: [String: Any]?
    /// Additional properties of the file: location, texts and keywords, in dictionaries such as
    /// `kCGImagePropertyGPSDictionary`. Other properties are ignored.
    public var metadata: [String: Any] = [:]
    private var isUsed = false

    /// Creates the settings of a JPEG file.
    public override convenience init() { self.init(format: nil) }

    /// Creates settings.
    ///
    /// - Parameter format: see ``format``.
    public convenience init(format: [String: Any]?) {
        self.init(format, fileType: PhotoFormat.of(format).map { $0.isFile ? .jpg : nil } ?? .jpg)
    }

    /// Creates a copy with another ``uniqueID``.
    public convenience init(from settings: AVCapturePhotoSettings) {
        self.init(settings.format, fileType: settings.processedFileType)
        flashMode = settings.flashMode
        isHighResolutionPhotoEnabled = settings.isHighResolutionPhotoEnabled
        maxPhotoDimensions = settings.maxPhotoDimensions
        photoQualityPrioritization = settings.photoQualityPrioritization
        previewPhotoFormat = settings.previewPhotoFormat
        embeddedThumbnailPhotoFormat = settings.embeddedThumbnailPhotoFormat
        metadata = settings.metadata
    }

    private init(_ format: [String: Any]?, fileType: AVFileType?) {
        self.format = format
        processedFileType = fileType
        uniqueID = Self.lastID.withLock { last in
            last += 1
            return last
        }
    }

    /// Notes that a photo is taken with the settings. Returns false if that was done before.
    func use() -> Bool {
        defer { isUsed = true }
        return !isUsed
    }

    /// The pixel formats of previews.
    public var availablePreviewPhotoPixelFormatTypes: [OSType] { PhotoFormat.pixelTypes }
    /// The codecs of thumbnails.
    public var availableEmbeddedThumbnailPhotoCodecTypes: [AVVideoCodecType] { [.jpeg] }
}
