// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraBase
import ObscuraBroadcast
import ObscuraMedia
import TestClient
import Testing

@testable import ObscuraHLS
@testable import ObscuraWeb

/// The list of segments, and how one waits for it.
@Suite struct SegmentListTests {
    @Test func itsNumbersAreRead() throws {
        let list = try #require(SegmentList(TestHLS.list(7...9)))
        #expect(list.first == 7 && list.count == 3 && list.last == 9 && !list.isEnded)
        #expect(list.targetDuration == .seconds(1))
        #expect(list.reaches(9) && !list.reaches(10))
        let ended = try #require(SegmentList(TestHLS.list(7...9, isEnded: true)))
        #expect(ended.isEnded && ended.reaches(10))
        #expect(ended.servedText == ended.text)
        #expect(SegmentList("") == nil && SegmentList("<html>") == nil)
        let empty = try #require(SegmentList("#EXTM3U"))
        #expect(empty.last == -1 && empty.servedText == "#EXTM3U")
        let mad = try #require(
            SegmentList("#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:-5\n#EXT-X-TARGETDURATION:99999999999999999999\n"))
        #expect(mad.first == 0 && mad.targetDuration == .seconds(1))
    }

    @Test func playersAreToldThatTheyMayWait() throws {
        let list = try #require(SegmentList(TestHLS.list(0...0)))
        let tag = "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES\n"
        #expect(list.servedText.hasPrefix("#EXTM3U\n\(tag)#EXT-X-VERSION:7\n"))
        #expect(list.servedText.replacing(tag, with: "") == list.text)
    }

    // MARK: Waiting

    @Test func whoAsksForTheNextSegmentGetsTheListWhenItIsThere() async throws {
        try await TestHLS.run { hls in
            try hls.writeList(1...3)
            let now = try await hls.get("/live-media.m3u8?_HLS_msn=3")
            #expect(now.status == 200 && now.body.contains("live-000003.m4s"))
            async let later = hls.get("/live-media.m3u8?_HLS_msn=4")
            try hls.writeList(2...4)
            let answer = try await later
            #expect(answer.status == 200 && answer.body.contains("live-000004.m4s"))
            #expect(try await hls.get("/live-media.m3u8?_HLS_msn=7").status == 400)
            for wrong in ["x", "-1", "", "1&_HLS_msn=2"] {
                #expect(try await hls.get("/live-media.m3u8?_HLS_msn=\(wrong)").status == 400, "\(wrong)")
            }
        }
    }

    @Test func whoeverWaitsWhenItEndsIsToldHowItStands() async throws {
        let answers = Lock<[Task<RawConnection.Received, any Error>]>([])
        try await TestHLS.run { hls in
            try hls.writeList(1...3)
            let connection = try await RawConnection(port: hls.port)
            try await connection.send("GET /live-media.m3u8?_HLS_msn=4 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            answers.withLock { $0.append(Task { await connection.closed() }) }
            while hls.lists.waitingCount == 0 { await Task.yield() }
            try hls.writeList(1...3, isEnded: true)
        }
        let answer = try #require(answers.withLock(\.first))
        #expect(try await answer.value.body.contains("#EXT-X-ENDLIST"))
    }

    @Test func theFolderOfAKilledServerIsTakenAwayByTheNext() throws {
        let parent = FileManager.default.temporaryDirectory.appending(path: "live-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: parent) }
        func name() -> String { "obscura-hls-\(UUID().uuidString.lowercased())" }
        let (killed, begun, others) = (name(), name(), "obscura-hls-of-others")
        for name in [killed, begun, others] {
            try FileManager.default.createDirectory(atPath: "\(parent)/\(name)", withIntermediateDirectories: false)
            if name != begun { try Data("x".utf8).write(to: URL(fileURLWithPath: "\(parent)/\(name)/live-000000.m4s")) }
        }
        let names = { Set(try FileManager.default.contentsOfDirectory(atPath: parent)) }
        let used = try HLSDirectory(path: "\(parent)/\(name())")
        let usedName = (used.path as NSString).lastPathComponent
        #expect(try names() == [begun, others, usedName])
        try Data("x".utf8).write(to: URL(fileURLWithPath: "\(used.path)/live-000000.m4s"))
        let next = try HLSDirectory(path: "\(parent)/\(name())")
        #expect(try names() == [begun, others, usedName, (next.path as NSString).lastPathComponent])
        used.remove()
        next.remove()
        #expect(try names() == [begun, others])
    }

    @Test func aFolderThatWasDeletedIsMadeAgainForThisUserAlone() throws {
        let folder = try HLSDirectory(path: HLSDirectory.freshPath())
        let (path, manager) = (folder.path, FileManager.default)
        folder.restore()
        try Data("x".utf8).write(to: URL(fileURLWithPath: "\(path)/live.m3u8"))
        folder.restore()
        #expect(manager.fileExists(atPath: "\(path)/live.m3u8"))
        // In the way for a while, as what cannot be made for another reason.
        try manager.removeItem(atPath: path)
        try Data("x".utf8).write(to: URL(fileURLWithPath: path))
        folder.restore()
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("x".utf8))
        try manager.removeItem(atPath: path)
        folder.restore()
        #expect(try manager.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o700)
        try Data("y".utf8).write(to: URL(fileURLWithPath: "\(path)/live.m3u8"))
        #expect(try folder.opened?.open("live.m3u8").read(at: 0, count: 9) == Array("y".utf8))
        // It is in use, and a server that starts leaves it there.
        let other = try HLSDirectory(path: HLSDirectory.freshPath())
        other.remove()
        #expect(manager.fileExists(atPath: path))
        folder.remove()
        folder.restore()
        #expect(!manager.fileExists(atPath: path) && folder.opened == nil)
    }

    private func withWatch(
        mostWaiting: Int = SegmentListWatch.mostWaiting, longestWait: Duration = .seconds(20),
        _ body: (SegmentListWatch, URL) async throws -> Void
    ) async throws {
        let folder = try HLSDirectory(path: HLSDirectory.freshPath())
        defer { folder.remove() }
        let watch = SegmentListWatch(folder, mostWaiting: mostWaiting, longestWait: longestWait)
        try await body(watch, URL(fileURLWithPath: folder.path).appending(path: "live-media.m3u8"))
    }

    @Test func whatDoesNotComeIsNotWaitedForForEver() async throws {
        try await withWatch(longestWait: .milliseconds(30)) { watch, file in
            #expect(try await watch.list(reaching: 0) == .notThereYet)
            try Data(TestHLS.list(0...1).utf8).write(to: file, options: .atomic)
            #expect(try await watch.list(reaching: 2) == .tooLate)
            #expect(try await watch.list(reaching: 4) == .tooFar)
            #expect(watch.waitingCount == 0)
        }
    }

    @Test func noMoreThanSoManyWait() async throws {
        try await withWatch(mostWaiting: 1) { watch, file in
            try Data(TestHLS.list(0...1).utf8).write(to: file, options: .atomic)
            async let waiting = watch.list(reaching: 2)
            while watch.waitingCount == 0 { await Task.yield() }
            #expect(try await watch.list(reaching: 2) == .tooLate)
            let longer = TestHLS.list(0...2)
            try Data(longer.utf8).write(to: file, options: .atomic)
            #expect(try await waiting == .list(#require(SegmentList(longer))))
        }
    }

    @Test func whenItIsClosedNobodyWaits() async throws {
        try await withWatch { watch, file in
            try Data(TestHLS.list(0...1).utf8).write(to: file, options: .atomic)
            watch.close()
            #expect(try await watch.list(reaching: 2) == .tooLate)
            #expect(try await watch.list(reaching: 1) == .list(#require(SegmentList(TestHLS.list(0...1)))))
        }
    }
}
