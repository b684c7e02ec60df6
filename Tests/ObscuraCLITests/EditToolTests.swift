// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Obscura
import TestSupport
import Testing

@testable import ObscuraCLI

/// `obscura edit`, as its users run it.
@Suite(.hangLimit) struct EditToolTests {
    private let folder: TemporaryFolder
    private let obscura: ObscuraCLITests.Tool

    init() throws {
        folder = try TemporaryFolder()
        obscura = ObscuraCLITests.Tool(folder: folder)
    }

    /// A photo in whose pixels one can read where they were: red is the column, green the row.
    private func makePhoto(
        _ name: String = "photo.png", _ properties: StillProperties = StillProperties()
    ) throws -> PixelBuffer {
        var picture = try PixelBuffer(format: .bgra, width: 200, height: 120)
        let stride = picture.bytesPerRow(ofPlane: 0)
        try picture.withMutableBytes(ofPlane: 0) { bytes in
            for y in 0..<120 {
                for x in 0..<200 {
                    for (index, value) in [60, UInt8(y), UInt8(x), 255].enumerated() {
                        bytes.storeBytes(of: value, toByteOffset: y * stride + 4 * x + index, as: UInt8.self)
                    }
                }
            }
        }
        let format: StillFormat = name.hasSuffix("png") ? .png() : .jpeg(quality: 95)
        try Data(StillEncoder(format).encode(picture, properties)).write(to: URL(fileURLWithPath: folder(name)))
        return picture
    }

    /// Where the pixel in the corner of an edited photo came from.
    private func corner(of name: String) throws -> (x: Int, y: Int, size: PixelSize) {
        let still = try Still(contentsOf: folder(name))
        let bytes = try ImageTransformer.transform(still.picture, ImageRequest(pixelFormat: .bgra)).packedBytes()
        return (Int(bytes[2]), Int(bytes[1]), still.picture.size)
    }

    @Test(arguments: [
        (["--crop", "4:3"], 20, 0, 160, 120), (["--crop", "100x50+30+40"], 30, 40, 100, 50),
        (["--crop", "100x50"], 50, 35, 100, 50), (["--mirror"], 199, 0, 200, 120),
        (["--rotate", "90"], 0, 119, 120, 200),
        (["--rotate=-90"], 199, 0, 120, 200), (["--rotate", "-90"], 199, 0, 120, 200),
        (["--rotate", "90", "--mirror", "--crop", "1:1"], 40, 0, 120, 120),
    ]) func `each option does what it says`(options: [String], x: Int, y: Int, width: Int, height: Int) async throws {
        _ = try makePhoto()
        let outcome = try await ObscuraCLITests.Tool.run(
            [ObscuraCLITests.Tool.path, "edit", "photo.png", "-o", "out/new.png"] + options, in: folder)
        #expect(outcome.code == 0 && outcome.output.isEmpty, "\(outcome.errors)")
        #expect(outcome.errors == "out/new.png: \(width)x\(height)\n")
        let corner = try corner(of: "out/new.png")
        #expect(corner.x == x && corner.y == y && corner.size == PixelSize(width: width, height: height))
    }

    @Test func `a small turn straightens, and leaves no empty corner`() async throws {
        _ = try makePhoto()
        let outcome = try await obscura("edit", "photo.png", "--rotate", "2.5", "-o", "new.png", "-q")
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        let size = try corner(of: "new.png").size
        #expect(size.width < 200 && size.width > 180 && size.height < 120 && size.height > 105)
    }

    @Test(.enabled("exiftool is not installed") { ExifTool.isInstalled })
    func `what the photo says of itself stays, and it comes out upright`() async throws {
        var properties = StillProperties()
        properties.metadata.title = "Die See"
        properties.metadata.location = try GeographicLocation(latitude: 52.1, longitude: 4.3)
        properties.orientation = .right
        _ = try makePhoto("turned.jpg", properties)
        let outcome = try await obscura("edit", "turned.jpg", "--crop", "1:1", "-o", "new.jpg", "--quality", "95")
        #expect(outcome.code == 0, "\(outcome.errors)")
        let tool = try ExifTool(folder("new.jpg"))
        #expect(tool["XMP-dc:Title"] == "Die See")
        #expect(abs(try #require(tool.number("Composite:GPSLatitude")) - 52.1) < 1e-6)
        #expect(tool.number("IFD0:Orientation") ?? 1 == 1)
        // Upright it has 120x200 pixels; its upper left corner was the lower left one.
        let corner = try corner(of: "new.jpg")
        #expect(corner.size == PixelSize(width: 120, height: 120))
        #expect(abs(corner.x - 40) < 8 && corner.y > 110)
    }

    @Test(.enabled("OBSCURA_TEST_FACES names no folder") { DetectToolTests.faces != nil })
    func `red pupils are found and mended`() async throws {
        let media = try #require(DetectToolTests.faces)
        var still = try Still(contentsOf: "\(media)/astronaut.png")
        still.picture = try ImageTransformer.transform(still.picture, ImageRequest(pixelFormat: .bgra))
        // Her eyes, as a flash would make them.
        let pupils = [(203, 101), (247, 103)]
        let stride = still.picture.bytesPerRow(ofPlane: 0)
        try still.picture.withMutableBytes(ofPlane: 0) { bytes in
            for (x, y) in pupils {
                for step in 0..<25 {
                    let place = (y + step / 5 - 2) * stride + 4 * (x + step % 5 - 2)
                    let red: [UInt8] = [30, 30, 200, 255]
                    for index in 0..<4 {
                        bytes.storeBytes(of: red[index], toByteOffset: place + index, as: UInt8.self)
                    }
                }
            }
        }
        try await still.write(to: folder("red.png"))
        let outcome = try await obscura("edit", "red.png", "--red-eye", "-o", "mended.png")
        #expect(outcome.code == 0 && outcome.errors.contains("eyes found"), "\(outcome.errors)")
        let mended = try ImageTransformer.transform(
            Still(contentsOf: folder("mended.png")).picture, ImageRequest(pixelFormat: .bgra))
        let (before, after) = (still.picture.packedBytes(), mended.packedBytes())
        for (x, y) in pupils { #expect(after[(y * 512 + x) * 4 + 2] < 60, "\(x), \(y)") }
        // Little else is changed: no pixel outside of the face.
        for place in 0..<(512 * 512) where before[4 * place + 2] != after[4 * place + 2] {
            let (x, y) = (place % 512, place / 512)
            #expect((150..<320).contains(x) && (60..<220).contains(y))
        }
    }

    @Test func `enhancing says what it does`() async throws {
        _ = try makePhoto()
        let outcome = try await obscura("edit", "photo.png", "--auto-enhance", "-o", "new.png")
        #expect(outcome.code == 0)
        #expect(outcome.errors.hasPrefix("enhanced: black "), "\(outcome.errors)")
        #expect(outcome.errors.contains(", saturation "))
    }

    @Test func `what cannot be is said, and nothing is written`() async throws {
        _ = try makePhoto()
        try Data("no photo".utf8).write(to: URL(fileURLWithPath: folder("text.jpg")))
        try Data().write(to: URL(fileURLWithPath: folder("empty.jpg")))
        for (arguments, code, words) in [
            (["photo.png", "-o", "new.png"], 64, "Give an edit"),
            (["photo.png", "--mirror", "-o", "new"], 64, "extension"),
            (["photo.png", "--crop", "4:0", "-o", "new.png"], 64, "4:3"),
            (["photo.png", "--crop", "300x10", "-o", "new.png"], 64, "does not fit into the photo"),
            (["photo.png", "--rotate", "nan", "-o", "new.png"], 64, "degrees"),
            (["photo.png", "--mirror", "--quality", "90", "-o", "new.png"], 64, "JPEG"),
            (["nothing.jpg", "--mirror", "-o", "new.png"], 1, "no such file"),
            (["text.jpg", "--mirror", "-o", "new.png"], 1, "neither a JPEG nor a PNG"),
            (["empty.jpg", "--mirror", "-o", "new.png"], 1, "neither a JPEG nor a PNG"),
            (["photo.png", "--mirror", "-o", "photo.png"], 1, "--overwrite"),
            (["photo.png", "--mirror", "--overwrite", "-o", "photo.png"], 64, "which is never replaced"),
        ] {
            let outcome = try await ObscuraCLITests.Tool.run(
                [ObscuraCLITests.Tool.path, "edit"] + arguments, in: folder)
            #expect(outcome.code == Int32(code) && outcome.output.isEmpty, "\(arguments): \(outcome.errors)")
            #expect(outcome.errors.contains(words), "\(arguments): \(outcome.errors)")
        }
        #expect(folder.names() == ["empty.jpg", "photo.png", "text.jpg"])
    }
}
