// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// The rows of a plane, for work in bands.
///
/// `Sendable` is proved by the callers: each band accesses its own rows, and the picture is retained until the last
/// band has ended.
struct PlaneRows: @unchecked Sendable {
    let base: UnsafeMutablePointer<UInt8>
    let stride: Int
    /// The bytes per row without padding.
    let byteCount: Int
    let count: Int

    init(_ plane: PixelStorage.Plane, _ layout: PlaneLayout) {
        self.init(
            base: plane.base.assumingMemoryBound(to: UInt8.self), stride: plane.bytesPerRow,
            byteCount: layout.rowBytes, count: layout.rows)
    }

    init(base: UnsafeMutablePointer<UInt8>, stride: Int, byteCount: Int, count: Int) {
        self.base = base
        self.stride = stride
        self.byteCount = byteCount
        self.count = count
    }

    func row(_ index: Int) -> UnsafeMutablePointer<UInt8> { base + index * stride }

    /// Returns a rectangle of bytes inside the plane.
    func part(x: Int, y: Int, byteCount: Int, count: Int) -> PlaneRows {
        PlaneRows(base: row(y) + x, stride: stride, byteCount: byteCount, count: count)
    }

    func copy(_ rows: Range<Int>, to target: PlaneRows) {
        for index in rows { target.row(index).update(from: row(index), count: byteCount) }
    }

    /// Runs `body` for all rows, in bands on idle cores. A band is large enough for a thread, and begins at a multiple
    /// of `multiple` rows.
    func forEachBand(multiple: Int = 1, _ body: @escaping @Sendable (Range<Int>) -> Void) {
        let count = count
        let units = (count - 1) / multiple + 1
        let least = Self.bytesOfABand / max(1, byteCount * multiple) + 1
        WorkerPool.transforms.forEachBand(of: units, atLeast: least) { band in
            body((band.lowerBound * multiple)..<min(count, band.upperBound * multiple))
        }
    }

    /// Waking a thread takes as long as copying about a tenth of this.
    private static let bytesOfABand = 64 << 10
}

extension PixelBuffer {
    /// Runs `body` with the rows of each plane of both pictures, valid only during the call.
    ///
    /// - Precondition: `target` has the size and format of this picture.
    func withRows(_ target: inout PixelBuffer, _ body: ([(source: PlaneRows, target: PlaneRows)]) throws -> Void) throws
    {
        let layouts = planes
        try target.withMutablePlanes { targets in
            try withPlanes { sources in
                try body(
                    layouts.enumerated().map { (PlaneRows(sources[$0], $1), PlaneRows(targets[$0], $1)) })
            }
        }
    }

    /// Returns an uninitialized picture of the same size, format and color space, for the result of an effect.
    func makeResult(_ context: EffectContext) throws(ObscuraError) -> PixelBuffer {
        try .make(in: context.pool, format: format, width: width, height: height, colorSpace: colorSpace)
    }
}
