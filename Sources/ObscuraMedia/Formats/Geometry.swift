// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A size in pixels.
public struct PixelSize: Sendable, Hashable, Codable, CustomStringConvertible {
    /// In pixels.
    public var width: Int
    /// In pixels.
    public var height: Int

    /// A size; no check is made.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The largest picture that a decoder accepts from a camera that agreed to this size: H.264's longest sides (level
    /// 5.2), or twice the agreed ones. A stream may change its size on the way, but not so that it fills the memory.
    package var decodingLimit: PixelSize {
        func limit(_ side: Int) -> Int { min(16384, max(4096, 2 * min(side, 16384))) }
        return PixelSize(width: limit(width), height: limit(height))
    }

    /// Width times height.
    package var pixelCount: Int { width * height }

    /// The size after a quarter turn.
    public var transposed: PixelSize {
        PixelSize(width: height, height: width)
    }

    /// Such as `1280x720`.
    public var description: String {
        "\(width)x\(height)"
    }
}

/// A rectangle in pixels; the origin is the top left corner of the picture.
public struct PixelRect: Sendable, Hashable {
    /// The leftmost column.
    public var x: Int
    /// The topmost row.
    public var y: Int
    /// In pixels.
    public var width: Int
    /// In pixels.
    public var height: Int

    /// A rectangle; no check is made.
    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}
