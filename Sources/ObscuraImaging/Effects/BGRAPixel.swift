// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A BGRA pixel in its memory layout.
public struct BGRAPixel: Sendable, Hashable {
    /// Blue, 0 to 255.
    public var blue: UInt8
    /// Green, 0 to 255.
    public var green: UInt8
    /// Red, 0 to 255.
    public var red: UInt8
    /// Alpha, 0 (transparent) to 255 (opaque).
    public var alpha: UInt8

    /// Creates a pixel; by default it is opaque.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }
}
