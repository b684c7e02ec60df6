// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraMedia

/// The mapping from an edited picture to its source, as a pure value.
///
/// Coordinates are continuous: the pixel in the corner covers (0, 0) to (1, 1).
struct EditGeometry {
    /// The mapping of a point of the result to one of the source: (ax + by + tx, cx + dy + ty).
    struct Map: Hashable {
        var (a, b, tx) = (1.0, 0.0, 0.0)
        var (c, d, ty) = (0.0, 1.0, 0.0)

        func place(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
            (a * x + b * y + tx, c * x + d * y + ty)
        }

        /// Returns the composition: first `inner`, then this.
        func after(_ inner: Map) -> Map {
            let origin = place(inner.tx, inner.ty)
            return Map(
                (a * inner.a + b * inner.c, a * inner.b + b * inner.d, origin.x),
                (c * inner.a + d * inner.c, c * inner.b + d * inner.d, origin.y))
        }

        init(_ x: (Double, Double, Double) = (1, 0, 0), _ y: (Double, Double, Double) = (0, 1, 0)) {
            (a, b, tx) = x
            (c, d, ty) = y
        }
    }

    /// The current size of the result.
    private(set) var size: PixelSize
    private(set) var map = Map()
    /// The eyes to correct, as parts of the source.
    private(set) var eyes: [UnitRect] = []

    private let source: PixelSize
    /// The equivalent of ``map`` while pixels are only moved: a part of the source, rotated, then mirrored.
    private var moved: (part: PixelRect, orientation: Orientation, isMirrored: Bool)?

    init(_ source: PixelSize) {
        self.source = source
        size = source
        moved = (PixelRect(x: 0, y: 0, width: source.width, height: source.height), .up, false)
    }

    /// The request that moves the pixels; nil if pixels must be interpolated.
    var request: ImageRequest? {
        guard let moved else { return nil }
        var request = ImageRequest()
        if PixelSize(width: moved.part.width, height: moved.part.height) != source { request.crop = moved.part }
        request.orientation = moved.orientation
        request.isMirrored = moved.isMirrored
        return request
    }

    mutating func crop(_ part: UnitRect) {
        let rect = part.pixels(in: size)
        if let old = moved {
            let inner = OrientationTransform(old.orientation, isMirrored: old.isMirrored).source(
                of: rect, in: PixelSize(width: old.part.width, height: old.part.height))
            moved?.part = PixelRect(
                x: old.part.x + inner.x, y: old.part.y + inner.y, width: inner.width, height: inner.height)
        }
        map = map.after(Map((1, 0, Double(rect.x)), (0, 1, Double(rect.y))))
        size = PixelSize(width: rect.width, height: rect.height)
    }

    mutating func rotate(_ orientation: Orientation) {
        let (width, height) = (Double(size.width), Double(size.height))
        switch orientation {
        case .up: return
        case .right: map = map.after(Map((0, 1, 0), (-1, 0, height)))
        case .down: map = map.after(Map((-1, 0, width), (0, -1, height)))
        case .left: map = map.after(Map((0, -1, width), (1, 0, 0)))
        }
        if let old = moved {
            // After mirroring, a rotation has the opposite direction.
            let turn = old.isMirrored ? Orientation(degrees: -orientation.degrees) : orientation
            moved?.orientation = old.orientation.followed(by: turn)
        }
        if orientation.isTransposed { size = size.transposed }
    }

    mutating func mirror() {
        map = map.after(Map((-1, 0, Double(size.width)), (0, 1, 0)))
        moved?.isMirrored.toggle()
    }

    /// Keeps the largest part of the same aspect ratio inside the rotated rectangle: its extents along the rotated
    /// sides must fit.
    mutating func straighten(_ degrees: Double) {
        let angle = (degrees.isFinite ? min(max(degrees, -45), 45) : 0) * .pi / 180
        guard angle != 0 else { return }
        let (width, height) = (Double(size.width), Double(size.height))
        let (sine, cosine) = (sin(abs(angle)), cos(abs(angle)))
        let scale = min(width / (width * cosine + height * sine), height / (width * sine + height * cosine))
        let part = PixelSize(width: max(1, Int(width * scale)), height: max(1, Int(height * scale)))
        // Rotation about the center, clockwise: the mapping to the source rotates counterclockwise.
        let (x, y) = (Double(part.width) / 2, Double(part.height) / 2)
        let (s, c) = (sin(angle), cos(angle))
        map = map.after(
            Map((c, s, width / 2 - c * x - s * y), (-s, c, height / 2 + s * x - c * y)))
        size = part
        moved = nil
    }

    mutating func note(eyes parts: [UnitRect]) {
        eyes += parts.map { part in
            let (width, height) = (Double(size.width), Double(size.height))
            let corners = [(0.0, 0.0), (1, 0), (0, 1), (1, 1)].map { across, down in
                map.place((part.x + across * part.width) * width, (part.y + down * part.height) * height)
            }
            let xs = corners.map { $0.x / Double(source.width) }
            let ys = corners.map { $0.y / Double(source.height) }
            let (left, top) = (xs.min() ?? 0, ys.min() ?? 0)
            return UnitRect(x: left, y: top, width: (xs.max() ?? 0) - left, height: (ys.max() ?? 0) - top)
        }
    }
}
