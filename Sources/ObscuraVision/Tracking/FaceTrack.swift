// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if Vision

internal import ObscuraMedia

/// A face that is followed.
struct FaceTrack: Sendable {
    let id: Int
    var bounds: PixelRect
    /// How far its middle went between the last two frames that it was seen on.
    var step = (x: 0, y: 0)
    /// For how many frames it has not been seen.
    var missed = 0

    init(id: Int, bounds: PixelRect) {
        self.id = id
        self.bounds = bounds
    }

    /// For how many frames a face that is not seen is still looked for.
    static let patience = 15

    /// Where its middle is looked for.
    var region: SearchRegion {
        // It may have moved by half its size, and the longer ago the farther.
        let reach = 0.5 + 0.1 * Double(missed)
        var bounds = bounds
        bounds.x += step.x
        bounds.y += step.y
        return SearchRegion(around: bounds, reach: min(reach, 1.5))
    }

    mutating func isSeen(at new: PixelRect) {
        let frames = missed + 1
        step = (
            (new.x * 2 + new.width - bounds.x * 2 - bounds.width) / (2 * frames),
            (new.y * 2 + new.height - bounds.y * 2 - bounds.height) / (2 * frames)
        )
        bounds = new
        missed = 0
    }

    /// How well a face that was found fits: 0 if it does not. That they overlap is enough.
    func likeness(_ other: PixelRect) -> Double {
        let ratio = Double(bounds.width) / Double(max(1, other.width))
        guard (0.5...2).contains(ratio) else { return 0 }
        return bounds.overlap(other)
    }
}

/// Where and at which sizes a face is looked for.
struct SearchRegion: Sendable {
    /// Where its middle may be.
    let part: PixelRect
    /// How wide it may be.
    let widths: ClosedRange<Double>

    /// - Parameter reach: how far the middle may be off, in widths of the face.
    init(around bounds: PixelRect, reach: Double) {
        let side = Int((Double(bounds.width) * reach).rounded(.up))
        let (x, y) = (bounds.x + bounds.width / 2, bounds.y + bounds.height / 2)
        part = PixelRect(x: x - side, y: y - side, width: 2 * side, height: 2 * side)
        widths = Double(bounds.width) / 1.5...Double(bounds.width) * 1.5
    }

    /// Whether windows like this one are looked for.
    func covers(_ rect: PixelRect) -> Bool {
        let (x, y) = (rect.x + rect.width / 2, rect.y + rect.height / 2)
        return widths.contains(Double(rect.width)) && (part.x..<part.x + part.width).contains(x)
            && (part.y..<part.y + part.height).contains(y)
    }

    /// The windows to look at, without the levels that are searched anyhow.
    func bands(in levels: [ScaleLevel], without searched: Set<Int>) -> [ScanBand] {
        levels.indices.compactMap { index in
            guard !searched.contains(index), widths.contains(Double(levels[index].window.width)) else { return nil }
            return ScanBand.around(part, in: levels[index])
        }
    }
}

extension PixelRect {
    /// The part that both share of what either covers: 1 for the same rectangle, 0 for two that do not meet.
    func overlap(_ other: PixelRect) -> Double {
        let across = min(x + width, other.x + other.width) - max(x, other.x)
        let down = min(y + height, other.y + other.height) - max(y, other.y)
        guard across > 0, down > 0 else { return 0 }
        let shared = across * down
        return Double(shared) / Double(width * height + other.width * other.height - shared)
    }
}

#endif
