// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraImaging

/// Edits that chain, and are applied once.
@Suite struct StillRecipeTests {
    private func apply(_ edits: [StillEdit], _ picture: PixelBuffer) throws -> PixelBuffer {
        let recipe = StillRecipe(edits)
        let edited = try recipe.apply(to: picture)
        #expect(edited.size == recipe.size(of: picture.size))
        return edited
    }

    /// One edit after the other, each by a request of its own.
    private func step(_ edits: [StillEdit], _ picture: PixelBuffer) throws -> PixelBuffer {
        try edits.reduce(picture) { picture, edit in
            var request = ImageRequest()
            switch edit {
            case .crop(let part): request.crop = part.pixels(in: picture.size)
            case .rotate(let orientation): request.orientation = orientation
            case .mirror: request.isMirrored = true
            default: Issue.record("not an edit that moves pixels")
            }
            return try ImageTransformer.transform(picture, request)
        }
    }

    @Test func `no edit gives the picture itself`() throws {
        let picture = try PixelBuffer.noise(.i420, 33, 21)
        for edits in [[], [.crop(.whole)], [.rotate(.up)], [.straighten(degrees: 0)], [.enhance(.none)], [.redEye([])]]
            as [[StillEdit]]
        {
            #expect(try apply(edits, picture).isIdentical(to: picture), "\(edits)")
        }
    }

    @Test func `any chain that moves pixels gives what its steps give one after the other`() throws {
        let picture = try PixelBuffer.noise(.bgra, 61, 37)
        var dice = Dice(seed: 5)
        for _ in 0..<300 {
            let edits = (0..<Int.random(in: 1...6, using: &dice)).map { _ -> StillEdit in
                switch Int.random(in: 0..<3, using: &dice) {
                case 0: return .mirror
                case 1: return .rotate(Orientation.allCases.randomElement(using: &dice) ?? .up)
                default:
                    return .crop(
                        UnitRect(
                            x: .random(in: 0...0.4, using: &dice), y: .random(in: 0...0.4, using: &dice),
                            width: .random(in: 0.3...0.6, using: &dice), height: .random(in: 0.3...0.6, using: &dice)))
                }
            }
            let (edited, stepped) = (try apply(edits, picture), try step(edits, picture))
            #expect(edited.size == stepped.size)
            #expect(edited.packedBytes() == stepped.packedBytes(), "\(edits)")
        }
    }

    @Test func `a picture keeps its format where pixels are only moved`() throws {
        for format in [PixelFormat.i420, .nv12, .i444, .gray8, .rgba] {
            let picture = try PixelBuffer.noise(format, 64, 48)
            let edits: [StillEdit] = [.crop(UnitRect(centred: 1, to: 1, in: picture.size)), .rotate(.right), .mirror]
            let edited = try apply(edits, picture)
            #expect(edited.format == format)
            #expect(edited.size == PixelSize(width: 48, height: 48))
        }
    }

    /// Where each pixel comes from is written down from the definition: the picture turns about its middle.
    @Test(arguments: [-45, -17.5, -2.5, 0.1, 2.5, 30, 45]) func `straightening turns about the middle`(
        degrees: Double
    ) throws {
        // Colours that are places: red is x, green is y.
        let (width, height) = (240, 180)
        var picture = try PixelBuffer(format: .bgra, width: width, height: height)
        try picture.fill { _, x, row in
            switch x % 4 {
            case 1: UInt16(row)
            case 2: UInt16(x / 4)
            default: 255
            }
        }
        let edited = try apply([.straighten(degrees: degrees)], picture)
        let angle = degrees * .pi / 180
        let bytes = edited.packedBytes()
        for y in 0..<edited.height {
            for x in 0..<edited.width {
                let (dx, dy) = (Double(x) + 0.5 - Double(edited.width) / 2, Double(y) + 0.5 - Double(edited.height) / 2)
                // A point of the result was turned clockwise; in the source it lies counterclockwise of there.
                let sourceX = cos(angle) * dx + sin(angle) * dy + Double(width) / 2 - 0.5
                let sourceY = -sin(angle) * dx + cos(angle) * dy + Double(height) / 2 - 0.5
                // No corner is empty.
                #expect((-0.51...(Double(width) - 0.49)).contains(sourceX))
                #expect((-0.51...(Double(height) - 0.49)).contains(sourceY))
                let place = (y * edited.width + x) * 4
                #expect(abs(Double(bytes[place + 2]) - sourceX) <= 1.1)
                #expect(abs(Double(bytes[place + 1]) - sourceY) <= 1.1)
                #expect(bytes[place + 3] == 255)
            }
        }
        // The shape stays, to a pixel.
        #expect(abs(Double(edited.width) * 3 / 4 - Double(edited.height)) <= 1.75)
    }

    @Test func `edits before and after a straightening compose`() throws {
        let (width, height) = (200, 120)
        var picture = try PixelBuffer(format: .bgra, width: width, height: height)
        try picture.fill { _, x, row in x % 4 == 2 ? UInt16(x / 4) : x % 4 == 1 ? UInt16(row) : 255 }
        let before: [StillEdit] = [.rotate(.right), .crop(UnitRect(x: 0.1, y: 0.1, width: 0.8, height: 0.75)), .mirror]
        let after: [StillEdit] = [.rotate(.left), .crop(UnitRect(x: 0.25, y: 0.2, width: 0.5, height: 0.5)), .mirror]
        let turn: [StillEdit] = [.straighten(degrees: 7)]
        let once = try apply(before + turn + after, picture)
        let stepped = try step(after, apply(turn, step(before, picture)))
        #expect(once.size == stepped.size)
        for (one, other) in zip(once.packedBytes(), stepped.packedBytes()) { #expect(abs(Int(one) - Int(other)) <= 1) }
    }

    @Test func `a flat picture stays flat when it is turned, to its edges`() throws {
        for (width, height) in [(1, 1), (2, 1), (1, 7), (5, 3), (64, 64)] {
            var picture = try PixelBuffer(format: .bgra, width: width, height: height)
            try picture.fill { _, x, _ in [10, 200, 90, 255][x % 4] }
            for degrees in [-45, -1, 13, 45] as [Double] {
                let bytes = try apply([.straighten(degrees: degrees)], picture).packedBytes()
                #expect(!bytes.isEmpty)
                for place in bytes.indices { #expect(bytes[place] == [10, 200, 90, 255][place % 4]) }
            }
        }
    }

    @Test func `nonsense is cut off at what makes sense`() throws {
        let picture = try PixelBuffer.noise(.bgra, 20, 10)
        let nan = Double.nan
        for edit in [
            StillEdit.crop(UnitRect(x: nan, y: nan, width: nan, height: nan)),
            .crop(UnitRect(x: -5, y: 1e300, width: 1e300, height: -3)),
            .crop(UnitRect(x: 2, y: 2, width: 0, height: 0)),
            .straighten(degrees: nan), .straighten(degrees: .infinity), .straighten(degrees: 1000),
            .redEye([UnitRect(x: nan, y: -7, width: 1e300, height: nan), UnitRect(x: 3, y: 3, width: 1, height: 1)]),
            .enhance(unsound),
        ] {
            let edited = try apply([edit], picture)
            #expect(edited.width >= 1 && edited.height >= 1)
        }
    }

    private var unsound: Enhancement {
        var enhancement = Enhancement()
        enhancement.gains = Enhancement.Gains(red: .nan, green: -.infinity, blue: 1e300)
        (enhancement.black, enhancement.white) = (2, -7)
        (enhancement.shadows, enhancement.saturation) = (.infinity, -1e300)
        return enhancement
    }

    @Test func `a recipe is kept as JSON and comes back the same`() throws {
        let recipe = StillRecipe([
            .crop(UnitRect(x: 0.1, y: 0.2, width: 0.3, height: 0.4)), .rotate(.left), .mirror,
            .straighten(degrees: -2.5), .redEye([.whole]), .enhance(.none),
        ])
        #expect(try JSONDecoder().decode(StillRecipe.self, from: JSONEncoder().encode(recipe)) == recipe)
    }

    @Test func `the largest part of a shape lies in the middle`() {
        let size = PixelSize(width: 1000, height: 500)
        #expect(
            UnitRect(centred: 1, to: 1, in: size).pixels(in: size) == PixelRect(x: 250, y: 0, width: 500, height: 500))
        #expect(
            UnitRect(centred: 4, to: 1, in: size).pixels(in: size) == PixelRect(x: 0, y: 125, width: 1000, height: 250))
        #expect(UnitRect(centred: 2, to: 1, in: size) == .whole)
    }
}
