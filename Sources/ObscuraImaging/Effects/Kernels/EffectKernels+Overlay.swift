// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CPixelKernels
internal import ObscuraBase
package import ObscuraMedia

extension EffectKernels {
    /// Blends `layer`, BGRA or RGBA with straight alpha, over a copy of the picture.
    ///
    /// - Parameters:
    ///   - x: the column of the layer's corner. The whole layer is inside the picture.
    ///   - opacity: 0 to 255.
    /// - Precondition: the picture is BGRA or RGBA, or has 8-bit luma and chroma in planes.
    package func overlay(
        _ layer: PixelBuffer, x: Int, y: Int, opacity: Int, on source: PixelBuffer, into target: inout PixelBuffer
    ) throws {
        try layer.withPlanes { layers in
            guard let layerPlane = layers.first else { return }
            let layerRows = PlaneRows(layerPlane, layer.planes[0])
            try source.withRows(&target) { planes in
                if source.format.isYUV {
                    for (from, to) in planes { from.forEachBand { from.copy($0, to: to) } }
                    blendOntoYUV(
                        layerRows, isBlueFirst: layer.format == .bgra, x: x, y: y, opacity: opacity,
                        source, planes.map(\.target))
                } else {
                    let swaps: Int32 = layer.format == source.format ? 0 : 1
                    let (from, to) = planes[0]
                    let covered = y..<(y + layerRows.count)
                    from.forEachBand { band in
                        from.copy(band, to: to)
                        let rows = band.clamped(to: covered)
                        guard !rows.isEmpty else { return }
                        table.blend(
                            layerRows.row(rows.lowerBound - y), layerRows.stride, to.row(rows.lowerBound) + 4 * x,
                            to.stride, layerRows.byteCount / 4, rows.count, UInt32(opacity), swaps)
                    }
                }
            }
        }
    }

    private func blendOntoYUV(
        _ layer: PlaneRows, isBlueFirst: Bool, x: Int, y: Int, opacity: Int, _ picture: PixelBuffer,
        _ planes: [PlaneRows]
    ) {
        let weights = ColorMatrix.fromRGB(to: picture.colorSpace).rows.enumerated().map { index, row in
            PKWeights(index == 0 ? row : row + SIMD4(0, 0, 0, 128), isBlueFirst: isBlueFirst)
        }
        let target = YUVTarget(picture, planes)
        let rows = target.value.rows
        // Bands of the layer's rows that begin between chroma blocks.
        let top = y / rows * rows
        let units = (y + layer.count - top - 1) / rows + 1
        let least = (32 << 10) / max(1, layer.byteCount) + 1
        WorkerPool.transforms.forEachBand(of: units, atLeast: least) { band in
            var target = target.value
            PKBlendOntoYUV(
                layer.base, layer.stride, layer.byteCount / 4, layer.count, x, y, &target, weights, UInt32(opacity),
                top + band.lowerBound * rows, top + band.upperBound * rows)
        }
    }

    /// The planes of a picture for the kernel.
    ///
    /// `Sendable` is proved by the bands: each writes its own rows.
    private struct YUVTarget: @unchecked Sendable {
        let value: PKTarget

        init(_ picture: PixelBuffer, _ planes: [PlaneRows]) {
            let format = picture.format
            let (columns, rows) = format.chromaSubsampling
            let first = planes[1]
            let isShared = planes.count == 2
            let second =
                isShared ? first.part(x: 1, y: 0, byteCount: first.byteCount - 1, count: first.count) : planes[2]
            let (blue, red) = format.hasRedChromaFirst ? (second, first) : (first, second)
            value = PKTarget(
                y: planes[0].base, u: blue.base, v: red.base, yStride: planes[0].stride, uStride: blue.stride,
                vStride: red.stride, width: picture.width, height: picture.height, chromaStep: isShared ? 2 : 1,
                columns: columns, rows: rows)
        }
    }
}
