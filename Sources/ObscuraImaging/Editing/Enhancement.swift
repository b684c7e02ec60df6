// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// Adjustments of a photo's light and colors.
///
/// The channels of a pixel have values from 0 to 1. Three steps change each channel value c:
///
/// 1. White balance and levels: v = (c x gain - black) / (white - black), clipped to 0...1.
/// 2. Shadows: w = v x (1 + 1.5 x shadows x (1 - Y)^4), where Y is the luma (BT.709) after step 1.
/// 3. Saturation: Y' + saturation x (w - Y'), where Y' is the luma after step 2.
public struct Enhancement: Sendable, Hashable, Codable {
    /// The gains of the channels: the white balance.
    public struct Gains: Sendable, Hashable, Codable {
        /// The gain of red.
        public var red: Double
        /// The gain of green.
        public var green: Double
        /// The gain of blue.
        public var blue: Double

        /// Creates gains; a gain of 1 changes nothing.
        public init(red: Double = 1, green: Double = 1, blue: Double = 1) {
            self.red = red
            self.green = green
            self.blue = blue
        }
    }

    /// The white balance, applied first.
    public var gains = Gains()
    /// The value that becomes black, from 0 to 1.
    public var black = 0.0
    /// The value that becomes white, from 0 to 1, above ``black``.
    public var white = 1.0
    /// The brightening of dark parts, from 0 (none) to 1.
    public var shadows = 0.0
    /// The saturation: 1 changes nothing, 0 makes gray.
    public var saturation = 1.0

    /// The enhancement that changes nothing.
    public static let none = Enhancement()

    /// Creates an enhancement that changes nothing.
    public init() {}

    /// Returns the 256 values of a channel after gain and levels, from 0 to 1.
    func levels(gain: Double) -> [Float] {
        let span = max(1.0 / 255, sound(white, 1) - sound(black, 0))
        return (0..<256).map { value in
            Float(min(max(0, (Double(value) / 255 * sound(gain, 1) - sound(black, 0)) / span), 1))
        }
    }

    /// The factors of the shadows for 1,024 steps of luma.
    var lift: [Float] {
        let amount = min(max(0, sound(shadows, 0)), 1)
        return (0..<1024).map { step in
            let dark = 1 - Double(step) / 1023
            return Float(1 + 1.5 * amount * dark * dark * dark * dark)
        }
    }

    /// The saturation within valid limits.
    var spread: Float { Float(min(max(0, sound(saturation, 1)), 16)) }

    private func sound(_ value: Double, _ usual: Double) -> Double { value.isFinite ? value : usual }
}
