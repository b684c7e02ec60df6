// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CPixelKernels
internal import ObscuraBase
package import ObscuraMedia

extension EffectKernels {
    /// Replaces each sample by the mean within `radius` pixels horizontally and vertically, `passes` times, on every
    /// plane.
    ///
    /// - Precondition: both are at least 1, and the format is one of ``PixelFormat/sampleBytes``.
    package func blur(_ source: PixelBuffer, into target: inout PixelBuffer, radius: Int, passes: Int) throws {
        let format = source.format
        let (columns, rows) = format.chromaSubsampling
        let radius = min(radius, PKLargestRadius)
        try source.withRows(&target) { planes in
            for (index, (from, to)) in planes.enumerated() {
                let isChroma = index > 0
                let step = format.sampleBytes(ofPlane: index)
                // At least one sample, so that chroma is blurred whenever luma is.
                let across = isChroma ? (radius + columns / 2) / columns : radius
                let down = isChroma ? (radius + rows / 2) / rows : radius
                from.forEachBand { band in blurRows(band, from, to, step: step, radius: across, passes: passes) }
                blurColumns(to, radius: down, passes: passes)
            }
        }
    }

    private func blurRows(
        _ band: Range<Int>, _ from: PlaneRows, _ to: PlaneRows, step: Int, radius: Int, passes: Int
    ) {
        let width = from.byteCount / step
        let byteCount = PKBlurRowsScratch(width, step)
        withUnsafeTemporaryAllocation(byteCount: byteCount, alignment: 64) { scratch in
            guard let scratch = scratch.baseAddress else { return }
            table.blurRows(
                from.row(band.lowerBound), from.stride, to.row(band.lowerBound), to.stride, width, band.count, step,
                radius, passes, scratch)
        }
    }

    /// Blurs columns, in strips that fit in a core's cache.
    private func blurColumns(_ to: PlaneRows, radius: Int, passes: Int) {
        let stripBytes = min(max(64, Self.bytesOfAStrip / to.count / 64 * 64), 512)
        let strips = (to.byteCount - 1) / stripBytes + 1
        let least = Self.bytesOfAStrip / (stripBytes * to.count) + 1
        WorkerPool.transforms.forEachBand(of: strips, atLeast: min(least, strips)) { band in
            withUnsafeTemporaryAllocation(
                byteCount: PKBlurColumnsScratch(stripBytes, to.count), alignment: 64
            ) { scratch in
                guard let scratch = scratch.baseAddress else { return }
                for strip in band {
                    let x = strip * stripBytes
                    let byteCount = min(stripBytes, to.byteCount - x)
                    table.blurColumns(to.base + x, to.stride, byteCount, to.count, radius, passes, scratch)
                }
            }
        }
    }

    private static let bytesOfAStrip = 256 << 10
}

extension PixelFormat {
    /// Returns the distance between samples of one component, in bytes; 0 if a plane has components at different
    /// distances, or samples that are not bytes.
    package func sampleBytes(ofPlane plane: Int) -> Int {
        switch self {
        case .bgra, .rgba: 4
        case .gray8, .i420, .i422, .i444: 1
        case .nv12, .nv21, .nv16: plane == 0 ? 1 : 2
        default: 0
        }
    }
}
