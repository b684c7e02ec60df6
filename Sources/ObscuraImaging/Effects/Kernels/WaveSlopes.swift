// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CPixelKernels
package import ObscuraMedia

/// The slopes of a water surface, in heights per cell.
package struct WaveSlopes: Sendable {
    package let columns: Int
    package let rows: Int
    package let across: [Float]
    package let down: [Float]
    package let steepest: Float

    package init(columns: Int, rows: Int, across: [Float], down: [Float], steepest: Float) {
        (self.columns, self.rows) = (columns, rows)
        (self.across, self.down) = (across, down)
        self.steepest = steepest
    }

    /// The displacement for a slope of 1, in cells: the depth of the water times 1 − 1/n, with the refractive index n
    /// (Snell's law for small angles).
    package static let depth: Float = 36

    /// Refracts a picture of four bytes per pixel.
    package func refract(
        _ source: PixelBuffer, into target: inout PixelBuffer, with kernels: EffectKernels = .best
    ) throws {
        let grid = PixelGrid(picture: source.size, columns: columns, rows: rows)
        let (width, height) = (source.width, source.height)
        try source.withRows(&target) { planes in
            let (from, to) = planes[0]
            from.forEachBand { band in
                across.withUnsafeBufferPointer { across in
                    down.withUnsafeBufferPointer { down in
                        grid.withSurface(across, down) { surface in
                            kernels.table.refract(
                                from.base, from.stride, to.base, to.stride, width, height, &surface, band.lowerBound,
                                band.upperBound)
                        }
                    }
                }
            }
        }
    }

    /// Whether no pixel of a picture is displaced visibly.
    package func isLevel(for picture: PixelSize) -> Bool {
        let grid = PixelGrid(picture: picture, columns: columns, rows: rows)
        return steepest * max(grid.scaleAcross, grid.scaleDown) < 1 / 32
    }
}

/// The mapping of a grid's nodes to the pixels of a picture: outermost to outermost.
private struct PixelGrid: Sendable {
    let columns: Int
    let rows: Int
    let scaleAcross: Float
    let scaleDown: Float
    private let nodesAcross: Float
    private let nodesDown: Float
    private let firstPixels: [UInt32]
    private let fractions: [Float]

    init(picture: PixelSize, columns: Int, rows: Int) {
        (self.columns, self.rows) = (columns, rows)
        let last = (x: picture.width - 1, y: picture.height - 1)
        nodesAcross = last.x == 0 ? 0 : Float(columns - 1) / Float(last.x)
        nodesDown = last.y == 0 ? 0 : Float(rows - 1) / Float(last.y)
        scaleAcross = WaveSlopes.depth * Float(last.x) / Float(columns - 1)
        scaleDown = WaveSlopes.depth * Float(last.y) / Float(rows - 1)
        // In integers, so that each pixel is in exactly one cell.
        let first = (0..<columns).map { last.x == 0 ? min($0, 1) : ($0 * last.x + columns - 2) / (columns - 1) }
        firstPixels = first.map { UInt32($0) } + [UInt32(picture.width)]
        fractions = first.enumerated().map { index, pixel in
            last.x == 0 ? 0 : Float(pixel * (columns - 1) - index * last.x) / Float(last.x)
        }
    }

    func withSurface(
        _ across: UnsafeBufferPointer<Float>, _ down: UnsafeBufferPointer<Float>, _ body: (inout PKSurface) -> Void
    ) {
        firstPixels.withUnsafeBufferPointer { firstPixels in
            fractions.withUnsafeBufferPointer { fractions in
                guard let across = across.baseAddress, let down = down.baseAddress,
                    let firstPixels = firstPixels.baseAddress, let fractions = fractions.baseAddress
                else { return }
                var surface = PKSurface(
                    across: across, down: down, columns: columns, rows: rows, scaleAcross: scaleAcross,
                    scaleDown: scaleDown, firstPixels: firstPixels, fractions: fractions, nodesAcross: nodesAcross,
                    nodesDown: nodesDown)
                body(&surface)
            }
        }
    }
}
