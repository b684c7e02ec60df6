// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A requested transform of a frame. Equal requests for the same frame share one result.
///
/// The steps are, in this order: ``crop``, rotate by ``orientation``, mirror, apply effects, scale to ``size`` by
/// ``fit``, convert to ``pixelFormat``. An implementation may use another order if the result is the same.
public struct ImageRequest: Sendable, Hashable {
    /// The mode of fitting a frame into a size with a different aspect ratio.
    public enum Fit: String, Sendable, Hashable, CaseIterable, Codable {
        /// Fills the size, and crops the frame evenly on two opposite sides.
        case fill
        /// Fits the whole frame into the size; one side of the result may be smaller than requested.
        case aspect
        /// Stretches the frame to the size; the aspect ratio is not preserved.
        case stretch
    }

    /// The method of computing the chroma of each pixel when several pixels share one chroma sample.
    public enum ChromaUpsampling: String, Sendable, Hashable, CaseIterable, Codable {
        /// Each pixel uses the chroma sample of its block, without interpolation; fast.
        case nearest
        /// Interpolates between neighboring chroma samples, weighted by distance.
        case bilinear
    }

    /// The pixel format of the result. If nil, the result has the format of the source, or a similar format if the
    /// transform cannot produce the format of the source.
    public var pixelFormat: PixelFormat?
    /// The size of the result, after rotation; nil for the size that cropping and rotation produce.
    public var size: PixelSize?
    /// The mode of fitting the frame into ``size`` if ``size`` has a different aspect ratio.
    public var fit: Fit = .fill
    /// The part of the source to use, in pixels of the source, before rotation; nil uses the whole source.
    public var crop: PixelRect?
    /// The rotation, clockwise.
    public var orientation: Orientation = .up
    /// Whether to mirror horizontally, after rotation.
    public var isMirrored = false
    /// The interpolation of subsampled chroma, for example in a conversion of 4:2:0 to RGB.
    public var chroma: ChromaUpsampling = .nearest
    /// The color space of a YUV result. If nil, the result of a YUV source has the color space of the source, and the
    /// result of an RGB source has BT.601, limited range.
    public var colorSpace: ColorSpace?
    /// The effects, type-erased because their type is declared in another module.
    package var opaqueEffects: [AnySendableHashable] = []

    /// Creates a request; without arguments, the request leaves the frame unchanged.
    public init(pixelFormat: PixelFormat? = nil, size: PixelSize? = nil) {
        self.pixelFormat = pixelFormat
        self.size = size
    }

    /// Whether the request leaves the frame unchanged.
    public var isIdentity: Bool {
        self == ImageRequest()
    }
}
