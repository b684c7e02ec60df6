// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraImaging
public import ObscuraMedia

/// What a photo is to be.
public struct PhotoSettings: Sendable, Hashable {
    /// How large the photo is.
    public enum Size: Sendable, Hashable {
        /// As the frames of the running mode.
        case stream
        /// As large as the camera can: it is switched to its mode with the most pixels for the photo, and back
        /// again. Meanwhile the other outputs get frames of that mode; ``Photo/modeSwitch`` tells how long it took.
        case largest
        /// This size, after turning, made of the frames of the running mode.
        case pixels(PixelSize)
    }

    /// Where the turn of the picture goes.
    public enum OrientationPlacement: String, Sendable, Hashable, CaseIterable, Codable {
        /// The pixels are turned: right for every reader.
        case pixels
        /// The pixels stay as the camera gives them, and EXIF says how to turn them.
        case exif
    }

    /// Whether to use the camera's flash.
    public enum Flash: String, Sendable, Hashable, CaseIterable, Codable {
        case off
        case on
        /// Where it is dark, on a camera that has one.
        case auto
    }

    /// What the file is.
    public var format = StillFormat.jpeg()
    /// How large the photo is.
    public var size = Size.stream
    /// How the picture meets a size of another shape.
    public var fit = ImageRequest.Fit.fill
    /// The turn of the upright picture, clockwise; nil takes that of the output's connection.
    public var orientation: Orientation?
    /// Whether left and right change places, after turning; nil takes what the output's connection says.
    public var isMirrored: Bool?
    /// What is done to the upright picture; nil takes the effects of the output's connection.
    public var effects: [VideoEffect]?
    /// Where the turn of the picture goes. With effects the pixels are always turned.
    public var orientationPlacement = OrientationPlacement.pixels
    /// Whether to use the camera's flash.
    public var flash = Flash.off
    /// The longer side of the thumbnail in the file, in pixels; nil leaves it out. A PNG has none.
    public var thumbnailSide: Int? = 160
    /// What the photo says of itself. Date, make, model, software and exposure that it leaves out are filled in.
    public var metadata = Metadata()
    /// Whether ``Photo/frame`` holds the camera's own picture. It counts as held by the output, which gets no new
    /// frames while too many are held.
    public var keepsFrame = false

    /// A JPEG as the stream is.
    public init() {}

    func check(_ name: String) throws(ObscuraError) {
        switch format {
        case .jpeg(let quality) where !(1...100).contains(quality):
            throw .invalidConfiguration(name, "the quality of a JPEG is 1 to 100, not \(quality)")
        case .png(let level) where !(0...9).contains(level):
            throw .invalidConfiguration(name, "the compression level of a PNG is 0 to 9, not \(level)")
        case .jpeg, .png: break
        }
        if case .pixels(let size) = size, !(1...16384).contains(size.width) || !(1...16384).contains(size.height) {
            throw .invalidConfiguration(name, "a photo of \(size) cannot be; each side is 1 to 16384 pixels")
        }
        if let side = thumbnailSide, !(1...1024).contains(side) {
            throw .invalidConfiguration(name, "a thumbnail has 1 to 1024 pixels on its longer side, not \(side)")
        }
    }
}
