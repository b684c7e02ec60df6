// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CPixelKernels
package import ObscuraMedia

/// Pixel arithmetic of `CPixelKernels`, for the instruction sets of this machine.
///
/// The planes of each target must have the shape of the result; the callers are the steps of ``ImagePlan``, which
/// guarantee that.
///
/// `Sendable` is proved by the kernels: the functions of a table keep no state.
package struct PixelKernels: @unchecked Sendable {
    /// The instruction set of the kernels.
    package enum Variant: String, Sendable, CaseIterable {
        /// The instruction set that every machine of the processor architecture has: SSE2 or NEON.
        case baseline
        case avx2
        case avx512

        var inC: PKVariant {
            switch self {
            case .baseline: .baseline
            case .avx2: .AVX2
            case .avx512: .AVX512
            }
        }
    }

    private let table: PKKernels

    /// Creates the kernels for `variant`; nil if this machine cannot run them.
    package init?(_ variant: Variant) {
        guard let table = PKKernelsOf(variant.inC) else { return nil }
        self.table = table.pointee
    }

    private init(table: PKKernels) {
        self.table = table
    }

    /// The fastest kernels that this machine can run.
    package static let best = PixelKernels(table: PKBestKernels().pointee)

    // MARK: Colors

    /// Converts YUV to BGRA or RGBA, by the color space of the source.
    ///
    /// - Parameter isBilinear: for planar formats only.
    package func convertToRGB(
        _ source: PixelBuffer, into target: inout PixelBuffer, isBilinear: Bool = false
    ) throws {
        var rows = ColorMatrix.toRGB(from: source.colorSpace, bitDepth: source.format.bitDepth).rows
        if target.format == .bgra { rows.swapAt(0, 2) }
        // With the weights exchanged as well, a kernel may read Cr as Cb.
        if source.format.hasRedChromaFirst { rows = rows.map { SIMD4($0.x, $0.z, $0.y, $0.w) } }
        let channels = rows.map { PKChannel($0) }
        try target.withMutablePlanes { planes in
            source.withPlanes { sources in
                var picture = PKSource(source, sources)
                let (bytes, stride) = (planes[0].bytes, planes[0].bytesPerRow)
                guard isBilinear else { return table.yuvToRGB(&picture, bytes, stride, channels) }
                withUnsafeTemporaryAllocation(of: UInt16.self, capacity: 2 * source.width) { scratch in
                    guard let words = scratch.baseAddress else { return }
                    table.yuvToRGBBilinear(&picture, bytes, stride, channels, words)
                }
            }
        }
    }

    /// Converts planar YUV or gray to the codes of the target's color space, with 8 bits.
    package func recolor(_ source: PixelBuffer, into target: inout PixelBuffer) throws {
        let rows = ColorMatrix.between(
            source.colorSpace, bitDepth: source.format.bitDepth, and: target.colorSpace
        ).rows
        let layouts = target.planes
        try target.withMutablePlanes { planes in
            source.withPlanes { sources in
                var luma = PKSource(source, sources)
                convert(&luma, into: planes[0], PKChannel(rows[0]))
                guard layouts.count == 3 else { return }
                // The plane is passed as luma, so it is not centered before it is weighted.
                let row = (blue: rows[1], red: rows[2])
                var blue = PKSource(chroma: sources, first: 1, layouts[1], source.format)
                convert(&blue, into: planes[1], PKChannel(SIMD4(row.blue.y, 0, row.blue.z, 128 - 128 * row.blue.y)))
                var red = PKSource(chroma: sources, first: 2, layouts[2], source.format)
                convert(&red, into: planes[2], PKChannel(SIMD4(row.red.z, row.red.y, 0, 128 - 128 * row.red.z)))
            }
        }
    }

    private func convert(_ source: inout PKSource, into plane: PixelStorage.Plane, _ channel: PKChannel) {
        var channel = channel
        let isWide = source.layout == .planarFull10 || source.layout == .planarHalf10
        if channel.u == 0, channel.v == 0, !isWide { source.layout = .gray }
        table.yuvToPlane(&source, plane.bytes, plane.bytesPerRow, &channel)
    }

    /// Converts BGRA, RGBA, BGRX or RGBX to NV12, I420, I422, I444 or gray8, in the target's color space.
    package func convertFromRGB(_ source: PixelBuffer, into target: inout PixelBuffer) throws {
        let weights = ColorMatrix.fromRGB(to: target.colorSpace).rows.enumerated().map { index, row in
            PKWeights(index == 0 ? row : row + SIMD4(0, 0, 0, 128), isBlueFirst: source.format.isBlueFirst)
        }
        let (width, height) = (source.width, source.height)
        let (columns, rows) = target.format.chromaSubsampling
        let isInterleaved = target.format == .nv12
        try target.withMutablePlanes { planes in
            source.withPlanes { sources in
                let (from, stride) = (sources[0].bytes, sources[0].bytesPerRow)
                var luma = weights[0]
                table.rgbToLuma(from, stride, planes[0].bytes, planes[0].bytesPerRow, width, height, &luma)
                guard planes.count > 1 else { return }
                let blue = planes[1]
                let red = isInterleaved ? (blue.bytes + 1, blue.bytesPerRow) : (planes[2].bytes, planes[2].bytesPerRow)
                table.rgbToChroma(
                    from, stride, blue.bytes, blue.bytesPerRow, red.0, red.1, isInterleaved ? 2 : 1, width, height,
                    columns, rows, Array(weights[1...]))
            }
        }
    }

    // MARK: Samples

    /// Converts 10 bits to 8, rounded to nearest: by 1/4 in limited range, by 255/1023 in full range, where the zero of
    /// chroma is at 512 and 128 (H.273, section 8.3).
    package static func narrow(_ source: PixelBuffer, into target: inout PixelBuffer) throws {
        let one = Double(1 << 21)
        let scale = source.colorSpace.range == .limited ? 0.25 : 255.0 / 1023
        let layouts = target.planes
        try target.withMutablePlanes { planes in
            source.withPlanes { sources in
                for (index, layout) in layouts.enumerated() {
                    let zero = index == 0 ? 0 : 128 - 512 * scale
                    PKNarrow(
                        sources[index].bytes, sources[index].bytesPerRow, planes[index].bytes,
                        planes[index].bytesPerRow, layout.rowBytes, layout.rows,
                        Int32((scale * one).rounded()), Int32(((zero + 0.5) * one).rounded()))
                }
            }
        }
    }

    /// Resamples the chroma of planar YUV or gray to the target's subsampling, which may be finer or coarser than that
    /// of the source, but not both; the caller copies luma.
    package static func resampleChroma(
        of source: PixelBuffer, into target: inout PixelBuffer, isBilinear: Bool
    ) throws {
        let sampleBytes = target.format.bitDepth > 8 ? 2 : 1
        let old = source.format.chromaSubsampling
        let new = target.format.chromaSubsampling
        let (oldLayout, newLayout) = (source.planes.last, target.planes.last)
        guard let oldLayout, let newLayout else { return }
        let isGray = source.format == .gray8
        try target.withMutablePlanes { planes in
            source.withPlanes { sources in
                for index in 1..<planes.count {
                    let to = planes[index]
                    guard !isGray else {
                        to.fill(128, newLayout)
                        continue
                    }
                    let from = sources[index]
                    if new.horizontal <= old.horizontal, new.vertical <= old.vertical {
                        PKEnlargeChroma(
                            from.bytes, from.bytesPerRow, to.bytes, to.bytesPerRow, newLayout.rowBytes / sampleBytes,
                            newLayout.rows, old.horizontal / new.horizontal, old.vertical / new.vertical, sampleBytes,
                            isBilinear ? 1 : 0)
                    } else {
                        PKShrinkChroma(
                            from.bytes, from.bytesPerRow, to.bytes, to.bytesPerRow, oldLayout.rowBytes / sampleBytes,
                            oldLayout.rows, new.horizontal / old.horizontal, new.vertical / old.vertical, sampleBytes)
                    }
                }
            }
        }
    }

    /// Rotates and mirrors a picture: planar YUV, or RGB of four bytes per pixel.
    static func orient(
        _ source: PixelBuffer, into target: inout PixelBuffer, _ transform: OrientationTransform
    ) throws {
        let sampleBytes = source.format.isYUV ? (source.format.bitDepth > 8 ? 2 : 1) : 4
        try target.withMutablePlanes { targets in
            source.withPlanes { sources in
                for (layout, (from, to)) in zip(source.planes, zip(sources, targets)) {
                    orient(from, layout, into: to, transform, sampleBytes: sampleBytes)
                }
            }
        }
    }

    private static func orient(
        _ source: PixelStorage.Plane, _ layout: PlaneLayout, into target: PixelStorage.Plane,
        _ transform: OrientationTransform, sampleBytes: Int
    ) {
        let width = layout.rowBytes / sampleBytes
        if transform.isTransposed {
            // Columns of the result are rows of the source: read from the bottom, they are reversed.
            let from = source.rows(layout.rows, upwards: transform.flipsColumns)
            let to = target.rows(width, upwards: transform.flipsRows)
            if sampleBytes == 1 {
                LibYUV.transpose(from, into: to, width: width, rows: layout.rows)
            } else {
                PKTranspose(from.base, from.stride, to.base, to.stride, width, layout.rows, sampleBytes)
            }
            return
        }
        let from = source.rows(layout.rows, upwards: transform.flipsRows)
        let to = target.rows(layout.rows, upwards: false)
        if !transform.flipsColumns {
            for row in 0..<layout.rows {
                (to.base + row * to.stride).update(from: from.base + row * from.stride, count: layout.rowBytes)
            }
        } else if sampleBytes == 1 {
            LibYUV.mirror(from, into: to, width: width, rows: layout.rows)
        } else {
            PKMirror(from.base, from.stride, to.base, to.stride, width, layout.rows, sampleBytes)
        }
    }
}

// MARK: Arguments of the kernels

/// The first row of a plane, and the distance in bytes to the next one.
typealias RowPointer = (base: UnsafeMutablePointer<UInt8>, stride: Int)

extension PixelStorage.Plane {
    var bytes: UnsafeMutablePointer<UInt8> { base.assumingMemoryBound(to: UInt8.self) }

    /// Returns the rows from the top, or upwards from the bottom.
    fileprivate func rows(_ count: Int, upwards: Bool) -> RowPointer {
        upwards ? (bytes + (count - 1) * bytesPerRow, -bytesPerRow) : (bytes, bytesPerRow)
    }

    fileprivate func fill(_ value: UInt8, _ layout: PlaneLayout) {
        for row in 0..<layout.rows { (bytes + row * bytesPerRow).update(repeating: value, count: layout.rowBytes) }
    }
}

extension PKSource {
    /// Creates the source for a complete picture.
    fileprivate init(_ picture: PixelBuffer, _ planes: [PixelStorage.Plane]) {
        self.init(
            y: planes[0].bytes, u: planes.count > 1 ? UnsafePointer(planes[1].bytes) : nil,
            v: planes.count > 2 ? UnsafePointer(planes[2].bytes) : nil, yStride: planes[0].bytesPerRow,
            uStride: planes.count > 1 ? planes[1].bytesPerRow : 0,
            vStride: planes.count > 2 ? planes[2].bytesPerRow : 0, width: picture.width, height: picture.height,
            chromaRowShift: picture.format.chromaSubsampling.vertical == 2 ? 1 : 0, layout: PKLayout(picture.format))
    }

    /// Creates the source for chroma planes: plane `first` as luma, both as chroma.
    fileprivate init(
        chroma planes: [PixelStorage.Plane], first: Int, _ layout: PlaneLayout, _ format: PixelFormat
    ) {
        self.init(
            y: planes[first].bytes, u: planes[1].bytes, v: planes[2].bytes, yStride: planes[first].bytesPerRow,
            uStride: planes[1].bytesPerRow, vStride: planes[2].bytesPerRow, width: layout.rowBytes,
            height: layout.rows, chromaRowShift: 0, layout: format.bitDepth > 8 ? .planarFull10 : .planarFull)
    }
}

extension PKLayout {
    fileprivate init(_ format: PixelFormat) {
        self =
            switch format {
            case .nv12, .nv21, .nv16: .semiplanarHalf
            case .i420, .i422: .planarHalf
            case .i444: .planarFull
            case .yuyv, .yvyu: .YUYV
            case .uyvy, .vyuy: .UYVY
            case .i010, .i210: .planarHalf10
            case .i410: .planarFull10
            default: .gray
            }
    }
}

extension PKChannel {
    /// Creates a channel, rounded to the kernel's arithmetic: weights in 1/8192, the offset in 1/16.
    fileprivate init(_ row: SIMD4<Double>) {
        let weights = (row * 8192).rounded(.toNearestOrAwayFromZero)
        self.init()
        (y, u, v) = (Int16(weights.x), Int16(weights.y), Int16(weights.z))
        // Truncation of an inexact product loses 1/32 on average.
        let inexact = [y, u, v].count { $0 % 512 != 0 }
        offset = Int16((row.w * 16 + 8 + Double(inexact) / 2).rounded())
    }
}

extension PKWeights {
    /// Creates the weights of red, green and blue, rounded to the kernel's arithmetic: weights and offset in 1/32768.
    init(_ row: SIMD4<Double>, isBlueFirst: Bool) {
        let weights = (row * 32768).rounded(.toNearestOrAwayFromZero)
        self.init()
        first = Int16(isBlueFirst ? weights.z : weights.x)
        second = Int16(weights.y)
        third = Int16(isBlueFirst ? weights.x : weights.z)
        offset = Int32(((row.w + 0.5) * 32768).rounded())
    }
}
