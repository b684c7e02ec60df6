// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraImaging

/// Light and colours of photos, and red eyes.
@Suite struct EnhancementTests {
    /// The formula of the documentation, in real numbers.
    private func expected(_ bgra: [UInt8], _ enhancement: Enhancement) -> [Double] {
        let gains = [enhancement.gains.blue, enhancement.gains.green, enhancement.gains.red]
        let values = (0..<3).map { index in
            min(
                max(
                    0,
                    (Double(bgra[index]) / 255 * gains[index] - enhancement.black)
                        / (enhancement.white - enhancement.black)), 1)
        }
        let luma = 0.0722 * values[0] + 0.7152 * values[1] + 0.2126 * values[2]
        let factor = 1 + 1.5 * enhancement.shadows * pow(1 - luma, 4)
        return values.map { value in
            let spread = luma * factor + enhancement.saturation * (value * factor - luma * factor)
            return min(max(0, spread), 1) * 255
        } + [Double(bgra[3])]
    }

    @Test func `each pixel is what the formula says, to within one`() throws {
        let picture = try PixelBuffer.noise(.bgra, 67, 41)
        let before = picture.packedBytes()
        var enhancement = Enhancement()
        enhancement.gains = Enhancement.Gains(red: 1.2, green: 0.9, blue: 1.1)
        (enhancement.black, enhancement.white) = (0.1, 0.85)
        (enhancement.shadows, enhancement.saturation) = (0.6, 1.3)
        let after = try StillRecipe([.enhance(enhancement)]).apply(to: picture).packedBytes()
        for place in stride(from: 0, to: before.count, by: 4) {
            let wanted = expected(Array(before[place..<(place + 4)]), enhancement)
            for index in 0..<4 { #expect(abs(Double(after[place + index]) - wanted[index]) <= 1.2) }
        }
    }

    @Test func `grey stays grey, and one colour stays as it is`() throws {
        let gray = try PixelBuffer.noise(.gray8, 80, 60, .jpeg)
        let enhancement = try Enhancement.automatic(for: gray)
        #expect(enhancement.saturation == 1)
        let bytes = try StillRecipe([.enhance(enhancement)]).apply(to: gray).packedBytes()
        for place in stride(from: 0, to: bytes.count, by: 4) {
            #expect(bytes[place] == bytes[place + 1] && bytes[place] == bytes[place + 2])
        }
        for color in [[0, 0, 0], [255, 255, 255], [30, 200, 90]] as [[UInt16]] {
            var flat = try PixelBuffer(format: .bgra, width: 40, height: 30)
            try flat.fill { _, x, _ in x % 4 == 3 ? 255 : color[x % 4] }
            #expect(try Enhancement.automatic(for: flat) == .none)
        }
    }

    @Test func `a dull picture with a cast spans the range afterwards, and its grey is grey`() throws {
        // Grey steps between 70 and 150, seen in warm light.
        var picture = try PixelBuffer(format: .bgra, width: 320, height: 200)
        try picture.fill { _, x, row in
            let grey = 70 + Double((x / 4 + row) % 81)
            return UInt16((grey * [0.85, 1.0, 1.15, 0][x % 4]).rounded()) + (x % 4 == 3 ? 255 : 0)
        }
        let enhancement = try Enhancement.automatic(for: picture)
        #expect(enhancement.gains.red < 0.95 && enhancement.gains.blue > 1.05)
        let bytes = try StillRecipe([.enhance(enhancement)]).apply(to: picture).packedBytes()
        let greens = stride(from: 1, to: bytes.count, by: 4).map { bytes[$0] }
        let before = stride(from: 1, to: bytes.count, by: 4).map { picture.packedBytes()[$0] }
        #expect(Int(greens.max() ?? 0) - Int(greens.min() ?? 0) > Int(before.max() ?? 0) - Int(before.min() ?? 0) + 40)
        let cast = stride(from: 0, to: bytes.count, by: 4).map { abs(Int(bytes[$0 + 2]) - Int(bytes[$0])) }
        #expect(cast.reduce(0, +) / cast.count <= 6)
    }

    @Test(arguments: [0, 255] as [UInt16])
    func `what is black or burnt out does not say which light there is`(end: UInt16) throws {
        func gains(lower: UInt16?) throws -> Enhancement.Gains {
            var picture = try PixelBuffer(format: .bgra, width: 320, height: 200)
            try picture.fill { _, x, row in
                if x % 4 == 3 { return 255 }
                if let lower, row >= 100 { return lower }
                return UInt16((Double(70 + (x / 4 + row % 100) % 81) * [0.85, 1.0, 1.15][x % 4]).rounded())
            }
            return try Enhancement.automatic(for: picture).gains
        }
        let (whole, half) = (try gains(lower: nil), try gains(lower: end))
        #expect(abs(whole.red - half.red) < 0.005 && abs(whole.blue - half.blue) < 0.005)
        #expect(whole.red < 0.95 && whole.blue > 1.05)
    }

    /// The gains for a scene of grays from black to white in warm light, of which the first parts are other things.
    ///
    /// - Parameter other: The part of the pixels that are not gray, from 0 to 1, and their values for red, green and blue.
    private func gains(_ other: (share: Double, color: (Int) -> SIMD3<Float>)) -> Enhancement.Gains? {
        let warm = SIMD3<Float>(1, 0.93, 0.8)
        let pixels = (0..<10_000).map { index in
            Double(index % 100) < other.share * 100
                ? other.color(index / 100) : warm * (0.1 + 0.008 * Float(index / 100))
        }
        return LightColor(pixels).gains
    }

    @Test func `The light's color is what dark and bright places share, if nothing is gray`() throws {
        let found = try #require(gains((0, { _ in .one })))
        #expect(abs(found.red / found.green - 0.93) < 0.01 && abs(found.blue / found.green - 0.93 / 0.8) < 0.01)
        // Red, green and blue things do not matter.
        let colorful = try #require(
            gains((0.6, { [SIMD3(0.6, 0.2, 0.1), SIMD3(0.1, 0.5, 0.15), SIMD3(0.1, 0.2, 0.6)][$0 % 3] })))
        #expect(abs(colorful.red - found.red) < 0.01 && abs(colorful.blue - found.blue) < 0.01)
        // A fifth of the pixels is gray.
        #expect(gains((0.2, { SIMD3(repeating: 0.2 + 0.005 * Float($0)) })) == nil)
        // The brightest pixels have another color.
        #expect(gains((0.2, { _ in SIMD3(0.97, 0.95, 0.5) })) == nil)
        // A wall of one brightness, in front of which everything else is colorful.
        #expect(gains((1, { $0 < 50 ? SIMD3(0.9, 0.84, 0.72) : SIMD3(0.1, 0.5, 0.1) })) == nil)
        #expect(gains((1, { _ in SIMD3(0.99, 0.5, 0.02) })) == nil)
    }

    private static let photos = ProcessInfo.processInfo.environment["OBSCURA_TEST_FACES"]

    @Test(
        .enabled("OBSCURA_TEST_FACES names no folder") { photos != nil },
        arguments: ["astronaut", "chelsea", "coffee", "brick", "gravel", "grass"])
    func `A photo without a cast keeps its white balance, a warm subject as well`(name: String) throws {
        let photo = try Still(contentsOf: "\(try #require(Self.photos))/\(name).png").picture
        #expect(try Enhancement.automatic(for: photo).gains == Enhancement.Gains())
    }

    @Test(
        .enabled("OBSCURA_TEST_FACES names no folder") { photos != nil },
        arguments: [(0.92, 1, 1.1), (1.08, 1, 0.88), (1.05, 0.94, 1.05)])
    func `A photo with a cast loses much of it`(red: Double, green: Double, blue: Double) throws {
        let photo = try Still(contentsOf: "\(try #require(Self.photos))/astronaut.png").picture
        var cast = Enhancement()
        cast.gains = Enhancement.Gains(red: red, green: green, blue: blue)
        let gains = try Enhancement.automatic(for: StillRecipe([.enhance(cast)]).apply(to: photo)).gains
        let (before, after) = (
            (red / green, blue / green),
            (red * gains.red / (green * gains.green), blue * gains.blue / (green * gains.green))
        )
        // The gray of the photo itself is a little warm.
        #expect(abs(after.0 - 1) + abs(after.1 - 1) < 0.7 * (abs(before.0 - 1) + abs(before.1 - 1)), "\(gains)")
    }

    @Test func `dark pictures are lifted, bright ones are not`() throws {
        func shadows(_ top: UInt16) throws -> Double {
            var picture = try PixelBuffer(format: .bgra, width: 128, height: 64)
            // Mostly dark, with a light in it.
            try picture.fill { _, x, row in row < 4 ? 250 : UInt16(x / 4) * top / 128 }
            return try Enhancement.automatic(for: picture).shadows
        }
        #expect(try shadows(40) > 0.3)
        #expect(try shadows(250) == 0)
    }

    @Test func `a red pupil becomes grey, and skin and what lies outside stay`() throws {
        let (skin, pupil, glint): ([UInt16], [UInt16], [UInt16]) =
            ([120, 150, 205, 255], [30, 40, 190, 255], [250, 250, 250, 255])
        func color(_ x: Int, _ y: Int) -> [UInt16] {
            let distance = (x - 40) * (x - 40) + (y - 30) * (y - 30)
            return distance < 4 ? glint : distance < 64 ? pupil : skin
        }
        var picture = try PixelBuffer(format: .bgra, width: 80, height: 60)
        try picture.fill { _, x, row in color(x / 4, row)[x % 4] }
        // Another red spot that nobody called an eye.
        try picture.fill { plane, x, row in (x / 4 < 5 && row < 5) ? pupil[x % 4] : color(x / 4, row)[x % 4] }
        let eye = UnitRect(PixelRect(x: 28, y: 18, width: 24, height: 24), in: picture.size)
        let mended = try StillRecipe([.redEye([eye])]).apply(to: picture)
        let (before, after) = (picture.packedBytes(), mended.packedBytes())
        for y in 0..<60 {
            for x in 0..<80 {
                let place = (y * 80 + x) * 4
                if color(x, y) == pupil {
                    #expect(abs(Int(after[place + 2]) - 35) <= 1)
                    #expect(after[place] == before[place] && after[place + 1] == before[place + 1])
                } else {
                    #expect(after[place..<(place + 4)] == before[place..<(place + 4)])
                }
            }
        }
        // The same eye, named after a turn and a crop.
        let turned = try StillRecipe([.rotate(.right)]).apply(to: picture)
        let named = UnitRect(PixelRect(x: 18, y: 28, width: 24, height: 24), in: turned.size)
        let once = try StillRecipe([.rotate(.right), .redEye([named])]).apply(to: picture)
        #expect(once.packedBytes() == (try StillRecipe([.rotate(.right)]).apply(to: mended)).packedBytes())
    }

    @Test func `a strip of eyes at the edge, and one larger than the picture, are harmless`() throws {
        let picture = try PixelBuffer.noise(.i420, 31, 17)
        let eyes = [
            UnitRect(x: 0.9, y: 0.9, width: 5, height: 5), UnitRect(x: -1, y: -1, width: 3, height: 3),
            UnitRect(x: 0, y: 0, width: 0, height: 0),
        ]
        #expect(try StillRecipe([.redEye(eyes)]).apply(to: picture).size == picture.size)
    }
}
