// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// The rows of a plane, for work that is cut into bands.
///
/// `Sendable` is proved by the callers: each band reads and writes rows of its own, and the picture is held until
/// the last band has ended.
struct PlaneRows: @unchecked Sendable {
    let base: UnsafeMutablePointer<UInt8>
    let stride: Int
    /// Bytes of a row that carry picture.
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

    /// The rectangle of bytes, which lies inside.
    func part(x: Int, y: Int, byteCount: Int, count: Int) -> PlaneRows {
        PlaneRows(base: row(y) + x, stride: stride, byteCount: byteCount, count: count)
    }

    func copy(_ rows: Range<Int>, to target: PlaneRows) {
        for index in rows { target.row(index).update(from: row(index), count: byteCount) }
    }

    /// Does `body` for all rows, in bands on the cores that are free. A band has so many bytes that its thread has
    /// something to do, and begins on a multiple of `multiple` rows.
    func forEachBand(multiple: Int = 1, _ body: @escaping @Sendable (Range<Int>) -> Void) {
        let count = count
        let units = (count - 1) / multiple + 1
        let least = Self.bytesOfABand / max(1, byteCount * multiple) + 1
        WorkerPool.transforms.forEachBand(of: units, atLeast: least) { band in
            body((band.lowerBound * multiple)..<min(count, band.upperBound * multiple))
        }
    }

    /// To wake a thread takes as long as to copy some ten times as much.
    private static let bytesOfABand = 64 << 10
}

extension PixelBuffer {
    /// Runs `body` with the rows of each plane of both, valid only for the duration of the closure.
    ///
    /// - Precondition: `target` has the size and the format of this picture.
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

    /// A picture of the same size, format and colour space for the result of an effect. Its bytes may be anything.
    func makeResult(_ context: EffectContext) throws(ObscuraError) -> PixelBuffer {
        try .make(in: context.pool, format: format, width: width, height: height, colorSpace: colorSpace)
    }
}
