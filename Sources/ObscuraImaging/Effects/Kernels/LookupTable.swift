// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CPixelKernels
package import ObscuraMedia

/// The values of a `.cube` file in the form of the kernels.
package struct LookupTable: Sendable {
    /// The resulting code of each code, for each channel, red first; empty for a cube.
    private var curves: [UInt8] = []
    /// Four values of 0 to 255 per node of the cube: red, green, blue, unused; empty for curves.
    private var nodes: [Float] = []
    /// The lower node and the fraction to the next one, for each channel, red first, and each code.
    private var places: [UInt32] = []
    private var fractions: [Float] = []
    private var steps: [UInt32] = []

    package init(_ file: CubeFile) {
        // A curve may have more entries than a cube.
        if file.dimension == .three { steps = [1, UInt32(file.size), UInt32(file.size * file.size)] }
        for channel in 0..<3 {
            let (minimum, maximum) = (file.domainMinimum[channel], file.domainMaximum[channel])
            for code in 0...255 {
                let share = (Double(code) / 255 - minimum) / (maximum - minimum)
                let place = min(max(0, share), 1) * Double(file.size - 1)
                let lower = min(Int(place), file.size - 2)
                let fraction = place - Double(lower)
                switch file.dimension {
                case .one:
                    let (a, b) = (Double(file.colors[lower][channel]), Double(file.colors[lower + 1][channel]))
                    curves.append(UInt8((min(max(0, a + (b - a) * fraction), 1) * 255).rounded()))
                case .three:
                    places.append(UInt32(lower) * steps[channel])
                    fractions.append(Float(fraction))
                }
            }
        }
        guard file.dimension == .three else { return }
        nodes.reserveCapacity(4 * file.colors.count)
        for color in file.colors {
            // Clipped, since the kernel's sums must stay within 0 to 255.
            let codes = color.clamped(lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: 1)) * 255
            nodes.append(contentsOf: [codes.x, codes.y, codes.z, 0])
        }
    }

    /// - Precondition: the pictures are BGRA or RGBA.
    package func apply(to source: PixelBuffer, into target: inout PixelBuffer) throws {
        // In the order of a pixel's bytes.
        let order = source.format == .bgra ? [2, 1, 0] : [0, 1, 2]
        try source.withRows(&target) { planes in
            let (from, to) = planes[0]
            if nodes.isEmpty {
                let tables = order.flatMap { curves[(256 * $0)..<(256 * $0 + 256)] }
                from.forEachBand { band in
                    PKLookUp(
                        from.row(band.lowerBound), from.stride, to.row(band.lowerBound), to.stride, from.byteCount / 4,
                        band.count, tables)
                }
            } else {
                let cube = Cube(self, order)
                from.forEachBand { band in
                    cube.withCube { cube in
                        PKLookUpCube(
                            from.row(band.lowerBound), from.stride, to.row(band.lowerBound), to.stride,
                            from.byteCount / 4, band.count, &cube)
                    }
                }
            }
        }
    }

    /// The tables of a cube, in the order of a pixel's bytes.
    private struct Cube: Sendable {
        let nodes: [Float]
        let places: [UInt32]
        let fractions: [Float]
        let steps: [UInt32]
        let isBlueFirst: Bool

        init(_ table: LookupTable, _ order: [Int]) {
            nodes = table.nodes
            places = order.flatMap { table.places[(256 * $0)..<(256 * $0 + 256)] }
            fractions = order.flatMap { table.fractions[(256 * $0)..<(256 * $0 + 256)] }
            steps = order.map { table.steps[$0] }
            isBlueFirst = order[0] == 2
        }

        func withCube(_ body: (inout PKCube) -> Void) {
            nodes.withUnsafeBufferPointer { nodes in
                places.withUnsafeBufferPointer { places in
                    fractions.withUnsafeBufferPointer { fractions in
                        guard let nodes = nodes.baseAddress, let places = places.baseAddress,
                            let fractions = fractions.baseAddress
                        else { return }
                        var cube = PKCube(
                            nodes: nodes, places: places, fractions: fractions, steps: (steps[0], steps[1], steps[2]),
                            isBlueFirst: isBlueFirst ? 1 : 0)
                        body(&cube)
                    }
                }
            }
        }
    }
}
