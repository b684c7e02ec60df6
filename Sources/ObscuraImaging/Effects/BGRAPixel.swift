// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A pixel of a picture in BGRA, as it lies in memory.
public struct BGRAPixel: Sendable, Hashable {
    /// 0 to 255.
    public var blue: UInt8
    /// 0 to 255.
    public var green: UInt8
    /// 0 to 255.
    public var red: UInt8
    /// 0 (nothing is seen) to 255 (nothing is seen through it).
    public var alpha: UInt8

    /// A colour, opaque unless said otherwise.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }
}
