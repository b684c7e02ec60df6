// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraImaging
import ObscuraMedia
import TestSupport
import Testing

/// Files with the compressed picture of a camera and other metadata.
@Suite struct StillCopyTests {
    /// A copy of the frame, with all metadata.
    private func copy(_ frame: [UInt8]) throws -> [UInt8]? {
        try StillEncoder.copying(
            frame, showing: try JPEGDecoder.decode(frame), StillProperties(metadata: StillFiles.full()))
    }

    private func frame(_ format: PixelFormat = .i422, _ width: Int = 61, _ height: Int = 35) throws -> [UInt8] {
        try JPEGEncoder(quality: 80).encode(try PixelBuffer.noise(format, width, height, .jpeg))
    }

    @Test(arguments: [PixelFormat.i420, .i422, .i444, .gray8], [false, true])
    func `tables and samples are those of the camera, to the byte`(format: PixelFormat, isMotion: Bool) throws {
        let plain = try frame(format)
        let source = isMotion ? CameraJPEG.motion(plain) : plain
        let file = try #require(try copy(source))
        #expect(try #require(CameraJPEG.scans(of: file)) == #require(CameraJPEG.scans(of: plain)))
        #expect(file.suffix(2) == [0xff, 0xd9])
        // EXIF, XMP, and no other segment that is not of the picture.
        let segments = CameraJPEG.segments(of: file)
        #expect(segments.map(\.marker).prefix(2) == [0xe1, 0xe1])
        #expect(segments.dropFirst(2).allSatisfy { [0xdb, 0xc4, 0xc0, 0xda].contains($0.marker) })
        for marker in [0xdb, 0xc0] as [UInt8] {
            let copied = segments.filter { $0.marker == marker }.map { file[$0.range] }
            #expect(copied == CameraJPEG.segments(of: plain).filter { $0.marker == marker }.map { plain[$0.range] })
        }
        let (decoded, expected) = (try JPEGDecoder.decode(file), try JPEGDecoder.decode(source))
        #expect(decoded.format == format && decoded.packedBytes() == expected.packedBytes())
        #expect(try Still(file).picture.packedBytes() == expected.packedBytes())
        let info = try StillInfo(file)
        #expect(try info.metadata == StillFiles.full() && info.thumbnail != nil)
    }

    @Test func `missing Huffman tables are the standard ones, and present ones stay alone`() throws {
        let plain = try frame()
        let motion = try #require(try copy(CameraJPEG.motion(plain)))
        // libjpeg writes the standard tables, each in a segment of its own.
        func tables(_ file: [UInt8]) -> Set<[UInt8]> {
            var tables: Set<[UInt8]> = []
            for segment in CameraJPEG.segments(of: file) where segment.marker == 0xc4 {
                var rest = file[segment.range].dropFirst(4)
                while rest.count >= 17 {
                    let count = 17 + rest.dropFirst().prefix(16).reduce(0) { $0 + Int($1) }
                    tables.insert(Array(rest.prefix(count)))
                    rest = rest.dropFirst(count)
                }
            }
            return tables
        }
        #expect(tables(motion).count == 4 && tables(motion) == tables(plain))
        let whole = try #require(try copy(plain))
        #expect(CameraJPEG.segments(of: whole).count { $0.marker == 0xc4 } == 4)
        // With one of the four only, the others are added before it.
        let last = try #require(CameraJPEG.segments(of: plain).last { $0.marker == 0xc4 })
        let one = CameraJPEG.inserting(
            0xc4, Array(plain[last.range].dropFirst(4)), into: CameraJPEG.removing([0xc4], from: plain))
        let file = try #require(try copy(one))
        #expect(CameraJPEG.segments(of: file).count { $0.marker == 0xc4 } == 2 && tables(file) == tables(plain))
        #expect(try JPEGDecoder.decode(file).packedBytes() == JPEGDecoder.decode(plain).packedBytes())
    }

    @Test(.needsExifTool, arguments: [false, true])
    func `exiftool finds the file valid`(isMotion: Bool) throws {
        let plain = try frame()
        let file = try #require(try copy(isMotion ? CameraJPEG.motion(plain) : plain))
        let said = try StillFiles.with(file) { path in
            try Tool.run("exiftool", ["-validate", "-warning", "-error", "-a", "-s3", path])
        }
        #expect(String(decoding: said, as: UTF8.self) == "OK\n")
        let number = try StillFiles.with(file) { try ExifTool($0).number("ExifIFD:ExifImageWidth") }
        #expect(number == 61)
    }

    @Test func `ffmpeg decodes the same picture as of the camera's frame`() throws {
        let plain = try frame(.i422, 64, 32)
        func decoded(_ file: [UInt8]) throws -> Data {
            try StillFiles.with(file) { path in
                try Tool.run(
                    "ffmpeg", ["-v", "error", "-xerror", "-f", "mjpeg", "-i", path, "-f", "rawvideo", "-"])
            }
        }
        let expected = try decoded(plain)
        #expect(expected.count == 64 * 32 * 2)
        #expect(try decoded(try #require(try copy(CameraJPEG.motion(plain)))) == expected)
    }

    @Test func `a progressive picture is copied`() throws {
        let source = CameraJPEG.progressive
        let file = try #require(try copy(source))
        #expect(try #require(CameraJPEG.scans(of: file)) == #require(CameraJPEG.scans(of: source)))
        #expect(try JPEGDecoder.decode(file).packedBytes() == JPEGDecoder.decode(source).packedBytes())
    }

    @Test func `private segments of a camera are left out, and those of the colors are kept`() throws {
        let plain = try frame()
        var source = plain
        let segments: [(UInt8, String)] = [
            (0xe1, "Exif\0\0nonsense"), (0xe1, "http://ns.adobe.com/xap/1.0/\0<x/>"), (0xe4, "a film"),
            (0xfe, "a comment"), (0xe2, "MPF\0"), (0xe2, "ICC_PROFILE\0"), (0xee, "Adobe\0d\0\0\0\0\u{1}"),
        ]
        for (marker, body) in segments { source = CameraJPEG.inserting(marker, Array(body.utf8), into: source) }
        let markers = { (file: [UInt8]) in CameraJPEG.segments(of: file).map(\.marker).filter { $0 >= 0xe0 } }
        // Adobe's segment comes before that of JFIF here, and has a say only without it.
        let file = try #require(try copy(CameraJPEG.removing([0xe0], from: source)))
        #expect(markers(file) == [0xe1, 0xe1, 0xee, 0xe2])
        #expect(try JPEGDecoder.decode(file).packedBytes() == JPEGDecoder.decode(plain).packedBytes())
        var letters = plain
        let header = try #require(CameraJPEG.segments(of: plain).first { $0.marker == 0xc0 }).range
        let scan = try #require(CameraJPEG.scan(of: plain))
        for (index, name) in "RGB".utf8.enumerated() {
            letters[header.lowerBound + 10 + 3 * index] = name
            letters[scan + 5 + 2 * index] = name
        }
        // Without JFIF it would be RGB.
        #expect(try JPEGDecoder.decode(letters).format == .i422)
        #expect(try copy(letters) == nil)
    }

    @Test func `a form that many programs cannot read is encoded`() throws {
        let plain = try frame()
        let picture = try JPEGDecoder.decode(plain)
        let header = try #require(CameraJPEG.segments(of: plain).first { $0.marker == 0xc0 }).range.lowerBound
        // Arithmetic coding, lossless, 12 bits, 4 components, an expanded image.
        for (offset, value) in [(1, 0xc9), (1, 0xc3), (4, 12), (9, 4), (1, 0xdf)] {
            var file = plain
            file[header + offset] = UInt8(value)
            #expect(try StillEncoder.copying(file, showing: picture, StillProperties()) == nil)
        }
        #expect(try StillEncoder.copying(Array(plain.dropLast(2)), showing: picture, StillProperties()) == nil)
        #expect(try StillEncoder.copying([], showing: picture, StillProperties()) == nil)
    }

    @Test func `changed bytes never trap`() throws {
        var dice = Dice(seed: 11)
        let file = CameraJPEG.motion(try frame(.i420, 24, 16))
        let picture = try PixelBuffer.noise(.i420, 24, 16)
        var bare = StillProperties()
        bare.thumbnailSide = nil
        for round in 0..<2000 {
            var bytes = round % 4 == 0 ? Array(file.prefix(.random(in: 0...file.count, using: &dice))) : file
            for _ in 0..<Int.random(in: 1...6, using: &dice) where !bytes.isEmpty {
                // Mostly the segments.
                let reach = min(bytes.count, round % 2 == 0 ? 240 : .max)
                bytes[.random(in: 0..<reach, using: &dice)] = .random(in: 0...255, using: &dice)
            }
            let copied = try StillEncoder.copying(bytes, showing: picture, bare)
            #expect(copied.map { $0.starts(with: [0xff, 0xd8, 0xff, 0xe1]) && $0.suffix(2) == [0xff, 0xd9] } ?? true)
        }
    }
}
