// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraMedia

/// A mapping of a picture by any affine transform.
///
/// Each pixel is interpolated between the four nearest ones of the source; pixels outside of the source are
/// transparent.
struct PixelWarp: Sendable {
    /// The mapping of the centers of pixels of the result to those of the source, from the top left corners.
    let toSource: CGAffineTransform
    let size: PixelSize

    /// - Parameter picture: BGRA.
    func apply(to picture: PixelBuffer, in pool: PixelBufferPool?) throws -> PixelBuffer {
        var result = try PixelBuffer.make(
            in: pool, format: .bgra, width: size.width, height: size.height, colorSpace: picture.colorSpace)
        try result.withMutablePlanes { targets in
            picture.withPlanes { sources in
                let source = Source(sources[0], picture.size)
                for y in 0..<size.height {
                    let row = (targets[0].base + y * targets[0].bytesPerRow).assumingMemoryBound(to: SIMD4<UInt8>.self)
                    let start = CGPoint(x: 0.5, y: Double(y) + 0.5).applying(toSource)
                    let (left, top) = (Double(start.x), Double(start.y))
                    let (across, down) = (Double(toSource.a), Double(toSource.b))
                    for x in 0..<size.width {
                        row[x] = source.color(atX: left + across * Double(x), y: top + down * Double(x))
                    }
                }
            }
        }
        return result
    }

    /// The pixels of the source.
    private struct Source {
        /// The number of steps between two pixels.
        private static let steps = 256

        private let base: UnsafeMutableRawPointer
        private let bytesPerRow: Int
        private let size: PixelSize

        init(_ plane: PixelStorage.Plane, _ size: PixelSize) {
            base = plane.base
            bytesPerRow = plane.bytesPerRow
            self.size = size
        }

        func color(atX x: Double, y: Double) -> SIMD4<UInt8> {
            guard x >= 0, y >= 0, x <= Double(size.width), y <= Double(size.height) else { return .zero }
            let (column, across) = Self.place(x, size.width)
            let (row, down) = Self.place(y, size.height)
            let (next, below) = (min(column + 1, size.width - 1), min(row + 1, size.height - 1))
            let upper = pixel(column, row) &* (256 &- across) &+ pixel(next, row) &* across
            let lower = pixel(column, below) &* (256 &- across) &+ pixel(next, below) &* across
            let sum = upper &* (256 &- down) &+ lower &* down
            return SIMD4<UInt8>(truncatingIfNeeded: (sum &+ 32768) &>> 16)
        }

        /// Returns the pixel before a coordinate, and the distance to the next one in steps. The center of the first
        /// pixel is at 0.5; the outermost half pixel has the color of the outermost one.
        private static func place(_ value: Double, _ count: Int) -> (index: Int, steps: UInt32) {
            let place = Int(min(max(0, value - 0.5), Double(count - 1)) * Double(steps) + 0.5)
            return (place / steps, UInt32(truncatingIfNeeded: place % steps))
        }

        private func pixel(_ x: Int, _ y: Int) -> SIMD4<UInt32> {
            let place = base + y * bytesPerRow + 4 * x
            return SIMD4<UInt32>(truncatingIfNeeded: place.loadUnaligned(as: SIMD4<UInt8>.self))
        }
    }
}
