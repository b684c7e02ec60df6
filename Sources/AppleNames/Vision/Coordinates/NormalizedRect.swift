// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A rectangle in an image: the lower left corner of the image is (0, 0), and the upper right corner is (1, 1).
public struct NormalizedRect: Sendable, Hashable, Codable {
    /// The rectangle as a `CGRect`, whose origin is its lower left corner.
    public let cgRect: CGRect

    /// The whole image.
    public static let fullImage = NormalizedRect(x: 0, y: 0, width: 1, height: 1)

    /// Creates a rectangle, without validation.
    public init(x: CGFloat, y: CGFloat, width: CGFloat, height: CGFloat) {
        cgRect = CGRect(x: x, y: y, width: width, height: height)
    }

    /// Creates a rectangle from fractions of the width and the height, without validation.
    public init(normalizedRect: CGRect) {
        cgRect = normalizedRect
    }

    /// Creates a rectangle from pixel coordinates, whose origin is the lower left corner of the image.
    public init(imageRect: CGRect, in imageSize: CGSize) {
        self.init(imageRect: imageRect, in: imageSize, normalizedTo: .fullImage)
    }

    /// Creates a rectangle that is relative to a region, from pixel coordinates of the whole image. Their origin is the
    /// lower left corner of the image.
    public init(imageRect: CGRect, in imageSize: CGSize, normalizedTo regionOfInterest: NormalizedRect) {
        let region = regionOfInterest.cgRect
        self.init(
            x: (imageRect.minX / imageSize.width - region.minX) / region.width,
            y: (imageRect.minY / imageSize.height - region.minY) / region.height,
            width: imageRect.width / imageSize.width / region.width,
            height: imageRect.height / imageSize.height / region.height)
    }

    /// The lower left corner.
    public var origin: CGPoint { cgRect.origin }
    /// The fraction of the width.
    public var width: CGFloat { cgRect.width }
    /// The fraction of the height.
    public var height: CGFloat { cgRect.height }

    /// Returns the pixel coordinates of the rectangle.
    public func toImageCoordinates(_ imageSize: CGSize, origin: CoordinateOrigin = .lowerLeft) -> CGRect {
        toImageCoordinates(from: .fullImage, imageSize: imageSize, origin: origin)
    }

    /// Returns the pixel coordinates, in the whole image, of a rectangle that is relative to a region.
    public func toImageCoordinates(
        from regionOfInterest: NormalizedRect, imageSize: CGSize, origin: CoordinateOrigin = .lowerLeft
    ) -> CGRect {
        let region = regionOfInterest.cgRect
        let whole = NormalizedRect(
            x: region.minX + cgRect.minX * region.width, y: region.minY + cgRect.minY * region.height,
            width: width * region.width, height: height * region.height)
        let rect = (origin == .lowerLeft ? whole : whole.verticallyFlipped()).cgRect
        return CGRect(
            x: rect.minX * imageSize.width, y: rect.minY * imageSize.height, width: rect.width * imageSize.width,
            height: rect.height * imageSize.height)
    }

    /// Returns the rectangle mirrored vertically.
    public func verticallyFlipped() -> NormalizedRect {
        NormalizedRect(x: cgRect.minX, y: 1 - cgRect.maxY, width: width, height: height)
    }
}
