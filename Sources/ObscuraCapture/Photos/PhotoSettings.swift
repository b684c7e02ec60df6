// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraImaging
public import ObscuraMedia

/// The settings of a photo.
public struct PhotoSettings: Sendable, Hashable {
    /// The size of a photo.
    public enum Size: Sendable, Hashable {
        /// The size of the frames of the current mode.
        case stream
        /// The largest size of the camera. The camera is switched to the mode with the most pixels, and back after the
        /// photo. Until the switch back, the other outputs also get frames in the mode of the photo. See
        /// ``Photo/modeSwitch``.
        case largest
        /// This size, after rotation. The photo is scaled from a frame of the current mode.
        case pixels(PixelSize)
    }

    /// The way in which a photo stores the orientation: as rotated pixels or as an EXIF tag.
    public enum OrientationPlacement: String, Sendable, Hashable, CaseIterable, Codable {
        /// The pixels are rotated, so that every viewer shows the photo correctly.
        case pixels
        /// The pixels are stored as captured, and EXIF contains the orientation.
        case exif
    }

    /// The use of the camera's flash.
    public enum Flash: String, Sendable, Hashable, CaseIterable, Codable {
        /// The flash does not fire.
        case off
        /// The flash fires.
        case on
        /// The flash fires if the frame is dark and the camera has a flash.
        case auto
    }

    /// The format of the file. A JPEG without a quality can be a copy of the camera's compressed frame: see
    /// ``Photo/isCopied``.
    public var format = StillFormat.jpeg()
    /// The size of the photo.
    public var size = Size.stream
    /// The fit of the frame into a `size` with a different aspect ratio.
    public var fit = ImageRequest.Fit.fill
    /// The clockwise rotation, in addition to the rotation that makes the camera's frames upright; nil uses the
    /// orientation of the output's connection.
    public var orientation: Orientation?
    /// Whether the image is mirrored horizontally, after rotation; nil uses the setting of the output's
    /// connection.
    public var isMirrored: Bool?
    /// The effects, applied in order after rotation and mirroring; nil uses the effects of the output's connection.
    public var effects: [VideoEffect]?
    /// The way in which the photo stores the orientation. With ``effects``, the pixels are always rotated. If the frame
    /// must be rotated, only ``OrientationPlacement/exif`` allows a copy of the frame without encoding
    /// (``Photo/isCopied``).
    public var orientationPlacement = OrientationPlacement.pixels
    /// The use of the camera's flash.
    public var flash = Flash.off
    /// The length of the thumbnail's longer side, in pixels; nil omits the thumbnail. PNG files have no thumbnail.
    public var thumbnailSide: Int? = 160
    /// The metadata of the photo.
    public var metadata = Metadata()
    /// Whether the date, make, model, software and exposure are filled in if ``metadata`` does not contain them.
    public var fillsMetadata = true
    /// Whether ``Photo/frame`` contains the original frame of the camera. The number of kept frames is limited: while
    /// too many of these photos are retained, captures fail with ``ObscuraError/Code/outOfBuffers``.
    public var keepsFrame = false
    /// Whether ``Photo/data`` contains a file; without one, only ``Photo/frame`` is of use.
    package var encodes = true

    /// Creates settings for a JPEG with the size of the current mode.
    public init() {}

    func check(_ name: String) throws(ObscuraError) {
        switch format {
        case .jpeg(let quality?) where !(1...100).contains(quality):
            throw .invalidConfiguration(name, "the quality of a JPEG must be 1 to 100, not \(quality)")
        case .png(let level) where !(0...9).contains(level):
            throw .invalidConfiguration(name, "the compression level of a PNG must be 0 to 9, not \(level)")
        case .jpeg, .png: break
        }
        if case .pixels(let size) = size, !(1...16384).contains(size.width) || !(1...16384).contains(size.height) {
            throw .invalidConfiguration(name, "each side of a photo must be 1 to 16384 pixels, not \(size)")
        }
        if let side = thumbnailSide, !(1...1024).contains(side) {
            throw .invalidConfiguration(name, "the longer side of a thumbnail must be 1 to 1024 pixels, not \(side)")
        }
    }
}
