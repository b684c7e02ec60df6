// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CPixelKernels
internal import ObscuraMedia

extension PixelKernels {
    /// Scales pixels of four bytes to the size of the target: in each direction the mean of the pixels that a result covers
    /// if it becomes smaller, and a linear interpolation between pixel centers if it becomes larger.
    static func scale(_ source: PixelBuffer, into target: inout PixelBuffer) throws {
        let columns = taps(from: source.width, to: target.width)
        let rows = taps(from: source.height, to: target.height)
        var sums = [Float](repeating: 0, count: 4 * source.width)
        try target.withMutablePlanes { to in
            source.withPlanes { from in
                PKScale(
                    from[0].bytes, from[0].bytesPerRow, source.width, columns, columns.count, rows, rows.count, &sums,
                    to[0].bytes, to[0].bytesPerRow)
            }
        }
    }

    private static func taps(from old: Int, to new: Int) -> [PKTaps] {
        (0..<new).map { old > new ? meanTaps($0, old, new) : linearTaps($0, old, new) }
    }

    /// Result `index` covers the interval from `index` to `index + 1`, in units of `old / new` pixels.
    private static func meanTaps(_ index: Int, _ old: Int, _ new: Int) -> PKTaps {
        // In parts of a pixel, of which it has `new`, so that the bounds are exact.
        let (begin, end) = (index * old, (index + 1) * old)
        let start = begin / new
        let last = (end - 1) / new
        func weight(_ parts: Int) -> Float { Float(parts) / Float(old) }
        return PKTaps(
            start: Int32(start), count: Int32(last - start + 1), first: weight((start + 1) * new - begin),
            middle: weight(new), last: weight(end - last * new))
    }

    private static func linearTaps(_ index: Int, _ old: Int, _ new: Int) -> PKTaps {
        // The center of the result, from that of the first pixel on, in parts of a pixel, of which it has 2 * new.
        let center = (2 * index + 1) * old - new
        let start = min(max(0, center / (2 * new)), old - 1)
        let rest = Float(center - start * 2 * new) / Float(2 * new)
        guard rest > 0, start < old - 1 else {
            return PKTaps(start: Int32(start), count: 1, first: 1, middle: 0, last: 0)
        }
        return PKTaps(start: Int32(start), count: 2, first: 1 - rest, middle: 0, last: rest)
    }
}
