// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Logging
import NIOCore
import Obscura
import ObscuraWeb
import TestSupport
import Testing

@testable import ObscuraStudio

/// A page that says what a test has it say.
private final class FakePage: PageLink {
    struct Seen: Sendable {
        var texts: [String] = []
        /// Of each tile: the sequence and the width of each picture.
        var pictures: [Int: [(sequence: UInt32, width: Int)]] = [:]
        var isClosed = false
    }

    private let state = Watched(Seen())
    /// How often the thread gives way to others before each second picture is taken: another one could overtake it then.
    private let yields: Int

    init(yields: Int = 0) {
        self.yields = yields
    }

    var seen: Seen { state.value }

    func send(_ text: String) {
        state.change { $0.texts.append(text) }
    }

    func send(header: ByteBuffer, _ bytes: ByteBuffer) {
        var header = header
        guard let head = header.readBytes(length: 4),
            let sequence = header.readInteger(endianness: .little, as: UInt32.self),
            header.readInteger(as: UInt64.self) != nil,
            let width = header.readInteger(endianness: .little, as: UInt16.self)
        else { return }
        if sequence.isMultiple(of: 2) { for _ in 0..<yields { yieldThread() } }
        let tile = Int(head[2]) | Int(head[3]) << 8
        state.change { $0.pictures[tile, default: []].append((sequence, Int(width))) }
    }

    func closeAsNonsense() {
        state.change { $0.isClosed = true }
    }

    func until(_ condition: @escaping @Sendable (Seen) -> Bool) async -> Bool {
        await state.reaches(condition)
    }
}

@Suite(.hangLimit) struct PageSessionTests {
    private func makePage() throws -> (TestStudio, StudioCamera, FakePage, PageSession, PageHub) {
        let test = try TestStudio()
        let camera = try test.studio.add(.pattern())
        let link = FakePage()
        let hub = PageHub(test.studio, logger: Logger(label: "test"))
        return (test, camera, link, hub.open(link), hub)
    }

    private func watch(_ tiles: (tile: Int, width: Int)...) -> String {
        let list = tiles.map { #"{"tile":\#($0.tile),"camera":"1","width":\#($0.width),"height":96}"# }
        return #"{"type":"watch","tiles":[\#(list.joined(separator: ","))]}"#
    }

    private func drawn(_ tile: Int, _ sequence: UInt32) -> String {
        #"{"type":"drawn","tile":\#(tile),"sequence":\#(sequence)}"#
    }

    private func viewers(_ camera: StudioCamera) -> Int {
        camera.description(revision: 1, listed: [], freeSpace: 0).viewers
    }

    @Test func `A page that has come is told of the state`() async throws {
        let (test, _, link, page, hub) = try makePage()
        #expect(await link.until { $0.texts.first?.contains(#""type":"state""#) == true })
        #expect(hub.count == 1)
        hub.close(page)
        #expect(hub.count == 0)
        await test.studio.close()
    }

    /// The page loads a picture again when the text of its recipe has changed.
    @Test func `A message has a value's text as an answer has it`() async throws {
        let (test, _, _, _, _) = try makePage()
        let state = await test.studio.description()
        let answer = String(decoding: try JSONEncoder.api.encode(state), as: UTF8.self)
        #expect(PageSession.text(.state(state))?.contains(answer) == true)
        await test.studio.close()
    }

    @Test func `Pictures go to a page in their order, whichever thread sends them`() async throws {
        let test = try TestStudio()
        _ = try test.studio.add(.pattern("pattern:160x96@240"))
        let link = FakePage(yields: 20_000)
        let hub = PageHub(test.studio, logger: Logger(label: "test"))
        let page = hub.open(link)
        page.receive(watch((tile: 7, width: 160)))
        #expect(await link.until { $0.pictures[7] != nil })
        // The page draws so slowly that a picture waits each time: the page's thread sends that one, and the camera's the
        // next.
        let aim = isLongForm ? 600 : 60
        let isDone = await onThread {
            blocksUntil {
                for _ in 0..<20_000 { yieldThread() }
                if let newest = link.seen.pictures[7]?.last { page.receive(drawn(7, newest.sequence)) }
                return link.seen.pictures[7]?.count ?? 0 >= aim
            }
        }
        #expect(isDone)
        let sequences = link.seen.pictures[7]?.map(\.sequence) ?? []
        #expect(sequences == sequences.sorted())
        hub.close(page)
        await test.studio.close()
    }

    @Test func `A page gets two pictures, and one more for each that it has drawn`() async throws {
        let (test, _, link, page, hub) = try makePage()
        page.receive(watch((tile: 7, width: 160)))
        #expect(await link.until { $0.pictures[7]?.count == 2 })
        let newest = try #require(link.seen.pictures[7]?.last?.sequence)
        page.receive(drawn(7, newest))
        #expect(await link.until { $0.pictures[7]?.count == 4 })
        // They are newer than those before, in order.
        let sequences = try #require(link.seen.pictures[7]?.map(\.sequence))
        #expect(sequences == sequences.sorted() && Set(sequences).count == sequences.count)
        let viewer = try #require(page.viewers["1"]?.first)
        #expect(viewer.tile == 7 && viewer.drawn == 1 && viewer.sent == 4 && viewer.delay != nil)
        hub.close(page)
        await test.studio.close()
    }

    @Test func `The list of tiles is what is watched, and nothing else`() async throws {
        let (test, camera, link, page, hub) = try makePage()
        page.receive(watch((tile: 1, width: 160), (tile: 2, width: 80), (tile: 3, width: 80)))
        #expect(await link.until { Set($0.pictures.keys) == [1, 2, 3] })
        #expect(viewers(camera) == 3)
        #expect(link.seen.pictures[2]?.first?.width == 80)
        page.receive(watch((tile: 2, width: 80), (tile: 9, width: 64)))
        #expect(await link.until { $0.pictures[9] != nil })
        #expect(viewers(camera) == 2)
        page.receive(watch())
        #expect(viewers(camera) == 0)
        #expect(await becomes { !camera.session.isRunning })
        // Seen again, it begins with a fresh picture.
        page.receive(watch((tile: 1, width: 160)))
        #expect(await link.until { ($0.pictures[1]?.count ?? 0) >= 3 })
        hub.close(page)
        #expect(await becomes { !camera.session.isRunning })
        page.receive(watch((tile: 1, width: 160)))
        #expect(viewers(camera) == 0)
        await test.studio.close()
    }

    @Test func `A picture that is turned is sent in its new size`() async throws {
        let (test, camera, link, page, hub) = try makePage()
        page.receive(watch((tile: 1, width: 96)))
        #expect(await link.until { $0.pictures[1]?.first?.width == 96 })
        var change = CameraChange()
        change.orientation = .left
        try await camera.apply(change)
        page.adapt()
        #expect(await link.until { $0.pictures[1]?.last?.width == 58 })
        hub.close(page)
        await test.studio.close()
    }

    @Test func `What is no message ends the page, and a camera that is none is told`() async throws {
        let (test, _, link, page, hub) = try makePage()
        page.receive(#"{"type":"watch","tiles":[{"tile":1,"camera":"99","width":16,"height":16}]}"#)
        #expect(await link.until { $0.texts.contains { $0.contains(#""type":"notice""#) } })
        #expect(!link.seen.isClosed)
        page.receive("nonsense")
        #expect(await link.until(\.isClosed))
        hub.close(page)
        await test.studio.close()
    }

    @Test func `A page with much to take gets one picture of each tile at a time`() {
        let big = EncodedPicture(
            bytes: ByteBuffer(repeating: 0, count: PageTile.muchUnderWay), sequence: 0,
            size: PixelSize(width: 16, height: 16), hostTime: .now, encodedTime: .now)
        var tile = PageTile(TileRequest(tile: 1, camera: "1", width: 16, height: 16))
        #expect(tile.enqueue(big, pageBytes: 0) != nil)
        #expect(tile.bytesUnderWay == PageTile.muchUnderWay)
        #expect(tile.enqueue(big, pageBytes: tile.bytesUnderWay) == nil)
        var other = PageTile(TileRequest(tile: 2, camera: "1", width: 16, height: 16))
        #expect(other.enqueue(big, pageBytes: tile.bytesUnderWay) != nil)
    }
}
