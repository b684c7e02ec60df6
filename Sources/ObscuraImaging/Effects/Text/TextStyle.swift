// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// How text over a picture looks.
public struct TextStyle: Sendable, Hashable {
    /// How large letters are, as typographers measure them: from the foot of a g to the head of an É, about.
    public enum Size: Sendable, Hashable {
        /// In pixels of the upright picture.
        case pixels(Double)
        /// Of the height of the upright picture, so that text looks alike in pictures of all sizes.
        case share(Double)
    }

    /// A family (`DejaVu Sans`, `monospace`), or the path of a font's file; the nearest that the system has is taken.
    public var font: String
    /// How large letters are. They have at least 4 pixels and at most 1000.
    public var size: Size
    /// The colour of letters.
    public var color: BGRAPixel
    /// What lies below them, around all of the text; nil for nothing.
    public var background: BGRAPixel?

    /// White on a half transparent black, a twentieth of the picture high, unless said otherwise.
    public init(
        font: String = "sans-serif", size: Size = .share(0.05),
        color: BGRAPixel = BGRAPixel(red: 255, green: 255, blue: 255),
        background: BGRAPixel? = BGRAPixel(red: 0, green: 0, blue: 0, alpha: 128)
    ) {
        self.font = font
        self.size = size
        self.color = color
        self.background = background
    }

    /// The size of letters in a picture of that height.
    func pixels(inHeight height: Int) -> Int {
        let pixels =
            switch size {
            case .pixels(let pixels): pixels
            case .share(let share): share * Double(height)
            }
        // What is no number is small.
        return pixels > 4 ? Int(min(pixels, 1000).rounded()) : 4
    }
}
