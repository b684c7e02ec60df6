// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraMedia

extension RedEye {
    /// Returns the parts of a picture to correct with ``StillEdit/redEye(_:)``: a little more than each red pupil.
    ///
    /// A pupil is red if the largest connected area of red pixels in the ellipse of the eye is nearly round, and at most
    /// half as wide as the eye. The red of a red pixel is at least twice its green and its blue. In a brown iris and in
    /// skin, green is more than half of red.
    ///
    /// - Parameters:
    ///   - picture: any uncompressed picture.
    ///   - eyes: the bounds of the eyes, as those of a face.
    /// - Throws: as ``ImageTransformer/transform(_:_:in:context:)``.
    package static func redPupils(in picture: PixelBuffer, eyes: [PixelRect]) throws -> [UnitRect] {
        try eyes.compactMap { eye in
            guard let eye = eye.clipped(to: picture.size) else { return nil }
            var request = ImageRequest(pixelFormat: .bgra)
            request.crop = eye
            guard let pupil = RedPixels(try ImageTransformer.transform(picture, request)).pupil else { return nil }
            // The pupil is inside of the part of the ellipse that is corrected completely.
            let (dx, dy) = (max(1, pupil.width / 4), max(1, pupil.height / 4))
            let part = PixelRect(
                x: eye.x + pupil.x - dx, y: eye.y + pupil.y - dy, width: pupil.width + 2 * dx,
                height: pupil.height + 2 * dy)
            return part.clipped(to: picture.size).map { UnitRect($0, in: picture.size) }
        }
    }
}

/// The red pixels of an eye.
private struct RedPixels {
    /// The minimum of red.
    private static let darkest = 96
    /// The minimum number of pixels of a pupil.
    private static let smallest = 4

    private let size: PixelSize
    private var isRed: [Bool]

    /// - Parameter eye: BGRA.
    init(_ eye: PixelBuffer) {
        let (size, bytes) = (eye.size, eye.packedBytes())
        self.size = size
        let whole = PixelRect(x: 0, y: 0, width: size.width, height: size.height)
        isRed = (0..<size.pixelCount).map { index in
            let (blue, green, red) = (Int(bytes[4 * index]), Int(bytes[4 * index + 1]), Int(bytes[4 * index + 2]))
            return red >= Self.darkest && red >= 2 * max(green, blue)
                && RedEye.ellipse(index % size.width, index / size.width, whole) > 0
        }
    }

    /// The bounds of the pupil; nil if there is none.
    var pupil: PixelRect? {
        var rest = self
        let areas = isRed.indices.compactMap { rest.takeArea(from: $0) }
        guard let (count, bounds) = areas.max(by: { $0.count < $1.count }) else { return nil }
        let (least, most) = (min(bounds.width, bounds.height), max(bounds.width, bounds.height))
        // Three quarters of its bounds for a circle, and less with a reflection of the flash.
        guard count >= Self.smallest, most <= 2 * least, 2 * most <= max(size.width, size.height),
            5 * count >= 2 * bounds.width * bounds.height
        else { return nil }
        return bounds
    }

    /// Removes the connected red pixels around a pixel, and returns their number and their bounds; nil if the pixel is
    /// not red.
    private mutating func takeArea(from start: Int) -> (count: Int, bounds: PixelRect)? {
        guard isRed[start] else { return nil }
        isRed[start] = false
        var (pending, count) = ([start], 0)
        var (left, right) = (start % size.width, start % size.width)
        var (top, bottom) = (start / size.width, start / size.width)
        while let index = pending.popLast() {
            count += 1
            let (x, y) = (index % size.width, index / size.width)
            (left, right) = (min(left, x), max(right, x))
            (top, bottom) = (min(top, y), max(bottom, y))
            let neighbors = [
                x > 0 ? index - 1 : nil, x + 1 < size.width ? index + 1 : nil, y > 0 ? index - size.width : nil,
                y + 1 < size.height ? index + size.width : nil,
            ]
            for case let next? in neighbors where isRed[next] {
                isRed[next] = false
                pending.append(next)
            }
        }
        return (count, PixelRect(x: left, y: top, width: right - left + 1, height: bottom - top + 1))
    }
}
