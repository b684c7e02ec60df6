// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import NIOCore
import Obscura
import Testing

@testable import ObscuraStudio

@Suite struct PageTileTests {
    private let request = TileRequest(tile: 1, camera: "1", width: 640, height: 360)

    private func picture(_ sequence: UInt32) -> EncodedPicture {
        EncodedPicture(
            bytes: ByteBuffer(), sequence: sequence, size: PixelSize(width: 640, height: 360), hostTime: .now,
            encodedTime: .now)
    }

    @Test func `Two pictures are under way, and of the others the newest waits`() {
        var tile = PageTile(request)
        #expect(tile.enqueue(picture(0))?.sequence == 0)
        #expect(tile.enqueue(picture(1))?.sequence == 1)
        for sequence in 2...5 as ClosedRange<UInt32> { #expect(tile.enqueue(picture(sequence)) == nil) }
        #expect(tile.replaced == 3)
        let answer = tile.acknowledge(0)
        #expect(answer.drawn?.sequence == 0 && answer.next?.sequence == 5)
        #expect(tile.acknowledge(1).next == nil)
        #expect(tile.enqueue(picture(6))?.sequence == 6)
        #expect((tile.sent, tile.drawn, tile.replaced) == (4, 2, 3))
    }

    @Test func `A page that draws only the later one is done with both`() {
        var tile = PageTile(request)
        _ = tile.enqueue(picture(0))
        _ = tile.enqueue(picture(1))
        #expect(tile.acknowledge(1).drawn?.sequence == 1)
        #expect(tile.enqueue(picture(2)) != nil)
        #expect(tile.enqueue(picture(3)) != nil)
    }

    @Test func `What is not under way is not acknowledged`() {
        var tile = PageTile(request)
        #expect(tile.acknowledge(7).drawn == nil)
        _ = tile.enqueue(picture(0))
        _ = tile.enqueue(picture(1))
        _ = tile.enqueue(picture(2))
        for sequence in [2, 3, UInt32.max] { #expect(tile.acknowledge(sequence).next == nil) }
        #expect(tile.acknowledge(0).drawn != nil)
        #expect(tile.acknowledge(0).drawn == nil)
        #expect(tile.drawn == 1)
    }

    @Test func `Another stream does not wait for the pictures of the last`() {
        var tile = PageTile(request)
        for sequence in 0...2 as ClosedRange<UInt32> { _ = tile.enqueue(picture(sequence)) }
        tile.begin()
        #expect(tile.enqueue(picture(0)) != nil)
        #expect(tile.enqueue(picture(1)) != nil)
        #expect(tile.acknowledge(0).next == nil)
    }
}

@Suite struct PageMessageTests {
    private func decode(_ text: String) throws -> PageMessage {
        try JSONDecoder().decode(PageMessage.self, from: Data(text.utf8))
    }

    @Test func `A page's messages are understood`() throws {
        #expect(try decode(#"{"type":"drawn","tile":3,"sequence":4294967295}"#) == .drawn(tile: 3, sequence: .max))
        #expect(try decode(#"{"type":"watch","tiles":[]}"#) == .watch([]))
        let text =
            #"{"type":"watch","tiles":[{"tile":1,"camera":"2","width":640,"height":360,"gravity":"resizeAspectFill","isMirrored":true,"rate":10}]}"#
        let tile = TileRequest(
            tile: 1, camera: "2", width: 640, height: 360, gravity: .resizeAspectFill, isMirrored: true, rate: 10)
        #expect(try decode(text) == .watch([tile]))
    }

    private static func tiles(_ numbers: some Sequence<Int>) -> String {
        let tiles = numbers.map { #"{"tile":\#($0),"camera":"1","width":16,"height":16}"# }.joined(separator: ",")
        return #"{"type":"watch","tiles":[\#(tiles)]}"#
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"type":"state"}"#, #"{"type":"watch"}"#, #"{"type":"watch","tiles":{}}"#,
        #"{"type":"drawn","tile":1}"#, #"{"type":"drawn","tile":1,"sequence":-1}"#,
        #"{"type":"drawn","tile":1,"sequence":4294967296}"#, #"{"type":"drawn","tile":1,"sequence":1.5}"#,
        tiles([0]), tiles([65536]), tiles([1, 1]), tiles(1...65),
        #"{"type":"watch","tiles":[{"tile":1,"camera":"1","width":1e99,"height":1}]}"#,
        #"{"type":"watch","tiles":[{"tile":1,"camera":"1","width":16,"height":16,"gravity":"up"}]}"#,
        #"{"type":"watch","tiles":[{"tile":1,"camera":"1","width":16,"height":16,"rate":0}]}"#,
    ])
    func `What is no message is refused`(text: String) {
        #expect(throws: DecodingError.self) { try decode(text) }
    }

    @Test func `As many tiles as are allowed are taken`() throws {
        guard case .watch(let tiles) = try decode(Self.tiles(1...64)) else { return #expect(Bool(false)) }
        #expect(tiles.count == 64)
    }

    @Test func `The header of a picture says what it is`() {
        let hostTime = HostTime(nanoseconds: 0x0102_0304_0506_0708)
        let picture = EncodedPicture(
            bytes: ByteBuffer(), sequence: 0xA0B0_C0D0, size: PixelSize(width: 640, height: 360), hostTime: hostTime,
            encodedTime: hostTime)
        let header = PictureHeader.make(picture, tile: 0x0203, at: hostTime + .microseconds(5))
        #expect(
            Array(header.readableBytesView) == [
                1, 1, 3, 2, 0xD0, 0xC0, 0xB0, 0xA0, 8, 7, 6, 5, 4, 3, 2, 1, 0x80, 2, 0x68, 1, 5, 0, 0, 0,
            ])
        #expect(header.readableBytes == PictureHeader.byteCount)
    }
}
