// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

@_exported public import CoreVideo
package import Obscura

/// An image and the operations on it, which are executed when a ``CIContext`` renders the image.
///
/// The origin of the coordinates is the bottom left corner. The edges of an image are at whole pixels: other rectangles
/// are rounded.
///
/// An image of a buffer keeps the pixels that the buffer has when the image is created. A later change of the buffer
/// first copies them. If the buffer is locked for writing, they are copied at creation.
///
/// The image keeps the memory of the buffer in use. A camera has only a few buffers, so do not keep images of its
/// frames.
public final class CIImage: Sendable {
    let source: ImageSource?
    let steps: [ImageStep]
    /// The area of the pixels; nil if there are none.
    let area: ImageArea?

    /// The buffer from which the image was created. Nil for other images, and for the results of operations.
    public let pixelBuffer: CVPixelBuffer?
    /// The `CGImage` from which the image was created. Nil for other images, and for the results of operations.
    public let cgImage: CGImage?

    init(
        _ source: ImageSource?, _ area: ImageArea?, _ steps: [ImageStep] = [], pixelBuffer: CVPixelBuffer? = nil,
        cgImage: CGImage? = nil
    ) {
        self.source = source
        self.steps = steps
        self.area = area
        self.pixelBuffer = pixelBuffer
        self.cgImage = cgImage
    }

    /// Creates an image of the pixels of a buffer. Later changes of the buffer have no effect.
    public convenience init(cvPixelBuffer buffer: CVPixelBuffer) {
        let picture = buffer.picture
        self.init(.picture(picture), ImageArea(size: picture.size), pixelBuffer: buffer)
    }

    /// Creates an image of the pixels of a buffer. Later changes of the buffer have no effect.
    public convenience init(cvImageBuffer buffer: CVImageBuffer) {
        self.init(cvPixelBuffer: buffer)
    }

    /// Creates an image of a `CGImage`.
    public convenience init(cgImage: CGImage) {
        self.init(.picture(cgImage.picture), ImageArea(size: cgImage.picture.size), cgImage: cgImage)
    }

    /// Creates an image of a picture of any uncompressed format.
    package convenience init(_ picture: PixelBuffer) {
        self.init(.picture(picture), ImageArea(size: picture.size))
    }

    /// Returns an image without pixels.
    public static func empty() -> CIImage { CIImage(nil, nil) }

    /// The rectangle of the pixels, from the bottom left corner; zero for an image without pixels.
    public var extent: CGRect { area?.rect ?? .zero }

    /// Returns the image with another step, whose result has an area.
    func adding(_ step: ImageStep, _ area: ImageArea?) -> CIImage {
        area == nil ? .empty() : CIImage(source, area, steps + [step])
    }

    /// Returns the image with steps that keep its area.
    func adding(_ steps: ImageStep...) -> CIImage {
        area == nil ? self : CIImage(source, area, self.steps + steps)
    }
}

extension CIImage: Hashable {
    /// Whether both are the same object.
    public static func == (one: CIImage, other: CIImage) -> Bool { one === other }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
