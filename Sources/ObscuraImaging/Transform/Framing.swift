// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraMedia

/// The part of a picture that a request selects, and its size.
struct Framing: Hashable {
    /// The part of the source.
    let region: PixelRect
    /// The rotation and mirroring.
    let transform: OrientationTransform
    /// The size of the result.
    let size: PixelSize

    /// The size of the result before the rotation.
    var uprightSize: PixelSize { transform.size(of: size) }

    /// Whether pixels are interpolated.
    var isScaled: Bool { uprightSize != PixelSize(width: region.width, height: region.height) }

    init(_ request: ImageRequest, format: PixelFormat, size source: PixelSize) throws(ObscuraError) {
        let whole = PixelRect(x: 0, y: 0, width: source.width, height: source.height)
        let crop = request.crop ?? whole
        guard crop.x >= 0, crop.y >= 0, crop.width > 0, crop.height > 0,
            crop.width <= source.width, crop.height <= source.height,
            crop.x <= source.width - crop.width, crop.y <= source.height - crop.height
        else { throw .invalidCrop(crop, of: source) }
        transform = OrientationTransform(request.orientation, isMirrored: request.isMirrored)
        let cropSize = PixelSize(width: crop.width, height: crop.height)
        let turned = transform.size(of: cropSize)
        guard let wanted = request.size else {
            (region, size) = (crop, turned)
            return
        }
        guard (1...32768).contains(wanted.width), (1...32768).contains(wanted.height) else {
            throw .invalidSize(wanted)
        }
        switch request.fit {
        case .stretch:
            (region, size) = (crop, wanted)
        case .aspect:
            (region, size) = (crop, turned.largest(inside: wanted))
        case .fill:
            let part = wanted.largest(inside: turned)
            let rect = PixelRect(
                x: (turned.width - part.width) / 2, y: (turned.height - part.height) / 2,
                width: part.width, height: part.height)
            var source = transform.source(of: rect, in: cropSize)
            if part != wanted {
                // One more pixel at the left or top is invisible after scaling, and avoids splitting chroma blocks.
                source.x -= source.x % format.chromaSubsampling.horizontal
                source.y -= source.y % format.chromaSubsampling.vertical
            }
            source.x += crop.x
            source.y += crop.y
            (region, size) = (source, wanted)
        }
    }
}

extension PixelSize {
    /// Returns the largest size of this aspect ratio inside `bounds`; each side is rounded, and at least 1.
    package func largest(inside bounds: PixelSize) -> PixelSize {
        if width * bounds.height >= height * bounds.width {
            return PixelSize(width: bounds.width, height: Self.scaled(height, by: bounds.width, over: width))
        }
        return PixelSize(width: Self.scaled(width, by: bounds.height, over: height), height: bounds.height)
    }

    private static func scaled(_ side: Int, by numerator: Int, over denominator: Int) -> Int {
        max(1, (side * numerator + denominator / 2) / denominator)
    }
}
