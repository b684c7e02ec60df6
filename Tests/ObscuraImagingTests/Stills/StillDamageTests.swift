// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraImaging

/// Files that lie, are cut, or mean harm: what they say is left out, and nothing traps.
@Suite struct StillDamageTests {
    private static let rounds = ProcessInfo.processInfo.environment["OBSCURA_TEST_LONG"] == "1" ? 200_000 : 4000

    @Test(arguments: StillFiles.formats)
    func `a still that is cut anywhere is an error or says less`(format: StillFormat) throws {
        let picture = try PixelBuffer.noise(.i420, 40, 30)
        let file = try StillEncoder(format).encode(picture, StillProperties(metadata: StillFiles.full()))
        let whole = try StillInfo(file).metadata
        for length in 0..<min(file.count, 12_000) {
            guard let info = try? StillInfo(Array(file.prefix(length))) else { continue }
            #expect(info.size == picture.size)
            #expect(info.metadata.make == whole.make || info.metadata.make == nil)
        }
    }

    @Test(arguments: StillFiles.formats)
    func `changed bytes never trap`(format: StillFormat) throws {
        let picture = try PixelBuffer.noise(.i420, 16, 16)
        let file = try StillEncoder(format).encode(picture, StillProperties(metadata: StillFiles.full()))
        // Where the metadata lie.
        let end = min(file.count, 9000)
        var dice = Dice(seed: 41)
        for _ in 0..<Self.rounds {
            var broken = file
            for _ in 0..<Int.random(in: 1...12, using: &dice) {
                broken[Int.random(in: 0..<end, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
            }
            _ = try? StillInfo(broken)
        }
    }

    @Test func `noise in an EXIF block never traps`() throws {
        var dice = Dice(seed: 42)
        for round in 0..<Self.rounds {
            var block = LibExif.head + (round % 2 == 0 ? [0x49, 0x49, 0x2a, 0] : [0x4d, 0x4d, 0, 0x2a])
            block += (0..<Int.random(in: 0...200, using: &dice)).map { _ in
                // Small numbers make counts and offsets that nearly fit.
                UInt8.random(in: 0...(Bool.random(using: &dice) ? 16 : 255), using: &dice)
            }
            let fields = try LibExif.decode(block)
            _ = Metadata(fields)
        }
    }

    @Test func `noise in an XMP packet never traps, and ends`() throws {
        let packet = try #require(XMPPacket.make(StillFiles.full()))
        var dice = Dice(seed: 43)
        for _ in 0..<Self.rounds / 4 {
            var broken = packet
            for _ in 0..<Int.random(in: 1...20, using: &dice) {
                let marks = Array("<>&;\"'=/:#x".utf8) + [0, 0xff]
                broken[Int.random(in: 0..<broken.count, using: &dice)] = marks.randomElement(using: &dice) ?? 0
            }
            _ = XMPPacket.read(broken)
        }
        // Elements in elements, and entities that are none.
        _ = XMPPacket.read(Array(String(repeating: "<a>", count: 100_000).utf8))
        _ = XMPPacket.read(Array(("<a>" + String(repeating: "&x;&#xFFFFFFFFF;&#55296;&", count: 1000)).utf8))
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
}
