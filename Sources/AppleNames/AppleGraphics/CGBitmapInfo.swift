// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The position of alpha in a pixel, and whether the colors are multiplied by it.
public enum CGImageAlphaInfo: UInt32, Sendable {
    /// There is no alpha.
    case none = 0
    /// Alpha is last; the colors are multiplied by it.
    case premultipliedLast = 1
    /// Alpha is first; the colors are multiplied by it.
    case premultipliedFirst = 2
    /// Alpha is last; the colors are not multiplied by it.
    case last = 3
    /// Alpha is first; the colors are not multiplied by it.
    case first = 4
    /// The last byte has no meaning.
    case noneSkipLast = 5
    /// The first byte has no meaning.
    case noneSkipFirst = 6
    /// There is only alpha, and no color.
    case alphaOnly = 7
}

/// The order of the bytes of a pixel.
public enum CGImageByteOrderInfo: UInt32, Sendable {
    /// The bytes are in the order of the components.
    case orderDefault = 0
    /// Numbers of 16 bits, the lowest byte first.
    case order16Little = 0x1000
    /// Numbers of 32 bits, the lowest byte first.
    case order32Little = 0x2000
    /// Numbers of 16 bits, the highest byte first.
    case order16Big = 0x3000
    /// Numbers of 32 bits, the highest byte first.
    case order32Big = 0x4000
}

/// The layout of a pixel.
public struct CGBitmapInfo: OptionSet, Sendable, Hashable {
    /// A ``CGImageAlphaInfo`` and a ``CGImageByteOrderInfo``.
    public let rawValue: UInt32

    /// Creates a layout from its bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The bits of a ``CGImageAlphaInfo``.
    public static let alphaInfoMask = CGBitmapInfo(rawValue: 0x1F)
    /// The bits of a ``CGImageByteOrderInfo``.
    public static let byteOrderMask = CGBitmapInfo(rawValue: 0x7000)
    /// Numbers of 32 bits, the lowest byte first.
    public static let byteOrder32Little = CGBitmapInfo(rawValue: 0x2000)
    /// Numbers of 32 bits, the highest byte first.
    public static let byteOrder32Big = CGBitmapInfo(rawValue: 0x4000)
}
