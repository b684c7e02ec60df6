// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraMovies

@Suite("Sample tables of MP4 and MOV files")
struct SampleTablesTests {
    // MARK: Boxes by hand

    private static func number(_ value: Int, _ bytes: Int = 4) -> [UInt8] {
        (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func box(_ type: String, _ contents: [UInt8]...) -> [UInt8] {
        let content = contents.flatMap(\.self)
        return number(content.count + 8) + Array(type.utf8) + content
    }

    /// A box with a version, flags and numbers of 4 bytes.
    private static func table(_ type: String, version: Int = 0, _ numbers: Int...) -> [UInt8] {
        box(type, number(version << 24), numbers.flatMap { number($0) })
    }

    private static func table(_ type: String, _ numbers: [Int]) -> [UInt8] {
        box(type, number(0), numbers.flatMap { number($0) })
    }

    private static func track(
        _ tables: [UInt8]..., handler: String = "vide", format: String = "avc1", edits: [UInt8] = [],
        header: [UInt8] = table("tkhd", 0, 0, 1)
    ) -> [UInt8] {
        let description = box(format, [UInt8](repeating: 0, count: 6), number(1, 2), [UInt8](repeating: 0, count: 70))
        let stbl = box("stbl", box("stsd", number(0), number(1), description), tables.flatMap(\.self))
        let hdlr = box("hdlr", number(0), number(0), Array(handler.utf8), [UInt8](repeating: 0, count: 13))
        let mdhd = table("mdhd", 0, 0, 1000, 0, 0)
        return box("trak", header, edits, box("mdia", mdhd, hdlr, box("minf", stbl)))
    }

    private static let head = box("ftyp", Array("isom".utf8), number(0))

    private static func file(_ boxes: [UInt8]...) -> [UInt8] { head + boxes.flatMap(\.self) }

    /// `count` samples of `size` bytes each, in one chunk.
    private static func samples(_ count: Int, size: Int = 1, duration: Int = 40) -> [UInt8] {
        table("stts", 1, count, duration) + table("stsc", 1, 1, count, 1) + table("stsz", size, count)
            + table("stco", 1, 40)
    }

    private static func tables(_ bytes: [UInt8], size: Int? = nil) -> SampleTables {
        SampleTables(size: Int64(size ?? bytes.count)) { offset, count in
            Array(bytes.dropFirst(Int(clamping: offset)).prefix(count))
        }
    }

    // MARK: What is rejected

    private static let million = 1_000_000
    /// Files of less than four kilobytes that describe at least 40 million entries.
    enum Hostile: String, CaseIterable, CustomTestStringConvertible {
        case oneFixedSize, manyTracks, twoTablesInOneTrack, smallSizes, longBox, boxToTheEnd, fragment, chunksOfSound
        case soundCalledPicture, soundOfLongSamples, edits, indexInFreeSpace, tableInDescription, tableBehindHandler,
            stills
        case hiddenFragment, fragmentHiddenByTable

        var testDescription: String { rawValue }
    }

    private static func bytes(_ hostile: Hostile) -> [UInt8] {
        let many = 40 * million
        let moof = box("moof", box("traf", table("tfhd", 1), table("trun", many)))
        let empty = file(box("moov", track(samples(0))))
        switch hostile {
        case .oneFixedSize: return file(box("moov", track(samples(many))))
        case .manyTracks: return file(box("moov", (0..<8).flatMap { _ in track(samples(5 * million)) }))
        case .twoTablesInOneTrack:
            return file(box("moov", track(table("stsz", 1, many), samples(10), table("stsz", 1, 3))))
        case .smallSizes: return file(box("moov", track(table("stz2", 4, many))))
        case .longBox:
            let track = track(samples(many))
            return file(number(1), Array("moov".utf8), number(16 + track.count, 8), track)
        case .boxToTheEnd: return file(number(0), Array("moov".utf8), track(samples(many)))
        case .fragment: return empty + moof
        case .chunksOfSound:
            let chunks = table("stsc", 1, 1, 0x7fff_ffff, 1) + table("stco", 6, 1, 2, 3, 4, 5, 6)
            return file(box("moov", track(table("stts", 1, 1, 1), chunks, handler: "soun", format: "sowt")))
        case .soundCalledPicture:
            let second = box("hdlr", number(0), number(0), Array("vide".utf8))
            return file(box("moov", track(samples(many, duration: 1), second, handler: "soun", format: "sowt")))
        case .soundOfLongSamples:
            return file(box("moov", track(samples(many, duration: 1024), handler: "soun", format: "mp4a")))
        case .edits:
            let edits = box("edts", table("elst", [50] + [Int](repeating: 1, count: 150)))
            return file(box("moov", track(samples(900_000), edits: edits)))
        case .indexInFreeSpace: return file(box("free", table("mvhd", 0), track(samples(many))))
        case .tableInDescription:
            let description = box("stsd", number(0), number(1), box("mp4a", table("stsz", 1, many)))
            return file(box("moov", box("trak", description)))
        case .tableBehindHandler:
            return file(box("moov", box("meta", number(0), number(0), table("hdlr", 0), table("trun", many))))
        case .stills: return file(box("meta", number(0), table("hdlr", 0), table("iinf", version: 1, many)))
        case .hiddenFragment:
            // Its first reference begins 8 bytes behind it: within the box of samples.
            let references = number(8) + number(0, 2) + number(1, 2) + number(100) + number(1000) + number(0)
            return empty + box("sidx", number(0), number(1), number(1000), number(0), references) + box("mdat", moof)
        case .fragmentHiddenByTable:
            let row = table("tfra", 1, 0, 1, 0, empty.count + 8) + [1, 1, 1]
            let tfra = number(row.count) + row.dropFirst(4)
            let mfra = box("mfra", tfra, table("mfro", tfra.count + 24))
            return empty + box("mdat", moof, mfra)
        }
    }

    @Test("A few bytes that describe millions of samples are rejected", arguments: Hostile.allCases)
    func hostileTables(hostile: Hostile) throws {
        let bytes = Self.bytes(hostile)
        #expect(bytes.count < 4096)
        let tables = Self.tables(bytes)
        #expect(!tables.isAcceptable, "\(tables.entryCount) entries")
        let path = try TestMovies.file("hostile \(hostile).mp4", Data(bytes))
        let error = #expect(throws: ObscuraError.self) { try MovieContents.read(path) }
        #expect(error?.code == .unsupportedContainer)
        #expect(error?.reason.contains("more samples") == true)
    }

    /// FFmpeg would search for seconds for each of them.
    @Test(
        "Fragments are rejected if a track has no number",
        arguments: [
            [], table("tkhd", 0, 0, 1 << 31), table("tkhd", version: 1, 0, 0, 0, 0, -1),
        ])
    func unnumberedTrack(header: [UInt8]) throws {
        let moov = Self.box("moov", Self.track(Self.samples(0)), Self.track(Self.samples(0), header: header))
        let moof = Self.box("moof", Self.box("traf", Self.table("tfhd", 1), Self.table("trun", 1, 0, 1)))
        #expect(Self.tables(Self.file(moov)).isAcceptable)
        let error = #expect(throws: ObscuraError.self) { try Self.tables(Self.file(moov, moof)).check("movie.mp4") }
        #expect(error?.reason == "it has fragments, and a track without a number")
        let stray = Self.box("moov", Self.track(Self.samples(0)), header)
        #expect(Self.tables(Self.file(stray, moof)).isAcceptable == header.isEmpty)
        let numbered = Self.box(
            "moov", Self.track(Self.samples(0), header: Self.table("tkhd", version: 1, 0, 0, 0, 0, 7)))
        #expect(Self.tables(Self.file(numbered, moof)).isAcceptable)
    }

    @Test("A compressed index is rejected before it is unpacked")
    func compressedIndex() throws {
        let bytes = Self.file(Self.box("moov", Self.box("cmov", Self.box("dcom", Array("zlib".utf8)))))
        let path = try TestMovies.file("compressed index.mp4", Data(bytes))
        let error = #expect(throws: ObscuraError.self) { try MovieContents.read(path) }
        #expect(error?.reason.contains("compressed") == true)
    }

    @Test("Boxes without end, in one another and in a file of any size end", .withoutSanitizer)
    func endlessBoxes() {
        let deep = (0..<200).reduce([UInt8]()) { inner, _ in Self.box("moov", inner) }
        #expect(Self.tables(deep).isAcceptable)
        // Files of nothing but heads of boxes, small ones and large ones.
        func filled(with bytes: [UInt8], size: Int64) -> SampleTables {
            let page = (0..<8192).map { bytes[$0 % bytes.count] }
            return SampleTables(size: size) { _, count in Array(page.prefix(count)) }
        }
        let empty: [UInt8] = [0, 0, 0, 8, 0x66, 0x72, 0x65, 0x65]
        let peak = MemoryPeak()
        #expect(!filled(with: empty, size: .max).isAcceptable)
        #expect(peak.growthKilobytes < 256 << 10, "\(peak.growthKilobytes)")
        // The small ones end because of their size.
        for byte in [UInt8(0), 1, 0x7f] { #expect(filled(with: [byte], size: 1 << 40).isAcceptable) }
        #expect(!filled(with: [0xff], size: .max).isAcceptable)
    }

    @Test("Random bytes behind real types end, and none makes a sum overflow", .withoutSanitizer)
    func randomBoxes() {
        let types = [
            "moov", "trak", "mdia", "minf", "stbl", "moof", "traf", "meta", "free", "hdlr", "stsd", "stts", "stsz",
            "stco",
            "co64", "stsc", "elst", "trun", "iinf", "iloc", "sidx", "tfra", "mfra", "mfro",
        ]
        var dice = Dice(seed: 17)
        var rejected = 0
        for _ in 0..<2000 {
            var bytes = Self.head
            while bytes.count < 600, let type = types.randomElement(using: &dice) {
                bytes += Self.number(Int.random(in: 8...200, using: &dice)) + Array(type.utf8)
                for _ in 0..<Int.random(in: 0...30, using: &dice) {
                    let isExtreme = Int.random(in: 0..<3, using: &dice) == 0
                    bytes.append(isExtreme ? 0xff : UInt8.random(in: 0...3, using: &dice))
                }
            }
            // In a file without end, a search may go on for millions of entries: only a few of the files are such.
            let size: Int? =
                Int.random(in: 0..<20, using: &dice) == 0 ? .max : Bool.random(using: &dice) ? 1 << 22 : nil
            if !Self.tables(bytes, size: size).isAcceptable { rejected += 1 }
        }
        #expect(rejected > 200 && rejected < 1900, "\(rejected)")
    }

    // MARK: What is accepted

    @Test(
        "Real movies are accepted, and all of their samples are counted",
        arguments: ["plain", "fragmented", "pcm", "gaps", "edited", "hybrid", "cut"])
    func realMovies(kind: String) throws {
        let source = try TestMovies.h264()
        let path =
            switch kind {
            case "fragmented":
                try TestMovies.path(
                    "tables.mp4", ["-i", source, "-c", "copy", "-movflags", "+frag_keyframe+empty_moov+global_sidx"])
            case "pcm": try TestMovies.path("pcm.mov", ["-i", source, "-c:v", "copy", "-c:a", "pcm_s16le"])
            case "gaps": try TestMovies.path("gaps.mp4", ["-ss", "0.7", "-i", source, "-c", "copy"])
            case "edited": try TestMovies.path("edited.mov", ["-itsoffset", "0.5", "-i", source, "-c", "copy"])
            case "hybrid": try TestMovies.path("hybrid.mp4", ["-i", source, "-c", "copy", "-movflags", "+dash"])
            case "cut": try TestMovies.cut(source, to: 0.5)
            default: source
            }
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let tables = Self.tables(bytes)
        #expect(tables.isAcceptable)
        // 50 pictures at the least, 25 where the file begins later.
        #expect((25...20_000).contains(tables.entryCount), "\(tables.entryCount)")
        #expect(try MovieContents.read(path).streams.count == 2)
    }

    @Test("An hour of sound whose samples are one unit long is accepted", arguments: ["sowt", "ima4", "QDM2"])
    func longSound(format: String) {
        let count = 3600 * 48_000
        let bytes = Self.file(
            Self.box(
                "moov",
                Self.track(
                    Self.table("stts", 1, count, 1), Self.table("stsc", 1, 1, 4096, 1), Self.table("stsz", 1, count),
                    Self.table("stco", [count / 4096] + [Int](repeating: 0, count: count / 4096)),
                    handler: "soun", format: format)))
        let tables = Self.tables(bytes, size: bytes.count + count / 4)
        #expect(tables.isAcceptable, "\(tables.entryCount) of \(tables.limit)")
        // FFmpeg makes pieces of 1024 samples; those of 160 are the smallest that it makes of any codec.
        #expect(tables.entryCount > Int64(count / 1024))
    }

    @Test("Weeks of pictures and sound are accepted in the recording that is recovered only, and in one of their size")
    func longRecording() {
        let weeks = 3 * 7 * 24 * 3600
        let bytes = Self.file(
            Self.box(
                "moov", Self.track(Self.samples(30 * weeks)), Self.track(Self.samples(47 * weeks), handler: "soun")))
        func isAccepted(size: Int64, cap: Int64) -> Bool {
            SampleTables(size: size, cap: cap) { offset, count in
                Array(bytes.dropFirst(Int(clamping: offset)).prefix(count))
            }.isAcceptable
        }
        #expect(isAccepted(size: 1 << 34, cap: SampleTables.recordingCap))
        #expect(!isAccepted(size: 1 << 30, cap: SampleTables.recordingCap))
        #expect(!isAccepted(size: 1 << 34, cap: SampleTables.usualCap))
    }

    @Test("The largest numbers in a recording of any size do not overflow")
    func largestNumbers() {
        let edits = Self.box("edts", Self.table("elst", [0xffff_ffff]))
        let track = Self.track(Self.table("stsz", 1, 0xffff_ffff), edits: edits)
        let bytes = Self.file(Self.number(0), Array("moov".utf8), track)
        let tables = SampleTables(size: .max, cap: SampleTables.recordingCap) { offset, count in
            Array(bytes.dropFirst(Int(clamping: offset)).prefix(count))
        }
        #expect(!tables.isAcceptable)
    }

    @Test("A day of pictures and sound is accepted in a file of its size")
    func longMovie() {
        let day = 24 * 3600
        let bytes = Self.file(
            Self.box("moov", Self.track(Self.samples(30 * day)), Self.track(Self.samples(47 * day), handler: "soun")))
        #expect(Self.tables(bytes, size: 1 << 30).isAcceptable)
        #expect(!Self.tables(bytes).isAcceptable)
    }
}
