// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// Light and colours of a photo: what is changed about them, to be looked at, altered and taken back.
///
/// For each channel c of a pixel, from 0 to 1: v = (c x gain - black) / (white - black), cut off at 0 and 1. Then, with
/// the luma Y of v (BT.709): shadows are lifted, v x (1 + 1.5 s (1 - Y)^4), and at last colours spread from the new
/// luma Y', Y' + saturation x (v - Y').
public struct Enhancement: Sendable, Hashable, Codable {
    /// How much brighter each colour becomes: the white balance.
    public struct Gains: Sendable, Hashable, Codable {
        /// Of red.
        public var red: Double
        /// Of green.
        public var green: Double
        /// Of blue.
        public var blue: Double

        /// 1 changes nothing.
        public init(red: Double = 1, green: Double = 1, blue: Double = 1) {
            self.red = red
            self.green = green
            self.blue = blue
        }
    }

    /// The white balance, before everything else.
    public var gains = Gains()
    /// What becomes black, from 0 to 1.
    public var black = 0.0
    /// What becomes white, from 0 to 1, above ``black``.
    public var white = 1.0
    /// How much dark parts are lifted, from 0 to 1.
    public var shadows = 0.0
    /// How strong colours are: 1 changes nothing, 0 leaves grey.
    public var saturation = 1.0

    /// Changes nothing.
    public static let none = Enhancement()

    /// Changes nothing, until its parts are set.
    public init() {}

    /// What the channel's 256 values become before shadows and saturation, from 0 to 1.
    func levels(gain: Double) -> [Float] {
        let span = max(1.0 / 255, sound(white, 1) - sound(black, 0))
        return (0..<256).map { value in
            Float(min(max(0, (Double(value) / 255 * sound(gain, 1) - sound(black, 0)) / span), 1))
        }
    }

    /// By how much a pixel is lifted, for 1,024 steps of its luma.
    var lift: [Float] {
        let amount = min(max(0, sound(shadows, 0)), 1)
        return (0..<1024).map { step in
            let dark = 1 - Double(step) / 1023
            return Float(1 + 1.5 * amount * dark * dark * dark * dark)
        }
    }

    /// How far colours spread, within what makes sense.
    var spread: Float { Float(min(max(0, sound(saturation, 1)), 16)) }

    private func sound(_ value: Double, _ usual: Double) -> Double { value.isFinite ? value : usual }
}
