// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CPixelKernels
package import ObscuraMedia

/// Our own arithmetic on pixels, for the instructions that this machine has.
///
/// The planes of each target must have the shape that the function makes; the callers are the steps of
/// ``ImagePlan``, which see to that.
///
/// `Sendable` is proved by the kernels: the functions of a table keep nothing between calls.
package struct PixelKernels: @unchecked Sendable {
    /// For which instructions the kernels are compiled.
    package enum Variant: String, Sendable, CaseIterable {
        /// What every machine of the architecture has: SSE2 or NEON.
        case baseline
        case avx2
    }

    private let table: PKKernels

    /// The kernels for `variant`; nil where this machine cannot run them.
    package init?(_ variant: Variant) {
        let name: PKVariant =
            switch variant {
            case .baseline: .baseline
            case .avx2: .AVX2
            }
        guard let table = PKKernelsOf(name) else { return nil }
        self.table = table.pointee
    }

    private init(table: PKKernels) {
        self.table = table
    }

    /// The fastest that this machine can run.
    package static let best = PixelKernels(table: PKBestKernels().pointee)

    // MARK: Colours

    /// Any YUV picture to BGRA or RGBA, by its own colour space.
    ///
    /// - Parameter isBilinear: for planar formats only.
    package func convertToRGB(
        _ source: PixelBuffer, into target: inout PixelBuffer, isBilinear: Bool = false
    ) throws {
        var rows = ColorMatrix.toRGB(from: source.colorSpace, bitDepth: source.format.bitDepth).rows
        if target.format == .bgra { rows.swapAt(0, 2) }
        // A kernel that takes Cr for Cb, and its weight for the other's, makes the same.
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

    /// A planar or gray picture to the codes of the target's colour space, 8 bits deep.
    package func recolour(_ source: PixelBuffer, into target: inout PixelBuffer) throws {
        let rows = ColorMatrix.between(
            source.colorSpace, bitDepth: source.format.bitDepth, and: target.colorSpace
        ).rows
        let layouts = target.planes
        try target.withMutablePlanes { planes in
            source.withPlanes { sources in
                var luma = PKSource(source, sources)
                convert(&luma, into: planes[0], PKChannel(rows[0]))
                guard layouts.count == 3 else { return }
                // The plane itself takes the place of luma, and so is not centred before it is weighted.
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

    /// BGRA or RGBA to NV12, I420, I422, I444 or gray8, in the target's colour space.
    package func convertFromRGB(_ source: PixelBuffer, into target: inout PixelBuffer) throws {
        let weights = ColorMatrix.fromRGB(to: target.colorSpace).rows.enumerated().map { index, row in
            PKWeights(index == 0 ? row : row + SIMD4(0, 0, 0, 128), isBlueFirst: source.format == .bgra)
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

    /// 10 bits to 8, rounded to the nearest: a quarter in limited range, 255/1023 in full range, where chroma
    /// has its zero at 512 and at 128 (H.273, section 8.3).
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

    /// The chroma of a planar or gray picture to the number of samples that the target has for each pixel,
    /// which is that of the source or differs in one direction at a time; luma is left to the caller.
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

    /// The pixels row after row without padding or alpha: three bytes each of an RGBA picture, one of gray8.
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

    /// RGB whose black is 16 and whose white is 235 to the same with 0 and 255.
    static func expandRange(_ source: PixelBuffer, into target: inout PixelBuffer) throws {
        let (width, height) = (source.width, source.height)
        let pixelBytes = source.format.withAlpha == source.format ? 4 : 3
        try target.withMutablePlanes { to in
            source.withPlanes { from in
                PKExpandRange(
                    from[0].bytes, from[0].bytesPerRow, to[0].bytes, to[0].bytesPerRow, width, height, pixelBytes)
            }
        }
    }

    /// Moves the samples of a picture, of 2 or 4 bytes each: 10 bits, planar, or RGB.
    static func permute(
        _ source: PixelBuffer, into target: inout PixelBuffer, _ permutation: OrientationTransform
    ) throws {
        let sampleBytes = source.format.isYUV ? 2 : 4
        try target.withMutablePlanes { targets in
            source.withPlanes { sources in
                for (layout, (from, to)) in zip(source.planes, zip(sources, targets)) {
                    permute(from, layout, into: to, permutation, sampleBytes: sampleBytes)
                }
            }
        }
    }

    private static func permute(
        _ source: PixelStorage.Plane, _ layout: PlaneLayout, into target: PixelStorage.Plane,
        _ permutation: OrientationTransform, sampleBytes: Int
    ) {
        let width = layout.rowBytes / sampleBytes
        if permutation.isTransposed {
            // Columns of the result are rows of the source: read upwards, they come out reversed.
            let from = source.rows(layout.rows, upwards: permutation.flipsColumns)
            let to = target.rows(width, upwards: permutation.flipsRows)
            PKTranspose(from.0, from.1, to.0, to.1, width, layout.rows, sampleBytes)
        } else {
            let from = source.rows(layout.rows, upwards: permutation.flipsRows)
            if permutation.flipsColumns {
                PKMirror(from.0, from.1, target.bytes, target.bytesPerRow, width, layout.rows, sampleBytes)
            } else {
                for row in 0..<layout.rows {
                    let to = target.bytes + row * target.bytesPerRow
                    to.update(from: from.0 + row * from.1, count: layout.rowBytes)
                }
            }
        }
    }
}

// MARK: What the kernels take

extension PixelStorage.Plane {
    var bytes: UnsafeMutablePointer<UInt8> { base.assumingMemoryBound(to: UInt8.self) }

    /// Where the first row begins and how far it is to the next, from the top or from the bottom.
    fileprivate func rows(_ count: Int, upwards: Bool) -> (UnsafeMutablePointer<UInt8>, Int) {
        upwards ? (bytes + (count - 1) * bytesPerRow, -bytesPerRow) : (bytes, bytesPerRow)
    }

    fileprivate func fill(_ value: UInt8, _ layout: PlaneLayout) {
        for row in 0..<layout.rows { (bytes + row * bytesPerRow).update(repeating: value, count: layout.rowBytes) }
    }
}

extension PKSource {
    /// A whole picture.
    fileprivate init(_ picture: PixelBuffer, _ planes: [PixelStorage.Plane]) {
        self.init(
            y: planes[0].bytes, u: planes.count > 1 ? UnsafePointer(planes[1].bytes) : nil,
            v: planes.count > 2 ? UnsafePointer(planes[2].bytes) : nil, yStride: planes[0].bytesPerRow,
            uStride: planes.count > 1 ? planes[1].bytesPerRow : 0,
            vStride: planes.count > 2 ? planes[2].bytesPerRow : 0, width: picture.width, height: picture.height,
            chromaRowShift: picture.format.chromaSubsampling.vertical == 2 ? 1 : 0, layout: PKLayout(picture.format))
    }

    /// The chroma planes as a picture of their own: plane `first` for luma, and both for chroma.
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
    /// The nearest that the kernel's arithmetic has to the sum: weights in 1/8192, the offset in sixteenths.
    fileprivate init(_ row: SIMD4<Double>) {
        let weights = (row * 8192).rounded(.toNearestOrAwayFromZero)
        self.init()
        (y, u, v) = (Int16(weights.x), Int16(weights.y), Int16(weights.z))
        // A product loses half a sixteenth in the mean, unless nothing is lost.
        let inexact = [y, u, v].count { $0 % 512 != 0 }
        offset = Int16((row.w * 16 + 8 + Double(inexact) / 2).rounded())
    }
}

extension PKWeights {
    /// The nearest that the kernel's arithmetic has to the sum of red, green and blue: weights and
    /// offset in 1/32768.
    init(_ row: SIMD4<Double>, isBlueFirst: Bool) {
        let weights = (row * 32768).rounded(.toNearestOrAwayFromZero)
        self.init()
        first = Int16(isBlueFirst ? weights.z : weights.x)
        second = Int16(weights.y)
        third = Int16(isBlueFirst ? weights.x : weights.z)
        offset = Int32(((row.w + 0.5) * 32768).rounded())
    }
}
