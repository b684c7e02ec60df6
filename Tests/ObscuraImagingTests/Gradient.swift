// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraMedia

/// A picture that every format can show, and that is the same at every size: red from left to right, green from top to
/// bottom. A debug build would take a minute for it with the tools of `Pictures.swift`.
enum Gradient {
    /// The blocks of pixels for which there is one sample each.
    private struct Grid: Hashable {
        let size: PixelSize
        let columns: Int
        let rows: Int
        let bitDepth: Int
    }

    /// Y, Cb and Cr in the middle of each block: many formats have the same.
    private static let drawn = Lock<[Grid: Raster<SIMD3<UInt16>>]>([:])

    /// In `format`, in BT.709 limited.
    static func picture(_ format: PixelFormat, _ size: PixelSize) throws -> PixelBuffer {
        let (width, height) = (Double(size.width), Double(size.height))
        let (columns, rows) = format.chromaSubsampling
        let lumas = codes(Grid(size: size, columns: 1, rows: 1, bitDepth: format.bitDepth))
        let chromas = codes(Grid(size: size, columns: columns, rows: rows, bitDepth: format.bitDepth))
        func luma(_ x: Int, _ y: Int) -> UInt16 { lumas[x, y].x }
        func chroma(_ x: Int, _ y: Int, _ component: Int) -> UInt16 { chromas[x, y][component] }
        var picture = try PixelBuffer(
            format: format, width: size.width, height: size.height, colorSpace: format.isYUV ? .bt709 : .sRGB)
        let pixelBytes = picture.planes[0].rowBytes / size.width
        try picture.fill { plane, x, y in
            if let places = format.colorPlaces {
                let rgb = color((Double(x / pixelBytes) + 0.5) / width, (Double(y) + 0.5) / height)
                return UInt16(rgb[places.firstIndex(of: x % pixelBytes) ?? 0].rounded())
            }
            switch format {
            case .yuyv: return x % 2 == 0 ? luma(x / 2, y) : chroma(x / 4, y, x % 4 == 1 ? 1 : 2)
            case .yvyu: return x % 2 == 0 ? luma(x / 2, y) : chroma(x / 4, y, x % 4 == 1 ? 2 : 1)
            case .uyvy: return x % 2 == 1 ? luma(x / 2, y) : chroma(x / 4, y, x % 4 == 0 ? 1 : 2)
            case .vyuy: return x % 2 == 1 ? luma(x / 2, y) : chroma(x / 4, y, x % 4 == 0 ? 2 : 1)
            case .nv21: return plane == 0 ? luma(x, y) : chroma(x / 2, y, 2 - x % 2)
            case .nv12, .nv16: return plane == 0 ? luma(x, y) : chroma(x / 2, y, x % 2 + 1)
            default: return plane == 0 ? luma(x, y) : chroma(x, y, plane)
            }
        }
        return picture
    }

    /// The largest difference of any channel of any pixel of an RGBA picture from the gradient of its size, which is not
    /// rounded; infinite for other formats.
    static func difference(of picture: PixelBuffer) -> Double {
        guard picture.format == .rgba else { return .infinity }
        let (width, height) = (picture.width, picture.height)
        let reds = (0..<width).map { color((Double($0) + 0.5) / Double(width), 0).x }
        let greens = (0..<height).map { color(0, (Double($0) + 0.5) / Double(height)).y }
        let exactBlue = color(0, 0).z
        let stride = picture.bytesPerRow(ofPlane: 0)
        return picture.withBytes(ofPlane: 0) { bytes in
            var largest = 0.0
            for y in 0..<height {
                for x in 0..<width {
                    let pixel = bytes.unsafeLoadUnaligned(fromByteOffset: y * stride + 4 * x, as: UInt32.self)
                    let red = Double(pixel & 255) - reds[x]
                    let green = Double(pixel >> 8 & 255) - greens[y]
                    let blue = Double(pixel >> 16 & 255) - exactBlue
                    // Without `abs` and `max`, which are calls in a debug build.
                    if red > largest { largest = red }
                    if -red > largest { largest = -red }
                    if green > largest { largest = green }
                    if -green > largest { largest = -green }
                    if blue > largest { largest = blue }
                    if -blue > largest { largest = -blue }
                }
            }
            return largest
        }
    }

    /// The colour at a place, from 0 to 1 each.
    private static func color(_ x: Double, _ y: Double) -> SIMD3<Double> {
        SIMD3(30 + 190 * x, 30 + 190 * y, 128)
    }

    private static func codes(_ grid: Grid) -> Raster<SIMD3<UInt16>> {
        drawn.withLock { drawn in
            if let codes = drawn[grid] { return codes }
            let exact = ExactColors(.bt709, bitDepth: grid.bitDepth)
            let (width, height) = (Double(grid.size.width), Double(grid.size.height))
            // One column more: a packed format has a whole group of pixels where half of it would be enough.
            let codes = Raster(
                width: (grid.size.width + 1) / grid.columns, height: (grid.size.height + grid.rows - 1) / grid.rows
            ) { x, y in
                let (across, down) = ((Double(x) + 0.5) * Double(grid.columns), (Double(y) + 0.5) * Double(grid.rows))
                let codes = exact.yuv(color(across / width, down / height)).rounded(.toNearestOrAwayFromZero)
                return SIMD3(UInt16(codes.x), UInt16(codes.y), UInt16(codes.z))
            }
            drawn[grid] = codes
            return codes
        }
    }
}
