// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CPixelKernels
package import ObscuraMedia

extension EffectKernels {
    /// Replaces blocks of `side` x `side` pixels by their mean, from the corner of each of `regions`; the rest is
    /// unchanged. Overlapping regions are processed in order.
    ///
    /// - Precondition: the format is one of ``PixelFormat/sampleBytes(ofPlane:)``; `side` and the corner of each region
    ///   are multiples of the chroma block, and the regions are inside the picture.
    package static func pixellate(
        _ regions: [PixelRect], of source: PixelBuffer, into target: inout PixelBuffer, side: Int
    ) throws {
        let format = source.format
        let (columns, rows) = format.chromaSubsampling
        let whole = PixelRect(x: 0, y: 0, width: source.width, height: source.height)
        try source.withRows(&target) { planes in
            for (index, (from, to)) in planes.enumerated() {
                let (across, down) = index > 0 ? (columns, rows) : (1, 1)
                let step = format.sampleBytes(ofPlane: index)
                let block = (width: side / across, height: side / down)
                guard regions != [whole] else {
                    pixellate(from, into: to, step: step, block)
                    continue
                }
                from.forEachBand { from.copy($0, to: to) }
                for region in regions {
                    let left = region.x / across
                    let right = (region.x + region.width - 1) / across + 1
                    let (top, bottom) = (region.y / down, (region.y + region.height - 1) / down + 1)
                    let part = to.part(x: left * step, y: top, byteCount: (right - left) * step, count: bottom - top)
                    pixellate(part, into: part, step: step, block)
                }
            }
        }
    }

    private static func pixellate(
        _ from: PlaneRows, into to: PlaneRows, step: Int, _ block: (width: Int, height: Int)
    ) {
        let width = from.byteCount / step
        from.forEachBand(multiple: block.height) { band in
            withUnsafeTemporaryAllocation(of: UInt32.self, capacity: from.byteCount) { sums in
                guard let sums = sums.baseAddress else { return }
                PKPixellate(
                    from.row(band.lowerBound), from.stride, to.row(band.lowerBound), to.stride, width, band.count, step,
                    block.width, block.height, sums)
            }
        }
    }
}
