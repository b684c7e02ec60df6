// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Glibc
import ObscuraImaging
import ObscuraMedia
import TestSupport
import Testing

/// The sizes at which every effect is tried: one pixel, lines, odd ones, one more and one less than a register.
let effectSizes: [PixelSize] = [
    (1, 1), (2, 1), (1, 2), (3, 3), (1, 17), (17, 1), (7, 5), (8, 8), (15, 9), (16, 2), (31, 4), (33, 7), (64, 3),
    (65, 33), (127, 6), (129, 18), (320, 180), (641, 361),
].map { PixelSize(width: $0.0, height: $0.1) }

/// A few large ones, for what is quick enough to be judged by plain loops.
let largeSizes = [PixelSize(width: 1920, height: 1080), PixelSize(width: 4095, height: 2159)]

extension PixelKernels.Variant {
    /// Those that this machine can run.
    static let here = allCases.filter { EffectKernels($0) != nil }

    var effects: EffectKernels {
        get throws { try #require(EffectKernels(self)) }
    }
}

extension PixelBuffer {
    /// A picture of noise whose rows are further apart than they need be, somewhere within a larger memory that is
    /// all noise: an effect that reads beyond its rows shows other pixels.
    static func strayNoise(
        _ format: PixelFormat, _ size: PixelSize, _ space: ColorSpace? = nil, seed: UInt64 = 7
    ) throws -> PixelBuffer {
        var dice = Dice(seed: seed &+ UInt64(size.width) << 20 &+ UInt64(size.height))
        var planes: [PixelStorage.Plane] = []
        var memories: [UInt] = []
        for layout in format.planes(width: size.width, height: size.height) {
            // Odd distances, but where samples are words.
            let unit = format.bitDepth > 8 ? 2 : 1
            let (distance, lead) = (layout.rowBytes + 13 * unit, 5 * unit)
            let count = distance * (layout.rows + 2) + 8
            let memory = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 64)
            for place in stride(from: 0, to: count - 7, by: 8) {
                // Samples of 10 bits have nothing above them.
                let word = unit == 2 ? dice.next() & 0x03ff_03ff_03ff_03ff : dice.next()
                memory.storeBytes(of: word, toByteOffset: place, as: UInt64.self)
            }
            memories.append(UInt(bitPattern: memory))
            planes.append(
                PixelStorage.Plane(
                    base: memory + distance + lead, bytesPerRow: distance,
                    byteCount: (layout.rows - 1) * distance + layout.rowBytes))
        }
        let owned = memories
        let storage = PixelStorage(planes: planes) {
            for address in owned { UnsafeMutableRawPointer(bitPattern: address)?.deallocate() }
        }
        return PixelBuffer(storage: storage, format: format, width: size.width, height: size.height, colorSpace: space)
    }

    /// The bytes of a plane, row after row without padding.
    func bytes(ofPlane plane: Int) -> [UInt8] {
        let begin = planes[..<plane].reduce(0) { $0 + $1.rowBytes * $1.rows }
        let count = planes[plane].rowBytes * planes[plane].rows
        return Array(packedBytes()[begin..<(begin + count)])
    }
}

/// Where two rows of bytes differ first, in words; nil where they are the same.
func firstDifference(_ made: [UInt8], _ expected: [UInt8], width: Int) -> String? {
    guard made.count == expected.count else { return "\(made.count) bytes instead of \(expected.count)" }
    if made == expected { return nil }
    guard let at = zip(made, expected).enumerated().first(where: { $1.0 != $1.1 })?.offset else { return nil }
    return "byte \(at % width) of row \(at / width) is \(made[at]) instead of \(expected[at])"
}
