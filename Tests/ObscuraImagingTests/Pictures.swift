// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import TestSupport

extension PixelFormat {
    static let uncompressed = PixelFormat.allCases.filter { !$0.isCompressed }
    static let targets: [PixelFormat] = [.bgra, .rgba, .bgr24, .rgb24, .nv12, .i420, .i422, .i444, .gray8]

    /// RGB in the orders of bytes that only sources have.
    static let reordered: [PixelFormat] = [.argb, .abgr, .bgrx, .rgbx, .xrgb, .xbgr]

    /// The places of red, green and blue among the bytes of a pixel; nil for formats that are not RGB.
    var colorPlaces: [Int]? {
        switch self {
        case .bgra, .bgrx, .bgr24: [2, 1, 0]
        case .rgba, .rgbx, .rgb24: [0, 1, 2]
        case .argb, .xrgb: [1, 2, 3]
        case .abgr, .xbgr: [3, 2, 1]
        default: nil
        }
    }
}

extension ColorSpace {
    /// The six pairs of matrix and range.
    static let pairs: [ColorSpace] = Matrix.allCases.flatMap { matrix in
        Range.allCases.map { ColorSpace(matrix: matrix, range: $0) }
    }
}

extension PixelBuffer {
    /// A picture of noise.
    static func noise(
        _ format: PixelFormat, _ width: Int, _ height: Int, _ space: ColorSpace? = nil, seed: UInt64 = 1,
        in pool: PixelBufferPool? = nil
    ) throws -> PixelBuffer {
        var dice = Dice(seed: seed)
        var picture = try PixelBuffer.make(
            in: pool, format: format, width: width, height: height, colorSpace: space)
        // 10 bits of each word: `random(in:using:)` takes a debug build ten times as long.
        try picture.fill { _, _, _ in UInt16(truncatingIfNeeded: dice.next() & 1023) }
        return picture
    }

    /// Writes each sample (each byte of a packed format): plane, place in the row, row to value. Of values for
    /// 8-bit formats the lowest 8 bits count.
    mutating func fill(_ value: (_ plane: Int, _ x: Int, _ row: Int) -> UInt16) throws {
        let isWide = format.bitDepth > 8
        for (plane, layout) in planes.enumerated() {
            let stride = bytesPerRow(ofPlane: plane)
            try withMutableBytes(ofPlane: plane) { bytes in
                for row in 0..<layout.rows {
                    for x in 0..<(layout.rowBytes / (isWide ? 2 : 1)) {
                        let sample = value(plane, x, row)
                        if isWide {
                            bytes.storeBytes(of: sample, toByteOffset: row * stride + 2 * x, as: UInt16.self)
                        } else {
                            let byte = UInt8(truncatingIfNeeded: sample)
                            bytes.storeBytes(of: byte, toByteOffset: row * stride + x, as: UInt8.self)
                        }
                    }
                }
            }
        }
    }

    /// The samples of a plane, row after row.
    func samples(ofPlane plane: Int) -> [Int] {
        let layout = planes[plane]
        let stride = bytesPerRow(ofPlane: plane)
        let isWide = format.bitDepth > 8
        return withBytes(ofPlane: plane) { bytes in
            var samples: [Int] = []
            for row in 0..<layout.rows {
                for x in 0..<(layout.rowBytes / (isWide ? 2 : 1)) {
                    samples.append(
                        isWide
                            ? Int(bytes.unsafeLoad(fromByteOffset: row * stride + 2 * x, as: UInt16.self))
                            : Int(bytes.unsafeLoad(fromByteOffset: row * stride + x, as: UInt8.self)))
                }
            }
            return samples
        }
    }

    /// Three numbers for each pixel: red, green, blue, or Y, Cb, Cr of its block as they are stored.
    func pixels() -> Raster<SIMD3<Double>> {
        let all = (0..<planeCount).map { samples(ofPlane: $0) }
        let (columns, rows) = format.chromaSubsampling
        let chromaWidth = (width + columns - 1) / columns
        if let places = format.colorPlaces {
            let pixelBytes = planes[0].rowBytes / width
            return Raster(width: width, height: height) { x, y in
                let pixel = pixelBytes * (y * width + x)
                let (red, green, blue) = (
                    all[0][pixel + places[0]], all[0][pixel + places[1]], all[0][pixel + places[2]]
                )
                return SIMD3(Double(red), Double(green), Double(blue))
            }
        }
        return Raster(width: width, height: height) { x, y in
            let chroma = (y / rows) * chromaWidth + x / columns
            let group = 4 * (y * chromaWidth + x / 2)
            func three(_ a: Int, _ b: Int, _ c: Int) -> SIMD3<Double> { SIMD3(Double(a), Double(b), Double(c)) }
            return switch format {
            case .gray8: three(all[0][y * width + x], 128, 128)
            case .nv12, .nv16: three(all[0][y * width + x], all[1][2 * chroma], all[1][2 * chroma + 1])
            case .nv21: three(all[0][y * width + x], all[1][2 * chroma + 1], all[1][2 * chroma])
            case .yuyv: three(all[0][group + 2 * (x % 2)], all[0][group + 1], all[0][group + 3])
            case .yvyu: three(all[0][group + 2 * (x % 2)], all[0][group + 3], all[0][group + 1])
            case .uyvy: three(all[0][group + 1 + 2 * (x % 2)], all[0][group], all[0][group + 2])
            case .vyuy: three(all[0][group + 1 + 2 * (x % 2)], all[0][group + 2], all[0][group])
            default: three(all[0][y * width + x], all[1][chroma], all[2][chroma])
            }
        }
    }
}

/// One value for each pixel.
struct Raster<Value> {
    let width: Int
    let height: Int
    private(set) var values: [Value]

    init(width: Int, height: Int, _ value: (_ x: Int, _ y: Int) -> Value) {
        self.width = width
        self.height = height
        values = []
        values.reserveCapacity(width * height)
        for y in 0..<height {
            for x in 0..<width { values.append(value(x, y)) }
        }
    }

    subscript(x: Int, y: Int) -> Value { values[y * width + x] }

    func map<Other>(_ body: (Value) -> Other) -> Raster<Other> {
        Raster<Other>(width: width, height: height) { body(self[$0, $1]) }
    }

    func cropped(_ rect: PixelRect) -> Raster {
        Raster(width: rect.width, height: rect.height) { self[rect.x + $0, rect.y + $1] }
    }

    /// Turned clockwise, and then left and right change places.
    func turned(_ orientation: Orientation, isMirrored: Bool) -> Raster {
        let turned =
            switch orientation {
            case .up: self
            case .right: Raster(width: height, height: width) { self[$1, height - 1 - $0] }
            case .down: Raster(width: width, height: height) { self[width - 1 - $0, height - 1 - $1] }
            case .left: Raster(width: height, height: width) { self[width - 1 - $1, $0] }
            }
        guard isMirrored else { return turned }
        return Raster(width: turned.width, height: turned.height) { turned[turned.width - 1 - $0, $1] }
    }
}

extension Raster: Sendable where Value: Sendable {}

extension Raster where Value == SIMD3<Double> {
    /// The mean of each block, for each of its pixels, in the second and third number.
    func sharingChroma(_ columns: Int, _ rows: Int) -> Raster {
        Raster(width: width, height: height) { x, y in
            var sum = SIMD3<Double>.zero
            var count = 0.0
            for row in (y / rows * rows)..<min(height, y / rows * rows + rows) {
                for column in (x / columns * columns)..<min(width, x / columns * columns + columns) {
                    sum += self[column, row]
                    count += 1
                }
            }
            return SIMD3(self[x, y].x, sum.y / count, sum.z / count)
        }
    }

    /// The largest difference in any number of any pixel; infinite for other sizes.
    func difference(from other: Raster) -> Double {
        guard width == other.width, height == other.height else { return .infinity }
        // By hand: closures, `abs` and `max` take a debug build six times as long.
        var largest = 0.0
        for index in values.indices {
            let (one, another) = (values[index], other.values[index])
            for channel in 0..<3 {
                let difference = one[channel] - another[channel]
                if difference > largest { largest = difference }
                if -difference > largest { largest = -difference }
            }
        }
        return largest
    }
}
