// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// A rectangle of whole pixels in the coordinates of Core Image, whose y axis points up.
struct ImageArea: Hashable, Sendable {
    var x: Int
    /// The lower edge.
    var y: Int
    var width: Int
    var height: Int

    var size: PixelSize { PixelSize(width: width, height: height) }
    var rect: CGRect { CGRect(x: x, y: y, width: width, height: height) }

    init(x: Int = 0, y: Int = 0, width: Int, height: Int) {
        (self.x, self.y) = (x, y)
        (self.width, self.height) = (width, height)
    }

    init(size: PixelSize) {
        self.init(width: size.width, height: size.height)
    }

    /// The smallest area that contains a rectangle; nil for an empty one.
    init?(enclosing rect: CGRect) {
        guard let rect = PixelRect(enclosing: rect) else { return nil }
        self.init(x: rect.x, y: rect.y, width: rect.width, height: rect.height)
    }

    func intersection(_ other: ImageArea) -> ImageArea? {
        let (left, bottom) = (max(x, other.x), max(y, other.y))
        let right = min(x + width, other.x + other.width)
        let top = min(y + height, other.y + other.height)
        guard left < right, bottom < top else { return nil }
        return ImageArea(x: left, y: bottom, width: right - left, height: top - bottom)
    }

    /// Returns an area in the pixels of a picture of this one, from its top left corner.
    func pixels(of part: ImageArea) -> PixelRect {
        PixelRect(
            x: part.x - x, y: y + height - part.y - part.height, width: part.width, height: part.height)
    }
}
