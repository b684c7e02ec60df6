// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// What a reader wants a picture to be: the key by which a transform is made once for each frame.
///
/// The steps, in this order: ``crop``, turn by ``orientation``, mirror, the effects, scale to ``size`` by ``fit``,
/// convert to ``pixelFormat``. An implementation may work in another order where the result is the same.
public struct ImageRequest: Sendable, Hashable {
    /// How a picture meets a size of another shape.
    public enum Fit: String, Sendable, Hashable, CaseIterable, Codable {
        /// Covers the size; what sticks out on two sides is cut off evenly.
        case fill
        /// The whole picture, as large as fits in the size: one side may come out smaller.
        case aspect
        /// Exactly the size; the shape is lost.
        case stretch
    }

    /// How a chroma sample becomes the colour of the pixels that share it.
    public enum ChromaUpsampling: String, Sendable, Hashable, CaseIterable, Codable {
        /// Each pixel takes the sample of its block: exact and fast.
        case nearest
        /// Between neighbouring samples, weighted by distance.
        case bilinear
    }

    /// The format of the result; nil keeps the source's (or the nearest one that can be turned).
    public var pixelFormat: PixelFormat?
    /// The size of the result, after turning; nil keeps it.
    public var size: PixelSize?
    /// How the picture meets a ``size`` of another shape.
    public var fit: Fit = .fill
    /// The part of the source to take, in the source's pixels, before turning; nil takes all of it.
    public var crop: PixelRect?
    /// The turn, clockwise.
    public var orientation: Orientation = .up
    /// Left and right change places, after turning.
    public var isMirrored = false
    /// How colour is spread over the pixels that share it.
    public var chroma: ChromaUpsampling = .nearest
    /// The colour space of a YUV result; nil keeps the source's, or BT.601 limited where that is RGB.
    public var colorSpace: ColorSpace?
    /// The effects, which this room cannot know.
    package var opaqueEffects: [AnySendableHashable] = []

    /// A request; without arguments, for the picture as it is.
    public init(pixelFormat: PixelFormat? = nil, size: PixelSize? = nil) {
        self.pixelFormat = pixelFormat
        self.size = size
    }

    /// Whether the request asks for the picture as it is.
    public var isIdentity: Bool {
        self == ImageRequest()
    }
}
