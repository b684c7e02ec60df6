// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// A part of a picture, in fractions of its sides: (0, 0) is its top left corner, (1, 1) its bottom right one.
///
/// So an edit that was chosen on a small preview means the same at full size.
public struct UnitRect: Sendable, Hashable, Codable {
    /// The left edge.
    public var x: Double
    /// The top edge.
    public var y: Double
    /// Of the picture's width.
    public var width: Double
    /// Of the picture's height.
    public var height: Double

    /// All of the picture.
    public static let whole = UnitRect(x: 0, y: 0, width: 1, height: 1)

    /// A part; no check is made.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The part of a picture of `size` that `rect` is.
    public init(_ rect: PixelRect, in size: PixelSize) {
        let (width, height) = (Double(max(1, size.width)), Double(max(1, size.height)))
        self.init(
            x: Double(rect.x) / width, y: Double(rect.y) / height, width: Double(rect.width) / width,
            height: Double(rect.height) / height)
    }

    /// The largest part in the middle of a picture of `size` that has the shape `width` to `height`.
    public init(centred width: Double, to height: Double, in size: PixelSize) {
        let shape = width / height * Double(size.height) / Double(max(1, size.width))
        let (across, down) = (min(1, shape), min(1, 1 / shape))
        self.init(x: (1 - across) / 2, y: (1 - down) / 2, width: across, height: down)
    }

    /// The whole pixels next to it in a picture of `size`: what lies outside is cut off, and at least one is left.
    public func pixels(in size: PixelSize) -> PixelRect {
        func edges(_ begin: Double, _ length: Double, _ side: Int) -> (Int, Int) {
            let side = Double(max(1, side))
            // What is no number, or lies far outside, comes out at an edge.
            func place(_ value: Double) -> Double { value.isNaN ? 0 : min(max(0, (value * side).rounded()), side) }
            let from = min(place(begin), side - 1)
            return (Int(from), Int(max(1, place(begin + length) - from)))
        }
        let (x, width) = edges(x, width, size.width)
        let (y, height) = edges(y, height, size.height)
        return PixelRect(x: x, y: y, width: width, height: height)
    }
}
