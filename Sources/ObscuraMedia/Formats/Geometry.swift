// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A size in pixels.
public struct PixelSize: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The width, in pixels.
    public var width: Int
    /// The height, in pixels.
    public var height: Int

    /// Creates a size, without validation.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The largest frame that a decoder accepts from a camera configured to this size: the longest sides of H.264
    /// (level 5.2), or twice the configured sides. A stream may change its size while it runs, but the limit keeps it
    /// from exhausting memory.
    package var decodingLimit: PixelSize {
        func limit(_ side: Int) -> Int { min(16384, max(4096, 2 * min(side, 16384))) }
        return PixelSize(width: limit(width), height: limit(height))
    }

    /// The number of pixels; the largest `Int` if it is larger, since the sides may come from a file.
    package var pixelCount: Int {
        let (product, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? .max : product
    }

    /// The size after a rotation by 90 degrees.
    public var transposed: PixelSize {
        PixelSize(width: height, height: width)
    }

    /// A description such as `1280x720`.
    public var description: String {
        "\(width)x\(height)"
    }
}

/// A rectangle in pixels; the origin is the top left corner of the frame.
public struct PixelRect: Sendable, Hashable {
    /// The leftmost column of the rectangle, counted from 0 at the left edge of the frame.
    public var x: Int
    /// The topmost row of the rectangle, counted from 0 at the top edge of the frame.
    public var y: Int
    /// The width, in pixels.
    public var width: Int
    /// The height, in pixels.
    public var height: Int

    /// Creates a rectangle, without validation.
    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// Returns the part of the rectangle inside an image of this size; nil if no pixel is inside.
    public func clipped(to size: PixelSize) -> PixelRect? {
        let (left, top) = (max(0, x), max(0, y))
        let right = min(size.width, Self.end(of: width, from: x))
        let bottom = min(size.height, Self.end(of: height, from: y))
        guard left < right, top < bottom else { return nil }
        return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
    }

    /// Returns the sum, limited to the range of `Int`: rectangles are not validated.
    private static func end(of length: Int, from begin: Int) -> Int {
        let (end, isOverflow) = begin.addingReportingOverflow(length)
        return isOverflow ? (length > 0 ? .max : .min) : end
    }
}
