// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraImaging

/// Files that lie, are cut, or mean harm: what they say is left out, and nothing traps.
@Suite struct StillDamageTests {
    private static let rounds = isLongForm ? 200_000 : 4000

    @Test(arguments: StillFiles.formats)
    func `a still that is cut anywhere is an error or says less`(format: StillFormat) throws {
        let picture = try PixelBuffer.noise(.i420, 40, 30)
        let file = try StillEncoder(format).encode(picture, StillProperties(metadata: StillFiles.full()))
        let whole = try StillInfo(file).metadata
        var (read, refused) = (0, 0)
        for length in 0..<min(file.count, 12_000) {
            guard let info = try? StillInfo(Array(file.prefix(length))) else {
                refused += 1
                continue
            }
            read += 1
            #expect(info.size == picture.size)
            #expect(info.metadata.make == whole.make || info.metadata.make == nil)
        }
        #expect(read > 0 && refused > 0, "\(read) read, \(refused) refused")
    }

    @Test(arguments: StillFiles.formats)
    func `changed bytes never trap`(format: StillFormat) throws {
        let picture = try PixelBuffer.noise(.i420, 16, 16)
        let file = try StillEncoder(format).encode(picture, StillProperties(metadata: StillFiles.full()))
        // Where the metadata lie.
        let end = min(file.count, 9000)
        var dice = Dice(seed: 41)
        var (read, refused, changed) = (0, 0, 0)
        let whole = try StillInfo(file).metadata
        for _ in 0..<Self.rounds {
            var broken = file
            for _ in 0..<Int.random(in: 1...12, using: &dice) {
                broken[Int.random(in: 0..<end, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
            }
            if let info = try? StillInfo(broken) {
                read += 1
                if info.metadata != whole { changed += 1 }
            } else {
                refused += 1
            }
        }
        #expect(read > Self.rounds / 3 && refused > 0, "\(read) read, \(refused) refused")
        #expect(changed > Self.rounds / 10, "\(changed) with other metadata")
    }

    @Test(arguments: [1 << 20 + 1, 0x7fff_ffff, 0xffff_ffff] as [UInt32])
    func `a PNG whose header claims an impossible size is damaged`(side: UInt32) {
        let number = (0..<4).map { UInt8(truncatingIfNeeded: side >> (24 - 8 * $0)) }
        let header = Array("IHDR".utf8) + number + number + [8, 2, 0, 0, 0]
        let bytes = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13] + header + [0, 0, 0, 0]
        let error = #expect(throws: ObscuraError.self) { try StillInfo(bytes) }
        #expect(error?.code == .damaged)
    }

    @Test func `noise in an EXIF block never traps`() throws {
        var dice = Dice(seed: 42)
        var withFields = 0
        for round in 0..<Self.rounds {
            var block = LibExif.head + (round % 2 == 0 ? [0x49, 0x49, 0x2a, 0] : [0x4d, 0x4d, 0, 0x2a])
            if round % 4 < 2 { block += Self.noisyDirectory(isLittleEndian: round % 2 == 0, &dice) }
            block += (0..<Int.random(in: 0...200, using: &dice)).map { _ in
                // Small numbers make counts and offsets that nearly fit.
                UInt8.random(in: 0...(Bool.random(using: &dice) ? 16 : 255), using: &dice)
            }
            let fields = try LibExif.decode(block)
            _ = Metadata(fields)
            if fields != ExifFields() { withFields += 1 }
        }
        #expect(withFields > Self.rounds / 10 && withFields < Self.rounds, "\(withFields) of \(Self.rounds)")
    }

    /// Where the directory lies, and a directory of known fields whose types, counts and values are noise.
    private static func noisyDirectory(isLittleEndian: Bool, _ dice: inout Dice) -> [UInt8] {
        func number(_ range: ClosedRange<Int>, bytes: Int) -> [UInt8] {
            let value = Int.random(in: range, using: &dice)
            let bytes = (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
            return isLittleEndian ? bytes : bytes.reversed()
        }
        let tags = [0x010f, 0x0110, 0x0112, 0x0131, 0x0132, 0x8769, 0x8825]
        let count = Int.random(in: 1...6, using: &dice)
        var block = number(8...8, bytes: 4) + number(count...count, bytes: 2)
        for _ in 0..<count {
            let tag = tags.randomElement(using: &dice) ?? 0
            block += number(tag...tag, bytes: 2) + number(0...13, bytes: 2)
            block += number(0...40, bytes: 4) + number(0...200, bytes: 4)
        }
        return block
    }

    @Test func `noise in an XMP packet never traps, and ends`() throws {
        let packet = try #require(XMPPacket.make(StillFiles.full()))
        let whole = XMPPacket.read(packet)
        var dice = Dice(seed: 43)
        var (same, less) = (0, 0)
        for _ in 0..<Self.rounds / 4 {
            var broken = packet
            for _ in 0..<Int.random(in: 1...20, using: &dice) {
                let marks = Array("<>&;\"'=/:#x".utf8) + [0, 0xff]
                broken[Int.random(in: 0..<broken.count, using: &dice)] = marks.randomElement(using: &dice) ?? 0
            }
            if XMPPacket.read(broken).title == whole.title { same += 1 } else { less += 1 }
        }
        // An XML parser reads up to the first damage, and the title stands first.
        #expect(whole.title != nil && same > Self.rounds / 100 && less > Self.rounds / 40, "\(same) same, \(less) less")
        // Elements in elements, and entities that are none.
        let nothing = XMPPacket.read([])
        #expect(XMPPacket.read(Array(String(repeating: "<a>", count: 100_000).utf8)) == nothing)
        let entities = "<a>" + String(repeating: "&x;&#xFFFFFFFFF;&#55296;&", count: 1000)
        #expect(XMPPacket.read(Array(entities.utf8)) == nothing)
    }

    @Test func `numbers that make no sense are left out`() {
        var fields = ExifFields()
        fields[.latitude] = .rational([.init(numerator: 91, denominator: 1)])
        fields[.longitude] = .rational([.init(numerator: 1, denominator: 1)])
        #expect(Metadata(fields).location == nil)
        fields[.latitude] = .rational([.init(numerator: 1, denominator: 0)])
        #expect(Metadata(fields).location == nil)
        fields[.latitude] = .rational([.init(numerator: 1, denominator: 1)])
        fields[.altitude] = .rational([.init(numerator: .max, denominator: 1)])
        #expect(Metadata(fields).location == (try? GeographicLocation(latitude: 1, longitude: 1)))
        for words in ["", "    :  :     :  :  ", "2026:13:01 00:00:00", "0000:00:00 00:00:00", "9999:12:31 23:59:59"] {
            fields[.dateTimeOriginal] = .text(words)
            #expect(Metadata(fields).date == nil)
        }
        fields[.dateTime] = .text("2026:01:02 03:04:05")
        #expect(Metadata(fields).date?.iso8601 == "2026-01-02T03:04:05.000Z")
    }

    @Test func `text is taken out of any well-formed XMP`() {
        let packet = """
            <?xml version="1.0"?><!-- <dc:title>no</dc:title> --><!DOCTYPE a [<!ENTITY x "y">]>
            <x:xmpmeta xmlns:x='adobe:ns:meta/'><r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'
            xmlns:d="http://purl.org/dc/elements/1.1/"><r:Description d:rights = 'free &amp; &#x6f;pen'>
            <d:title><r:Alt><r:li xml:lang="x-default"><![CDATA[a < b]]></r:li><r:li>other</r:li></r:Alt></d:title>
            <d:description>plain &lt;text&gt;</d:description><d:creator><r:Seq><r:li/><r:li>Ada</r:li></r:Seq></d:creator>
            </r:Description></r:RDF></x:xmpmeta>
            """
        let metadata = XMPPacket.read(Array(packet.utf8))
        #expect(metadata.copyright == "free & open" && metadata.title == "a < b")
        #expect(metadata.description == "plain <text>" && metadata.author == ", Ada")
    }
    @Test func `entities are not expanded in a text, are bounded in an attribute, and load nothing`() {
        func read(_ attribute: String, _ text: String) -> Metadata {
            let entities = (1...12).map { level in
                "<!ENTITY e\(level) \"" + String(repeating: "&e\(level - 1);", count: 10) + "\">"
            }
            let packet = """
                <!DOCTYPE a [<!ENTITY e0 "ten bytes."><!ENTITY file SYSTEM "file:///etc/passwd">\(entities.joined())]>
                <r:Description xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
                xmlns:d="http://purl.org/dc/elements/1.1/" d:rights="\(attribute)"><d:title>\(text)</d:title>
                </r:Description>
                """
            return XMPPacket.read(Array(packet.utf8))
        }
        #expect(read("free", "a&e12;b&file;c").title == "abc")
        #expect(read("&e1;", "").copyright?.utf8.count == 100)
        #expect(read("&e12;", "title") == Metadata())
    }
}
