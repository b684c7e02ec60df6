// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A point in an image: the lower left corner is (0, 0), and the upper right corner is (1, 1).
public struct NormalizedPoint: Sendable, Hashable, Codable {
    /// The point as a `CGPoint`.
    public let cgPoint: CGPoint

    /// The lower left corner.
    public static let zero = NormalizedPoint(x: 0, y: 0)

    /// Creates a point, without validation.
    public init(x: CGFloat, y: CGFloat) {
        cgPoint = CGPoint(x: x, y: y)
    }

    /// Creates a point from fractions of the width and the height, without validation.
    public init(normalizedPoint: CGPoint) {
        cgPoint = normalizedPoint
    }

    /// Creates a point from pixel coordinates, whose origin is the lower left corner of the image.
    public init(imagePoint: CGPoint, in imageSize: CGSize) {
        self.init(imagePoint: imagePoint, in: imageSize, normalizedTo: .fullImage)
    }

    /// Creates a point that is relative to a region, from pixel coordinates of the whole image. Their origin is the
    /// lower left corner of the image.
    public init(imagePoint: CGPoint, in imageSize: CGSize, normalizedTo regionOfInterest: NormalizedRect) {
        let region = regionOfInterest.cgRect
        self.init(
            x: (imagePoint.x / imageSize.width - region.minX) / region.width,
            y: (imagePoint.y / imageSize.height - region.minY) / region.height)
    }

    /// The fraction of the width.
    public var x: CGFloat { cgPoint.x }
    /// The fraction of the height, measured from the bottom.
    public var y: CGFloat { cgPoint.y }

    /// Returns the pixel coordinates of the point.
    public func toImageCoordinates(_ imageSize: CGSize, origin: CoordinateOrigin = .lowerLeft) -> CGPoint {
        toImageCoordinates(from: .fullImage, imageSize: imageSize, origin: origin)
    }

    /// Returns the pixel coordinates, in the whole image, of a point that is relative to a region.
    public func toImageCoordinates(
        from regionOfInterest: NormalizedRect, imageSize: CGSize, origin: CoordinateOrigin = .lowerLeft
    ) -> CGPoint {
        let region = regionOfInterest.cgRect
        let x = region.minX + x * region.width
        let y = region.minY + y * region.height
        return CGPoint(x: x * imageSize.width, y: (origin == .lowerLeft ? y : 1 - y) * imageSize.height)
    }

    /// Returns the point mirrored vertically.
    public func verticallyFlipped() -> NormalizedPoint { NormalizedPoint(x: x, y: 1 - y) }
}
