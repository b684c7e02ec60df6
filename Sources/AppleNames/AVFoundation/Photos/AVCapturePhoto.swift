// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// A photo: a file in memory, or pixels.
///
/// Thread-safe.
public final class AVCapturePhoto: NSObject, Sendable {
    /// The file; nil for a photo of pixels.
    private let file: [UInt8]?
    private let size: PixelSize
    private let facts: Metadata
    private let orientation: CGImagePropertyOrientation
    /// The time of capture.
    public let timestamp: CMTime
    /// The settings of the photo as they were applied.
    public let resolvedSettings: AVCaptureResolvedPhotoSettings
    /// The pixels of a photo that was requested without a file; nil for a file.
    public let pixelBuffer: CVPixelBuffer?
    /// The preview, if the settings requested one; else nil.
    public let previewPixelBuffer: CVPixelBuffer?
    /// The number of the photo in its capture, from 1.
    public var photoCount: Int { 1 }
    /// Whether the photo has the unprocessed data of the sensor; always false.
    public var isRawPhoto: Bool { false }

    init(
        _ photo: Photo, _ resolved: AVCaptureResolvedPhotoSettings, isFile: Bool, pixels: PixelBuffer?,
        preview: PixelBuffer?
    ) {
        file = isFile ? photo.data : nil
        size = photo.size
        facts = photo.metadata
        orientation = CGImagePropertyOrientation(turn: photo.orientation, isMirrored: photo.isMirrored)
        timestamp = CMTime(photo.presentationTime)
        resolvedSettings = resolved
        pixelBuffer = pixels.map { CVBuffer($0) }
        previewPixelBuffer = preview.map { CVBuffer($0) }
    }

    /// Creates the photo of a capture that failed: nothing.
    init(failed resolved: AVCaptureResolvedPhotoSettings) {
        file = nil
        size = PixelSize(width: 0, height: 0)
        facts = Metadata()
        orientation = .up
        timestamp = .invalid
        resolvedSettings = resolved
        pixelBuffer = nil
        previewPixelBuffer = nil
    }

    /// The properties of the photo, in dictionaries such as `kCGImagePropertyExifDictionary`. The orientation of the
    /// stored pixels is `kCGImagePropertyOrientation`.
    public var metadata: [String: Any] {
        facts.imageProperties(size: size, orientation: orientation)
    }

    /// Returns the file; nil for a photo that was requested as pixels.
    public func fileDataRepresentation() -> Data? { file.map { Data($0) } }

    /// Returns the image as it is stored, without the rotation of ``metadata``. Blocks while a file is decoded.
    ///
    /// - Returns: nil if there is not enough memory.
    public func cgImageRepresentation() -> CGImage? {
        if let pixelBuffer { return try? CGImage(converting: pixelBuffer.picture) }
        guard let file, let info = try? StillInfo(file), let picture = try? PixelBuffer.stored(in: file, info) else {
            return nil
        }
        return try? CGImage(converting: picture)
    }

    /// Returns the preview; nil for a photo without one.
    public func previewCGImageRepresentation() -> CGImage? {
        previewPixelBuffer.flatMap { try? CGImage(converting: $0.picture) }
    }

    override public var description: String {
        "<AVCapturePhoto \(size) \(file.map { "\($0.count) bytes" } ?? "pixels")>"
    }
}
