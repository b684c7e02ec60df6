// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The limits of the photos of an output.
struct PhotoLimits: Sendable {
    /// The format of the camera; nil without one.
    let format: AVCaptureDevice.Format?
    /// Whether the camera supports the use of the flash that is asked for.
    let takesFlash: Bool
    let isHighResolutionEnabled: Bool
    let maxDimensions: CMVideoDimensions
}

/// A photo that is to be taken: the settings of the engine, and the parts that are made of the frame.
struct PhotoPlan: Sendable {
    let settings: PhotoSettings
    let resolved: AVCaptureResolvedPhotoSettings
    private let format: PhotoFormat
    private let preview: (type: OSType, size: PixelSize?)?

    /// - Throws: ``ObscuraError/Code/invalidSettings`` for settings that cannot be applied.
    init(_ asked: AVCapturePhotoSettings, within limits: PhotoLimits) throws(ObscuraError) {
        guard let format = PhotoFormat.of(asked.format) else {
            throw .invalidPhoto(
                "the format of the photo is not supported",
                "Use AVVideoCodecType.jpeg, or a pixel format of the output.")
        }
        guard limits.takesFlash else {
            throw .invalidPhoto(
                "flashMode is not off, but the camera has no flash",
                "Set flashMode to off, or choose a camera with a flash.")
        }
        let isLargest = try Self.isLargest(asked, limits)
        self.format = format
        preview = try asked.previewPhotoFormat.map(Self.preview)
        let sizes = limits.format?.supportedMaxPhotoDimensions ?? []
        let stored = (isLargest ? sizes.last : sizes.first) ?? CMVideoDimensions()
        let thumbnail = format.isFile ? try asked.embeddedThumbnailPhotoFormat.map(Self.thumbnailSide) : nil
        var settings = PhotoSettings()
        if case .jpeg(let quality) = format { settings.format = .jpeg(quality: quality) }
        settings.size = isLargest ? .largest : .stream
        settings.orientationPlacement = .exif
        settings.flash = asked.flashMode.flash
        settings.thumbnailSide = thumbnail
        settings.metadata = Metadata(imageProperties: asked.metadata)
        settings.keepsFrame = !format.isFile || preview != nil
        settings.encodes = format.isFile
        self.settings = settings
        resolved = AVCaptureResolvedPhotoSettings(
            uniqueID: asked.uniqueID, photo: stored,
            preview: preview.map { stored.fitted($0.size) } ?? CMVideoDimensions(),
            thumbnail: thumbnail.map { stored.fitted(PixelSize(width: $0, height: $0)) } ?? CMVideoDimensions(),
            isFlashEnabled: asked.flashMode != .off)
    }

    /// The resolved settings of a capture that did not begin.
    static func nothing(_ uniqueID: Int64) -> AVCaptureResolvedPhotoSettings {
        let zero = CMVideoDimensions()
        return AVCaptureResolvedPhotoSettings(
            uniqueID: uniqueID, photo: zero, preview: zero, thumbnail: zero, isFlashEnabled: false)
    }

    /// Makes the pixels that were asked for from the frame, which is then free for other photos.
    @concurrent func finish(_ photo: Photo) async throws(ObscuraError) -> AVCapturePhoto {
        do {
            var pixels: PixelBuffer?
            if case .pixels(let type) = format { pixels = try photo.frame.map { try $0.buffer.converted(type, nil) } }
            let small = try preview.flatMap { preview in
                try photo.frame.map { try $0.buffer.converted(preview.type, preview.size) }
            }
            return AVCapturePhoto(
                photo, resolved, isFile: format.isFile, pixels: pixels, preview: small)
        } catch {
            throw ObscuraError(wrapping: error, as: .capture, .codecFailed, subject: "AVCapturePhotoOutput")
        }
    }

    private static func isLargest(
        _ asked: AVCapturePhotoSettings, _ limits: PhotoLimits
    ) throws(ObscuraError) -> Bool {
        if asked.isHighResolutionPhotoEnabled {
            guard limits.isHighResolutionEnabled else {
                throw .invalidPhoto(
                    "the output does not permit isHighResolutionPhotoEnabled",
                    "Set isHighResolutionCaptureEnabled of the output first.")
            }
            return true
        }
        let size = asked.maxPhotoDimensions
        guard size.area > 0, let format = limits.format else { return false }
        guard format.supportedMaxPhotoDimensions.contains(size), size.area <= limits.maxDimensions.area else {
            throw .invalidPhoto(
                "maxPhotoDimensions (\(size.width)x\(size.height)) is not a size of the active format, or exceeds "
                    + "maxPhotoDimensions of the output",
                "Use a size of supportedMaxPhotoDimensions, and set maxPhotoDimensions of the output first.")
        }
        return size.area > format.formatDescription.dimensions.area
    }

    private static func preview(_ format: [String: Any]) throws(ObscuraError) -> (type: OSType, size: PixelSize?) {
        guard let type = PhotoFormat.pixelType(format) else {
            throw .invalidPhoto(
                "the format of the preview is not supported", "Use one of availablePreviewPhotoPixelFormatTypes.")
        }
        return (type, try size(format, kCVPixelBufferWidthKey, kCVPixelBufferHeightKey))
    }

    private static func thumbnailSide(_ format: [String: Any]) throws(ObscuraError) -> Int {
        guard PhotoFormat.of(format)?.isFile == true else {
            throw .invalidPhoto("the format of the thumbnail is not supported", "Use AVVideoCodecType.jpeg.")
        }
        let size = try size(format, AVVideoWidthKey, AVVideoHeightKey)
        // The engine's thumbnails are not larger.
        return size.map { min(max($0.width, $0.height), 1024) } ?? 160
    }

    private static func size(
        _ format: [String: Any], _ width: String, _ height: String
    ) throws(ObscuraError) -> PixelSize? {
        let sides = [width, height].compactMap { format[$0] }
        let numbers = sides.compactMap(SettingValue.integer).filter { (1...16384).contains($0) }
        guard sides.isEmpty || numbers.count == 2 else {
            throw .invalidPhoto(
                "the size of a preview or thumbnail needs both a width and a height, of 1 to 16384 pixels", nil)
        }
        return numbers.count == 2 ? PixelSize(width: numbers[0], height: numbers[1]) : nil
    }
}

extension ObscuraError {
    fileprivate static func invalidPhoto(_ reason: String, _ advice: String?) -> ObscuraError {
        .invalidSettings(.capture, "photo settings", reason, advice)
    }
}
