// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CPixelKernels
internal import ObscuraMedia

/// The bytes of RGB pixels.
extension PixelKernels {
    /// Converts a format of four bytes per pixel to BGRA or RGBA. An undefined byte becomes an alpha of 255.
    static func reorder(_ source: PixelBuffer, into target: inout PixelBuffer) throws {
        let isSwapped = source.format.isBlueFirst != target.format.isBlueFirst
        let order: PKOrder =
            switch (source.format.isAlphaFirst, isSwapped) {
            case (false, false): .same
            case (false, true): .swapped
            case (true, false): .rotated
            case (true, true): .reversed
            }
        let (width, height) = (source.width, source.height)
        let isOpaque = source.format.hasUndefinedAlpha
        try target.withMutablePlanes { to in
            source.withPlanes { from in
                PKReorder(
                    from[0].bytes, from[0].bytesPerRow, to[0].bytes, to[0].bytesPerRow, width, height, order,
                    isOpaque ? 1 : 0)
            }
        }
    }

    /// Packs the rows without padding and alpha: three bytes per pixel of RGBA, one of gray8.
    static func pack(_ source: PixelBuffer, into pixels: inout [UInt8]) {
        let (width, height) = (source.width, source.height)
        let isGray = source.format == .gray8
        let rowBytes = width * (isGray ? 1 : 3)
        if pixels.count != rowBytes * height { pixels = [UInt8](repeating: 0, count: rowBytes * height) }
        source.withPlanes { planes in
            pixels.withUnsafeMutableBufferPointer { buffer in
                guard let to = buffer.baseAddress else { return }
                let (from, stride) = (planes[0].bytes, planes[0].bytesPerRow)
                guard isGray else { return PKDropAlpha(from, stride, to, rowBytes, width, height) }
                for row in 0..<height { (to + row * rowBytes).update(from: from + row * stride, count: rowBytes) }
            }
        }
    }

    /// Expands RGB of limited range (16 to 235) to full range (0 to 255).
    static func expandRange(_ source: PixelBuffer, into target: inout PixelBuffer) throws {
        let (width, height) = (source.width, source.height)
        let pixelBytes = source.format.withAlpha == source.format ? 4 : 3
        let firstColor = source.format.isAlphaFirst ? 1 : 0
        try target.withMutablePlanes { to in
            source.withPlanes { from in
                PKExpandRange(
                    from[0].bytes, from[0].bytesPerRow, to[0].bytes, to[0].bytesPerRow, width, height, pixelBytes,
                    firstColor)
            }
        }
    }
}
