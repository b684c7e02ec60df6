// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CPixelKernels
internal import ObscuraMedia

/// The arithmetic of photo edits, on BGRA.
extension PixelKernels {
    /// Resamples a picture to `size` by a mapping to the source.
    static func warp(
        _ source: PixelBuffer, _ map: EditGeometry.Map, to size: PixelSize, in pool: PixelBufferPool?
    ) throws -> PixelBuffer {
        var target = try PixelBuffer.make(
            in: pool, format: .bgra, width: size.width, height: size.height, colorSpace: source.colorSpace)
        let numbers = [map.a, map.b, map.tx, map.c, map.d, map.ty]
        try target.withMutablePlanes { targets in
            source.withPlanes { sources in
                PKWarp(
                    sources[0].bytes, sources[0].bytesPerRow, source.width, source.height, targets[0].bytes,
                    targets[0].bytesPerRow, size.width, 0, size.height, numbers)
            }
        }
        return target
    }

    /// Applies an enhancement.
    static func enhance(
        _ source: PixelBuffer, _ enhancement: Enhancement, in pool: PixelBufferPool?
    ) throws -> PixelBuffer {
        var target = try PixelBuffer.make(
            in: pool, format: .bgra, width: source.width, height: source.height, colorSpace: source.colorSpace)
        let gains = enhancement.gains
        let levels = [gains.blue, gains.green, gains.red].flatMap(enhancement.levels(gain:))
        try target.withMutablePlanes { targets in
            source.withPlanes { sources in
                PKEnhance(
                    sources[0].bytes, sources[0].bytesPerRow, targets[0].bytes, targets[0].bytesPerRow, source.width,
                    source.height, levels, enhancement.lift, enhancement.spread)
            }
        }
        return target
    }
}
