// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraImaging
import ObscuraMedia
import TestSupport
import Testing

/// The files of stills: their pictures, turns and thumbnails.
@Suite struct StillFileTests {
    @Test(arguments: StillFiles.formats, [PixelFormat.i420, .bgra, .gray8, .yuyv])
    func `the picture is the encoder's own, to the bit`(format: StillFormat, pixels: PixelFormat) throws {
        let picture = try PixelBuffer.noise(pixels, 50, 34, pixels.isYUV ? .bt709 : .sRGB)
        let still = try StillEncoder(format).encode(picture, StillProperties(metadata: StillFiles.full()))
        switch format {
        case .jpeg:
            let plain = try JPEGDecoder.decode(JPEGEncoder().encode(picture))
            let decoded = try JPEGDecoder.decode(still)
            #expect(decoded.format == plain.format && decoded.packedBytes() == plain.packedBytes())
        case .png:
            let plain = try PNGDecoder.decode(PNGEncoder().encode(picture))
            #expect(try PNGDecoder.decode(still).packedBytes() == plain.packedBytes())
        }
    }

    @Test(.needsExifTool, arguments: Orientation.allCases, [false, true])
    func `a turn in EXIF is the one that a transform makes`(turn: Orientation, isMirrored: Bool) throws {
        var properties = StillProperties()
        properties.orientation = turn
        properties.isMirrored = isMirrored
        let file = try StillEncoder(.jpeg()).encode(try PixelBuffer.noise(.i420, 32, 16), properties)
        let number = try StillFiles.with(file) { try #require(ExifTool($0).number("IFD0:Orientation")) }
        // What EXIF says of each number: where the first row and the first column of the file are to be seen.
        let meanings: [Double: (row: String, column: String)] = [
            1: ("top", "left"), 2: ("top", "right"), 3: ("bottom", "right"), 4: ("bottom", "left"),
            5: ("left", "top"), 6: ("right", "top"), 7: ("right", "bottom"), 8: ("left", "bottom"),
        ]
        let meaning = try #require(meanings[number])
        #expect(try edge(ofRow: true, turn, isMirrored) == meaning.row)
        #expect(try edge(ofRow: false, turn, isMirrored) == meaning.column)
        let info = try StillInfo(file)
        #expect(info.orientation == turn && info.isMirrored == isMirrored)
        #expect(info.size == PixelSize(width: 32, height: 16))
    }

    /// Where the first row, or column, of a picture is after a transform.
    private func edge(ofRow: Bool, _ turn: Orientation, _ isMirrored: Bool) throws -> String {
        var picture = try PixelBuffer(format: .gray8, width: 9, height: 9)
        try picture.fill { _, x, y in (ofRow ? y : x) == 0 ? 255 : 0 }
        var request = ImageRequest()
        request.orientation = turn
        request.isMirrored = isMirrored
        let samples = try ImageTransformer.transform(picture, request).samples(ofPlane: 0)
        let middles = ["top": 4, "bottom": 76, "left": 36, "right": 44]
        return try #require(middles.first { samples[$0.value] == 255 }).key
    }

    @Test(
        .needsExifTool,
        arguments: [
            (640, 480, 160, 120), (480, 640, 120, 160), (1920, 1080, 160, 90), (100, 50, 100, 50), (4000, 3, 160, 1),
        ])
    func `a thumbnail is a small JPEG of the picture`(width: Int, height: Int, across: Int, down: Int) throws {
        let picture = try PixelBuffer.noise(.i420, width, height)
        let file = try StillEncoder(.jpeg()).encode(picture, StillProperties())
        let thumbnail = try #require(try StillInfo(file).thumbnail)
        #expect(try JPEGDecoder.decode(thumbnail).size == PixelSize(width: across, height: down))
        try StillFiles.with(file) { path in
            let extracted = try Tool.run("exiftool", ["-b", "-ThumbnailImage", path])
            #expect([UInt8](extracted) == thumbnail)
            #expect(try ExifTool(path)["IFD1:Compression"] == "6")
        }
        var bare = StillProperties()
        bare.thumbnailSide = nil
        #expect(try StillInfo(StillEncoder(.jpeg()).encode(picture, bare)).thumbnail == nil)
    }

    @Test func `a thumbnail too large for its segment is made worse, or left out`() throws {
        var properties = StillProperties()
        properties.thumbnailSide = 700
        let picture = try PixelBuffer.noise(.i420, 700, 700)
        let file = try StillEncoder(.jpeg(quality: 100)).encode(picture, properties)
        #expect(try JPEGDecoder.decode(file).size == picture.size)
        #expect((try StillInfo(file).thumbnail?.count ?? 0) < 65_000)
    }

    @Test func `files of others are read as far as they go`() throws {
        let bare = try StillInfo(JPEGEncoder().encode(try PixelBuffer.noise(.i420, 20, 10)))
        #expect(bare.kind == .jpeg && bare.size == PixelSize(width: 20, height: 10))
        #expect(bare.metadata == Metadata() && bare.orientation == .up && bare.thumbnail == nil)
        let png = try StillInfo(PNGEncoder().encode(try PixelBuffer.noise(.rgba, 7, 9)))
        #expect(png.kind == .png && png.size == PixelSize(width: 7, height: 9) && png.metadata == Metadata())
    }

    @Test(.needsExifTool) func `what exiftool wrote is read`() throws {
        let plain = try JPEGEncoder().encode(try PixelBuffer.noise(.i420, 20, 10))
        try StillFiles.with(plain) { path in
            try Tool.run(
                "exiftool",
                [
                    "-q", "-overwrite_original", "-Make=Acme", "-DateTimeOriginal=2001:02:03 04:05:06", "-n",
                    "-SubSecTimeOriginal=5", "-OffsetTimeOriginal=-08:00", "-GPSLatitude=45.5", "-GPSLatitudeRef=S",
                    "-GPSLongitude=170.25", "-GPSLongitudeRef=W", "-GPSAltitude=10", "-GPSAltitudeRef=1",
                    "-XMP-dc:Title=Ein Titel", "-XMP-dc:Creator=A", "-XMP-dc:Creator=B", "-Orientation=6",
                    "-IFD0:ImageDescription=Was er zeigt", path,
                ])
            let info = try StillInfo(contentsOf: path)
            #expect(info.metadata.make == "Acme" && info.metadata.title == "Ein Titel")
            #expect(info.metadata.author == "A, B" && info.orientation == .right)
            #expect(info.metadata.description == "Was er zeigt")
            #expect(info.metadata.date?.iso8601 == "2001-02-03T04:05:06.500-08:00")
            let place = try GeographicLocation(latitude: -45.5, longitude: -170.25, altitude: -10)
            #expect(info.metadata.location == place)
            // Where the title stands in the description's place, there is no description.
            try Tool.run("exiftool", ["-q", "-overwrite_original", "-IFD0:ImageDescription=Ein Titel", path])
            let titled = try StillInfo(contentsOf: path)
            #expect(titled.metadata.title == "Ein Titel" && titled.metadata.description == nil)
        }
    }

    @Test func `what is no file of ours is an error that names it`() throws {
        let missing = #expect(throws: ObscuraError.self) { try StillInfo(contentsOf: "/nowhere/photo.jpg") }
        #expect(missing?.code == .unreadable && missing?.subject == "/nowhere/photo.jpg")
        #expect(throws: ObscuraError.self) { try StillInfo(contentsOf: "/tmp") }
        // An error names the file, also when its contents are the cause.
        let wrong = #expect(throws: ObscuraError.self) { try StillInfo(contentsOf: #filePath) }
        #expect(wrong?.subject == #filePath)
        #expect(throws: ObscuraError.self) { try StillInfo(contentsOf: "/dev/zero") }
        #expect(throws: ObscuraError.self) { try StillInfo([]) }
        #expect(throws: ObscuraError.self) { try StillInfo([0xff, 0xd8, 0xff, 0xd9]) }
    }
}
