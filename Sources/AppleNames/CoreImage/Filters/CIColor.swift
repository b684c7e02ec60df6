// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A color of sRGB, with components from 0 to 1.
public final class CIColor: Sendable {
    /// The red component.
    public let red: CGFloat
    /// The green component.
    public let green: CGFloat
    /// The blue component.
    public let blue: CGFloat
    /// The opacity.
    public let alpha: CGFloat

    /// Creates a color.
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        (self.red, self.green, self.blue) = (red, green, blue)
        self.alpha = alpha
    }

    /// Creates an opaque color.
    public convenience init(red: CGFloat, green: CGFloat, blue: CGFloat) {
        self.init(red: red, green: green, blue: blue, alpha: 1)
    }

    /// Black.
    public static let black = CIColor(red: 0, green: 0, blue: 0)
    /// White.
    public static let white = CIColor(red: 1, green: 1, blue: 1)
    /// Gray.
    public static let gray = CIColor(red: 0.5, green: 0.5, blue: 0.5)
    /// Red.
    public static let red = CIColor(red: 1, green: 0, blue: 0)
    /// Green.
    public static let green = CIColor(red: 0, green: 1, blue: 0)
    /// Blue.
    public static let blue = CIColor(red: 0, green: 0, blue: 1)
    /// Yellow.
    public static let yellow = CIColor(red: 1, green: 1, blue: 0)
}

extension CIColor: Hashable {
    /// Whether both are the same color.
    public static func == (one: CIColor, other: CIColor) -> Bool {
        (one.red, one.green, one.blue, one.alpha) == (other.red, other.green, other.blue, other.alpha)
    }

    /// Hashes the numbers.
    public func hash(into hasher: inout Hasher) {
        hasher.combine([red, green, blue, alpha])
    }
}
