// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraMedia

/// The cropping, rotation and mirroring of a picture relative to its source. Converts coordinates between pictures of
/// the same source.
package struct PictureGeometry: Sendable, Hashable {
    private let part: PixelRect
    private let transform: OrientationTransform

    /// - Parameters:
    ///   - request: the request of the picture; its size is ignored.
    ///   - source: the size of the source's picture.
    package init(_ request: ImageRequest, of source: PixelSize) {
        part = request.crop ?? PixelRect(x: 0, y: 0, width: source.width, height: source.height)
        transform = OrientationTransform(request.orientation, isMirrored: request.isMirrored)
    }

    /// The size of the picture.
    package var size: PixelSize { transform.size(of: PixelSize(width: part.width, height: part.height)) }

    /// Returns the rectangle in the coordinates of another picture of the same source; parts may be outside.
    package func place(_ rect: PixelRect, in other: PictureGeometry) -> PixelRect {
        let inner = transform.source(of: rect, in: PixelSize(width: part.width, height: part.height))
        let source = PixelRect(
            x: inner.x + part.x - other.part.x, y: inner.y + part.y - other.part.y, width: inner.width,
            height: inner.height)
        return other.transform.result(of: source, in: PixelSize(width: other.part.width, height: other.part.height))
    }
}
