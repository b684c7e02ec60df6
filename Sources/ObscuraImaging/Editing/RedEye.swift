// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraMedia

/// The correction of red pupils caused by a flash.
///
/// In such a pupil red is at least twice the mean of green and blue; in skin, lips and hair at most about 1.5 times.
/// Redder pixels within the ellipse of the eye get the mean of green and blue as red: the pupil becomes gray, and its
/// highlights remain.
package enum RedEye {
    /// The ratio of red to the mean of green and blue at which the correction begins, and at which it is complete.
    private static let (least, most) = (1.6, 2.1)
    /// The minimum of red for a correction.
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

    /// Returns 1 inside the ellipse that fits the rectangle, 0 outside, with a transition in the outermost tenth.
    static func ellipse(_ x: Int, _ y: Int, _ rect: PixelRect) -> Double {
        let across = (Double(x - rect.x) + 0.5) / Double(rect.width) * 2 - 1
        let down = (Double(y - rect.y) + 0.5) / Double(rect.height) * 2 - 1
        return min(max(0, (1 - sqrt(across * across + down * down)) * 10), 1)
    }
}
