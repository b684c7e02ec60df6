// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The layout of the pixels of a bitmap, in the order of the bytes in memory.
public struct CIFormat: RawRepresentable, Sendable, Hashable {
    /// The number of the layout.
    public let rawValue: Int32

    /// Creates a layout from its number.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// 4 bytes: alpha, red, green, blue.
    public static let ARGB8 = CIFormat(rawValue: 265)
    /// 4 bytes: blue, green, red, alpha.
    public static let BGRA8 = CIFormat(rawValue: 266)
    /// 4 bytes: red, green, blue, alpha.
    public static let RGBA8 = CIFormat(rawValue: 264)
    /// 4 bytes: alpha, blue, green, red.
    public static let ABGR8 = CIFormat(rawValue: 267)
}
