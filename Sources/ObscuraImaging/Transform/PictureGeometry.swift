// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraMedia

/// How a picture was made of a source's by cropping, turning and mirroring: to find a place of the one in the other,
/// and so what was seen in one picture in another one of the same source.
package struct PictureGeometry: Sendable, Hashable {
    private let part: PixelRect
    private let transform: OrientationTransform

    /// - Parameters:
    ///   - request: what was asked for; its size is not looked at.
    ///   - source: the size of the source's picture.
    package init(_ request: ImageRequest, of source: PixelSize) {
        part = request.crop ?? PixelRect(x: 0, y: 0, width: source.width, height: source.height)
        transform = OrientationTransform(request.orientation, isMirrored: request.isMirrored)
    }

    /// The size of the picture that was made.
    package var size: PixelSize { transform.size(of: PixelSize(width: part.width, height: part.height)) }

    /// Where a part of this picture lies in the one that `other` made of the same source; some of it may lie outside.
    package func place(_ rect: PixelRect, in other: PictureGeometry) -> PixelRect {
        let inner = transform.source(of: rect, in: PixelSize(width: part.width, height: part.height))
        let source = PixelRect(
            x: inner.x + part.x - other.part.x, y: inner.y + part.y - other.part.y, width: inner.width,
            height: inner.height)
        return other.transform.result(of: source, in: PixelSize(width: other.part.width, height: other.part.height))
    }
}
