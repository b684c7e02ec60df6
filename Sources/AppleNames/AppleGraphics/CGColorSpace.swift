// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The meaning of the colors of a picture. Only sRGB is available.
public final class CGColorSpace: Sendable {
    /// The name of sRGB.
    public static let sRGB: CFString = "kCGColorSpaceSRGB"

    package static let standard = CGColorSpace()

    /// The name.
    public let name: CFString? = CGColorSpace.sRGB
    /// The number of components of a color.
    public let numberOfComponents = 3

    private init() {}

    /// Creates a color space by its name.
    ///
    /// - Returns: nil for every name except ``sRGB``.
    public init?(name: CFString) {
        guard name == Self.sRGB else { return nil }
    }
}

/// Returns the color space of displays: sRGB.
public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { .standard }

extension CGColorSpace: Hashable {
    /// Whether both are the same color space.
    public static func == (one: CGColorSpace, other: CGColorSpace) -> Bool { one.name == other.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
    }
}
