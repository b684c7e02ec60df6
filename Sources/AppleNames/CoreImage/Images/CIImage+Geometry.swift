// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

extension CIImage {
    /// Returns the part of the image inside a rectangle. Points keep their coordinates.
    ///
    /// - Parameter rect: the rectangle, measured from the bottom left corner; extended to whole pixels.
    /// - Returns: an image without pixels if the rectangle is outside of the image.
    public func cropped(to rect: CGRect) -> CIImage {
        guard let area, let part = ImageArea(enclosing: rect)?.intersection(area) else { return .empty() }
        return part == area ? self : adding(.crop(area.pixels(of: part)), part)
    }

    /// Returns the image rotated upright.
    ///
    /// The bottom left corner keeps its coordinates.
    ///
    /// - Parameter orientation: the orientation with which the pixels of this image are stored.
    public func oriented(_ orientation: CGImagePropertyOrientation) -> CIImage {
        guard orientation != .up, var area else { return self }
        if orientation.turn.isTransposed { (area.width, area.height) = (area.height, area.width) }
        return adding(.orient(orientation.turn, isMirrored: orientation.isMirrored), area)
    }

    /// Returns an upright image, like ``oriented(_:)``.
    ///
    /// - Parameter orientation: 1 to 8, as in EXIF; another number has no effect.
    public func oriented(forExifOrientation orientation: Int32) -> CIImage {
        oriented(UInt32(exactly: orientation).flatMap(CGImagePropertyOrientation.init(rawValue:)) ?? .up)
    }

    /// Returns the transform for which ``transformed(by:)`` has the same result as ``oriented(_:)``.
    public func orientationTransform(for orientation: CGImagePropertyOrientation) -> CGAffineTransform {
        var transform =
            switch orientation.turn {
            case .up: CGAffineTransform.identity
            case .right: CGAffineTransform(0, -1, 1, 0, 0, 0)
            case .down: CGAffineTransform(-1, 0, 0, -1, 0, 0)
            case .left: CGAffineTransform(0, 1, -1, 0, 0, 0)
            }
        if orientation.isMirrored { transform = transform.concatenating(CGAffineTransform(scaleX: -1, y: 1)) }
        let moved = extent.applying(transform)
        transform.tx = extent.minX - moved.minX
        transform.ty = extent.minY - moved.minY
        return transform
    }

    /// Returns an image whose points are mapped by a transform.
    ///
    /// Rotations by multiples of 90 degrees and mirroring do not change pixel values. Unlike on Apple's systems, a
    /// scaling rounds the width and the height to whole pixels, and a translation rounds the bottom left corner to
    /// whole pixels. All other transforms interpolate between the four nearest pixels. In their result, pixels outside
    /// of the original image are transparent.
    ///
    /// - Returns: an image without pixels if the transform has no inverse.
    public func transformed(by matrix: CGAffineTransform) -> CIImage {
        guard let area, matrix.isInvertible else { return .empty() }
        guard let motion = matrix.motion else { return warped(by: matrix, area) }
        let size = motion.turn.isTransposed ? area.size.transposed : area.size
        let corner = area.rect.applying(matrix).origin
        let moved = ImageArea(
            x: Int(limiting: corner.x), y: Int(limiting: corner.y),
            width: max(1, Int(limiting: Double(size.width) * motion.across)),
            height: max(1, Int(limiting: Double(size.height) * motion.up)))
        var steps = self.steps
        if motion.turn != .up || motion.isMirrored { steps.append(.orient(motion.turn, isMirrored: motion.isMirrored)) }
        if moved.size != size { steps.append(.scale(moved.size)) }
        return CIImage(source, moved, steps)
    }

    private func warped(by matrix: CGAffineTransform, _ area: ImageArea) -> CIImage {
        guard let moved = ImageArea(enclosing: area.rect.applying(matrix)) else { return .empty() }
        // From pixels of the result up to coordinates, back through the transform, and down to pixels of this picture.
        let toCoordinates = CGAffineTransform(1, 0, 0, -1, CGFloat(moved.x), CGFloat(moved.y + moved.height))
        let toPixels = CGAffineTransform(1, 0, 0, -1, CGFloat(-area.x), CGFloat(area.y + area.height))
        let toSource = toCoordinates.concatenating(matrix.inverted()).concatenating(toPixels)
        return adding(.warp(PixelWarp(toSource: toSource, size: moved.size)), moved)
    }
}

extension CGAffineTransform {
    fileprivate var isInvertible: Bool {
        let determinant = a * d - b * c
        return determinant.isFinite && determinant != 0 && tx.isFinite && ty.isFinite
    }

    /// The rotation, the mirroring after it, and the horizontal and vertical factors; nil for any other transform.
    fileprivate var motion: (turn: Orientation, isMirrored: Bool, across: Double, up: Double)? {
        let largest = max(max(abs(a), abs(b)), max(abs(c), abs(d)))
        // The cosine of π/2 is not exactly 0.
        func isZero(_ value: CGFloat) -> Bool { abs(value) <= largest * 1e-9 }
        if isZero(b), isZero(c) {
            return (d < 0 ? .down : .up, (a < 0) != (d < 0), Double(abs(a)), Double(abs(d)))
        }
        guard isZero(a), isZero(d) else { return nil }
        // Counterclockwise if the x axis becomes the upper half of the y axis.
        return (b > 0 ? .left : .right, (b > 0) == (c > 0), Double(abs(c)), Double(abs(b)))
    }
}

extension Int {
    /// Rounds to the nearest integer, and limits it so that sums of coordinates do not overflow.
    fileprivate init(limiting value: Double) {
        let limit = Double(1 << 30)
        self = Int(Swift.min(Swift.max(-limit, value.rounded()), limit))
    }
}
