// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

@_exported public import AppleGraphics
@_exported public import CoreImage
@_exported public import Dispatch
@_exported public import Foundation
internal import Obscura

/// An image with the orientation and the scale with which it is shown.
public final class UIImage: Sendable {
    private enum Content: Sendable {
        case pixels(CGImage)
        case recipe(CIImage)
    }

    private let content: Content
    /// The number of pixels per point.
    public let scale: CGFloat
    /// The orientation with which the pixels are stored.
    public let imageOrientation: Orientation

    private init(_ content: Content, _ scale: CGFloat, _ orientation: Orientation) {
        self.content = content
        self.scale = scale
        imageOrientation = orientation
    }

    /// Creates an image of pixels that are stored upright, with one pixel per point.
    public convenience init(cgImage: CGImage) {
        self.init(cgImage: cgImage, scale: 1, orientation: .up)
    }

    /// Creates an image.
    ///
    /// - Parameters:
    ///   - cgImage: the pixels.
    ///   - scale: the number of pixels per point.
    ///   - orientation: the orientation with which the pixels are stored.
    public convenience init(cgImage: CGImage, scale: CGFloat, orientation: Orientation) {
        self.init(.pixels(cgImage), scale, orientation)
    }

    /// Creates an image of a Core Image image, which is rendered when its pixels are needed.
    public convenience init(ciImage: CIImage) {
        self.init(ciImage: ciImage, scale: 1, orientation: .up)
    }

    /// Creates an image of a Core Image image, which is rendered when its pixels are needed.
    ///
    /// - Parameters:
    ///   - ciImage: the picture.
    ///   - scale: the number of pixels per point.
    ///   - orientation: the orientation with which the pixels are stored.
    public convenience init(ciImage: CIImage, scale: CGFloat, orientation: Orientation) {
        self.init(.recipe(ciImage), scale, orientation)
    }

    /// The pixels; nil for an image that was created from a Core Image image.
    public var cgImage: CGImage? {
        guard case .pixels(let image) = content else { return nil }
        return image
    }

    /// The Core Image image from which the image was created; nil for an image that was created from pixels.
    public var ciImage: CIImage? {
        guard case .recipe(let image) = content else { return nil }
        return image
    }

    /// The size of the upright image, in points.
    public var size: CGSize {
        let (width, height) =
            switch content {
            case .pixels(let image): (CGFloat(image.width), CGFloat(image.height))
            case .recipe(let image): (image.extent.width, image.extent.height)
            }
        let isTransposed = imageOrientation.stored.turn.isTransposed
        return CGSize(width: (isTransposed ? height : width) / scale, height: (isTransposed ? width : height) / scale)
    }

    /// The pixels as they are stored; nil for an image without pixels, and for one that cannot be rendered.
    var picture: PixelBuffer? {
        switch content {
        case .pixels(let image): image.picture
        case .recipe(let image): try? image.rendered()
        }
    }
}

extension UIImage: Hashable {
    /// Whether both are the same object.
    public static func == (one: UIImage, other: UIImage) -> Bool { one === other }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

extension CIImage {
    /// Creates a Core Image image from the stored pixels of a `UIImage`. The orientation is not applied.
    ///
    /// - Returns: nil if the image has no pixels, or cannot be rendered.
    public convenience init?(image: UIImage) {
        guard let picture = image.picture else { return nil }
        self.init(picture)
    }
}
