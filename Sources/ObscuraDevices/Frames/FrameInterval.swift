// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// A frame interval as a fraction of a second.
struct FrameInterval: Sendable, Hashable {
    let numerator: UInt32
    let denominator: UInt32

    init(numerator: UInt32, denominator: UInt32) {
        self.numerator = numerator
        self.denominator = denominator
    }

    init(_ rate: FrameRate) {
        self.init(numerator: UInt32(rate.seconds), denominator: UInt32(rate.frames))
    }

    var isUsable: Bool { numerator > 0 && denominator > 0 }

    /// The rate in lowest terms; nil for an invalid fraction.
    var frameRate: FrameRate? {
        guard isUsable else { return nil }
        var (a, b) = (numerator, denominator)
        while b != 0 { (a, b) = (b, a % b) }
        guard let frames = Int32(exactly: denominator / a), let seconds = Int32(exactly: numerator / a) else {
            return nil
        }
        return FrameRate(frames, per: seconds)
    }
}
