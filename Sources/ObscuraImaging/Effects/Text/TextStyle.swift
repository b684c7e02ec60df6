// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The style of text over a frame.
public struct TextStyle: Sendable, Hashable {
    /// The font size: about the height from the descender of g to the accent of É.
    public enum Size: Sendable, Hashable {
        /// In pixels of the upright frame.
        case pixels(Double)
        /// As a fraction of the upright frame's height, for the same appearance at all frame sizes.
        case share(Double)
    }

    /// A font family, such as `DejaVu Sans` or `monospace`, or the path of a font file. A value with a slash is a path.
    /// For a family, the most similar installed font is used.
    public var font: String
    /// The font size, limited to 4 to 1000 pixels.
    public var size: Size
    /// The color of the text.
    public var color: BGRAPixel
    /// The background color of the box around the text; nil for no background.
    public var background: BGRAPixel?

    /// Creates a style; by default, white on half transparent black, with a font size of 1/20 of the frame's height.
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

    /// Returns the font size in pixels for a frame of this height.
    func pixels(inHeight height: Int) -> Int {
        let pixels =
            switch size {
            case .pixels(let pixels): pixels
            case .share(let share): share * Double(height)
            }
        // NaN becomes the minimum.
        return pixels > 4 ? Int(min(pixels, 1000).rounded()) : 4
    }
}
