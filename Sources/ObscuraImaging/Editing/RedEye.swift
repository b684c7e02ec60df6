// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraMedia

/// Takes the red out of pupils that a flash has lit.
///
/// In such a pupil red outshines green and blue at least twice; in skin, lips and hair it does so at most about one
/// and a half times. What is redder than that, within the ellipse of the eye, gets the mean of green and blue for its
/// red: the pupil becomes grey, and the light in it stays.
enum RedEye {
    /// How many times red may outshine the mean of green and blue and stay as it is, and where it is wholly mended.
    private static let (least, most) = (1.6, 2.1)
    /// Darker reds are no light.
    private static let darkest = 48

    static func mend(
        _ picture: PixelBuffer, _ eyes: [UnitRect], in pool: PixelBufferPool?
    ) throws -> PixelBuffer {
        var mended = try picture.copy(in: pool)
        let stride = mended.bytesPerRow(ofPlane: 0)
        let size = mended.size
        try mended.withMutableBytes(ofPlane: 0) { bytes in
            for eye in eyes where eye.x < 1 && eye.y < 1 && eye.x + eye.width > 0 && eye.y + eye.height > 0 {
                let rect = eye.pixels(in: size)
                for y in rect.y..<(rect.y + rect.height) {
                    for x in rect.x..<(rect.x + rect.width) {
                        let share = ellipse(x, y, rect)
                        guard share > 0 else { continue }
                        let place = y * stride + 4 * x
                        func sample(_ index: Int) -> Int {
                            Int(bytes.unsafeLoad(fromByteOffset: place + index, as: UInt8.self))
                        }
                        let (blue, green, red) = (sample(0), sample(1), sample(2))
                        let other = Double(blue + green) / 2
                        let ratio = Double(red) / max(1, other)
                        guard red >= darkest, ratio > least else { continue }
                        let amount = share * min(1, (ratio - least) / (most - least))
                        let value = UInt8((Double(red) + amount * (other - Double(red))).rounded())
                        bytes.storeBytes(of: value, toByteOffset: place + 2, as: UInt8.self)
                    }
                }
            }
        }
        return mended
    }

    /// 1 within the ellipse that fits the part, 0 outside, and between in the outermost tenth.
    private static func ellipse(_ x: Int, _ y: Int, _ rect: PixelRect) -> Double {
        let across = (Double(x - rect.x) + 0.5) / Double(rect.width) * 2 - 1
        let down = (Double(y - rect.y) + 0.5) / Double(rect.height) * 2 - 1
        return min(max(0, (1 - sqrt(across * across + down * down)) * 10), 1)
    }
}
