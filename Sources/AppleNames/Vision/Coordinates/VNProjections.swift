// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// Points and rectangles have their origin at the lower left corner, as fractions and in pixels.

/// The whole image.
public let VNNormalizedIdentityRect = CGRect(x: 0, y: 0, width: 1, height: 1)

/// Returns whether a rectangle is the whole image.
public func VNNormalizedRectIsIdentityRect(_ normalizedRect: CGRect) -> Bool {
    normalizedRect == VNNormalizedIdentityRect
}

/// Converts a point from fractions of an image to pixels.
public func VNImagePointForNormalizedPoint(
    _ normalizedPoint: CGPoint, _ imageWidth: Int, _ imageHeight: Int
) -> CGPoint {
    VNImagePointForNormalizedPointUsingRegionOfInterest(
        normalizedPoint, imageWidth, imageHeight, VNNormalizedIdentityRect)
}

/// Converts a point from fractions of a region to pixels of the whole image.
public func VNImagePointForNormalizedPointUsingRegionOfInterest(
    _ normalizedPoint: CGPoint, _ imageWidth: Int, _ imageHeight: Int, _ roi: CGRect
) -> CGPoint {
    NormalizedPoint(normalizedPoint: normalizedPoint).toImageCoordinates(
        from: NormalizedRect(normalizedRect: roi), imageSize: CGSize(width: imageWidth, height: imageHeight))
}

/// Converts a point from pixels to fractions of an image.
public func VNNormalizedPointForImagePoint(_ imagePoint: CGPoint, _ imageWidth: Int, _ imageHeight: Int) -> CGPoint {
    VNNormalizedPointForImagePointUsingRegionOfInterest(
        imagePoint, imageWidth, imageHeight, VNNormalizedIdentityRect)
}

/// Converts a point from pixels of the whole image to fractions of a region.
public func VNNormalizedPointForImagePointUsingRegionOfInterest(
    _ imagePoint: CGPoint, _ imageWidth: Int, _ imageHeight: Int, _ roi: CGRect
) -> CGPoint {
    NormalizedPoint(
        imagePoint: imagePoint, in: CGSize(width: imageWidth, height: imageHeight),
        normalizedTo: NormalizedRect(normalizedRect: roi)
    ).cgPoint
}

/// Converts a rectangle from fractions of an image to pixels.
public func VNImageRectForNormalizedRect(_ normalizedRect: CGRect, _ imageWidth: Int, _ imageHeight: Int) -> CGRect {
    VNImageRectForNormalizedRectUsingRegionOfInterest(
        normalizedRect, imageWidth, imageHeight, VNNormalizedIdentityRect)
}

/// Converts a rectangle from fractions of a region to pixels of the whole image.
public func VNImageRectForNormalizedRectUsingRegionOfInterest(
    _ normalizedRect: CGRect, _ imageWidth: Int, _ imageHeight: Int, _ roi: CGRect
) -> CGRect {
    NormalizedRect(normalizedRect: normalizedRect).toImageCoordinates(
        from: NormalizedRect(normalizedRect: roi), imageSize: CGSize(width: imageWidth, height: imageHeight))
}

/// Converts a rectangle from pixels to fractions of an image.
public func VNNormalizedRectForImageRect(_ imageRect: CGRect, _ imageWidth: Int, _ imageHeight: Int) -> CGRect {
    VNNormalizedRectForImageRectUsingRegionOfInterest(imageRect, imageWidth, imageHeight, VNNormalizedIdentityRect)
}

/// Converts a rectangle from pixels of the whole image to fractions of a region.
public func VNNormalizedRectForImageRectUsingRegionOfInterest(
    _ imageRect: CGRect, _ imageWidth: Int, _ imageHeight: Int, _ roi: CGRect
) -> CGRect {
    NormalizedRect(
        imageRect: imageRect, in: CGSize(width: imageWidth, height: imageHeight),
        normalizedTo: NormalizedRect(normalizedRect: roi)
    ).cgRect
}
