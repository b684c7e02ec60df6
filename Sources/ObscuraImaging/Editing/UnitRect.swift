// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// A rectangular part of a picture, in fractions of the picture's width and height: (0, 0) is the top left corner,
/// (1, 1) is the bottom right corner.
///
/// Therefore a part that was chosen on a small preview also applies to the picture at full size.
public struct UnitRect: Sendable, Hashable, Codable {
    /// The left edge, as a fraction of the width of the picture.
    public var x: Double
    /// The top edge, as a fraction of the height of the picture.
    public var y: Double
    /// The width, as a fraction of the width of the picture.
    public var width: Double
    /// The height, as a fraction of the height of the picture.
    public var height: Double

    /// The whole picture.
    public static let whole = UnitRect(x: 0, y: 0, width: 1, height: 1)

    /// Creates a part, without validation.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// Converts a rectangle in pixels to fractions of a picture of `size`.
    public init(_ rect: PixelRect, in size: PixelSize) {
        let (width, height) = (Double(max(1, size.width)), Double(max(1, size.height)))
        self.init(
            x: Double(rect.x) / width, y: Double(rect.y) / height, width: Double(rect.width) / width,
            height: Double(rect.height) / height)
    }

    /// Creates the largest centered part of a picture of `size` with the aspect ratio `width` to `height`.
    public init(centred width: Double, to height: Double, in size: PixelSize) {
        let shape = width / height * Double(size.height) / Double(max(1, size.width))
        let (across, down) = (min(1, shape), min(1, 1 / shape))
        self.init(x: (1 - across) / 2, y: (1 - down) / 2, width: across, height: down)
    }

    /// Returns the part of a picture of `size`, with edges at the nearest whole pixels. The result is clipped to the
    /// picture, and has at least one pixel.
    public func pixels(in size: PixelSize) -> PixelRect {
        func edges(_ begin: Double, _ length: Double, _ side: Int) -> (Int, Int) {
            let side = Double(max(1, side))
            // NaN and values far outside are limited to the edges.
            func place(_ value: Double) -> Double { value.isNaN ? 0 : min(max(0, (value * side).rounded()), side) }
            let from = min(place(begin), side - 1)
            return (Int(from), Int(max(1, place(begin + length) - from)))
        }
        let (x, width) = edges(x, width, size.width)
        let (y, height) = edges(y, height, size.height)
        return PixelRect(x: x, y: y, width: width, height: height)
    }
}
