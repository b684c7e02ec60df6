// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// A tracked face.
struct FaceTrack: Sendable {
    let id: Int
    var bounds: PixelRect
    /// The movement of its center between the last two frames with a detection.
    var step = (x: 0, y: 0)
    /// The number of frames since the last detection.
    var missed = 0

    init(id: Int, bounds: PixelRect) {
        self.id = id
        self.bounds = bounds
    }

    /// The number of frames without a detection after which the track ends.
    static let missLimit = 15

    /// The region of the next search.
    var region: SearchRegion {
        // It may have moved by half its size, and farther after missed frames.
        let radius = 0.5 + 0.1 * Double(missed)
        var bounds = bounds
        bounds.x += step.x
        bounds.y += step.y
        return SearchRegion(around: bounds, radius: min(radius, 1.5))
    }

    mutating func update(to new: PixelRect) {
        let frames = missed + 1
        step = (
            (new.x * 2 + new.width - bounds.x * 2 - bounds.width) / (2 * frames),
            (new.y * 2 + new.height - bounds.y * 2 - bounds.height) / (2 * frames)
        )
        bounds = new
        missed = 0
    }

    /// Returns the similarity of a detection, from 0 to 1. Any overlap suffices for a match.
    func similarity(_ other: PixelRect) -> Double {
        let ratio = Double(bounds.width) / Double(max(1, other.width))
        guard (0.5...2).contains(ratio) else { return 0 }
        return bounds.overlap(other)
    }
}

/// The region and sizes of the search for one face.
struct SearchRegion: Sendable {
    /// The region of its center.
    let part: PixelRect
    /// The range of its width.
    let widths: ClosedRange<Double>

    /// - Parameter radius: the maximum distance of the center, in widths of the face.
    init(around bounds: PixelRect, radius: Double) {
        let side = Int((Double(bounds.width) * radius).rounded(.up))
        let (x, y) = (bounds.x + bounds.width / 2, bounds.y + bounds.height / 2)
        part = PixelRect(x: x - side, y: y - side, width: 2 * side, height: 2 * side)
        widths = Double(bounds.width) / 1.5...Double(bounds.width) * 1.5
    }

    /// Whether the search covers this window.
    func covers(_ rect: PixelRect) -> Bool {
        let (x, y) = (rect.x + rect.width / 2, rect.y + rect.height / 2)
        return widths.contains(Double(rect.width)) && (part.x..<part.x + part.width).contains(x)
            && (part.y..<part.y + part.height).contains(y)
    }

    /// Returns the bands to scan, without levels that are searched completely.
    func bands(in levels: [ScaleLevel], without searched: Set<Int>) -> [ScanBand] {
        levels.indices.compactMap { index in
            guard !searched.contains(index), widths.contains(Double(levels[index].window.width)) else { return nil }
            return ScanBand.around(part, in: levels[index])
        }
    }
}

extension PixelRect {
    /// Returns the intersection divided by the union: 1 for equal rectangles, 0 for disjoint ones.
    func overlap(_ other: PixelRect) -> Double {
        let across = min(x + width, other.x + other.width) - max(x, other.x)
        let down = min(y + height, other.y + other.height) - max(y, other.y)
        guard across > 0, down > 0 else { return 0 }
        let shared = across * down
        return Double(shared) / Double(width * height + other.width * other.height - shared)
    }
}
