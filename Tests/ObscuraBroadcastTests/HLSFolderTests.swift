// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraBroadcast
@testable import ObscuraMovies

/// HLS in a folder that disappears, or whose disk is full, for a while.
@Suite(.hangLimit) struct HLSFolderTests {
    /// A broadcast of small pictures, each a thirtieth of a second after the one before, whatever the clock says.
    private final class Broadcast {
        let writer: BroadcastWriter
        private let list: String
        private var count = 0

        /// - Parameter list: the path of the master list.
        init(to list: String, keyFrameInterval: Duration = .seconds(1)) throws {
            self.list = list
            var settings = BroadcastSettings()
            // They come faster than in time.
            settings.queueLimit = .seconds(60)
            settings.video.keyFrameInterval = keyFrameInterval
            writer = try BroadcastWriter(to: [BroadcastDestination(list)], settings: settings)
        }

        var destination: BroadcastStatistics.Destination { writer.statistics.destinations[0] }
        /// The time of the last picture.
        var time: Double { Double(count - 1) / 30 }

        /// Sends pictures until the condition holds.
        func send(until condition: () throws -> Bool) throws {
            let deadline = HostTime.now + waitLimit
            while try !condition() {
                try #require(.now < deadline, "\(destination)")
                let picture = VideoFrame(
                    buffer: try PixelBuffer(format: .i420, width: 64, height: 64),
                    presentationTime: MediaTime(value: Int64(count), timescale: 30), hostTime: .now,
                    sequence: UInt64(count))
                #expect(try writer.append(picture, until: deadline))
                count += 1
            }
        }

        /// The list of segments; nil while there is none.
        var text: String? {
            try? String(contentsOfFile: list.replacing(".m3u8", with: "-media.m3u8"), encoding: .utf8)
        }

        /// The numbers in the list of segments.
        var numbers: [Int] {
            (text ?? "").split(separator: "\n").compactMap { line in
                line.wholeMatch(of: /live-(\d{6,})\.m4s/).flatMap { Int($0.1) }
            }
        }
    }

    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "hls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Deletes the folder, and puts a file in its place, so that it cannot be made again.
    private func block(_ hls: URL) {
        // It may just have been made again.
        repeat { try? FileManager.default.removeItem(at: hls) } while !isWritten(Data(), to: hls)
    }

    private func isWritten(_ data: Data, to file: URL) -> Bool {
        (try? data.write(to: file, options: .withoutOverwriting)) != nil
    }

    @Test func `A folder that disappears is written again, and numbers and times continue`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let hls = folder.appending(path: "hls")
        let broadcast = try Broadcast(to: hls.appending(path: "live.m3u8").path)
        try broadcast.send { (broadcast.numbers.last ?? -1) >= 2 }
        let newest = try #require(broadcast.numbers.last)
        block(hls)
        try broadcast.send { broadcast.destination.state == .waiting }
        #expect(broadcast.destination.lastError?.code == .notWritable)
        let time = broadcast.time
        try FileManager.default.removeItem(at: hls)
        try broadcast.send { broadcast.numbers.count > 1 }
        let first = try #require(broadcast.numbers.first)
        #expect(first > newest && broadcast.destination.reconnectCount == 1)
        let statistics = await broadcast.writer.finish()
        let end = try #require(statistics.destinations.first)
        #expect(end.state == .ended && end.droppedFrames > 0)
        #expect(end.sentFrames + end.droppedFrames == statistics.encodedFrames)
        let shown = try Probe(hls.appending(path: "live.m3u8").path).frames
        #expect(try #require(shown.first?.time?.seconds) >= time)
        #expect(try abs(#require(shown.last?.time?.seconds) - broadcast.time) < 0.001)
    }

    @Test(.enabled(if: getuid() == 0, "only root can mount a small disk"))
    func `On a full disk it waits for room, and leaves none of its files behind`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let disk = folder.appending(path: "disk").path
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
        try Tool.run("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", disk])
        defer { _ = try? Tool.run("umount", [disk]) }
        // Segments of two seconds: fewer than the segment duration of the settings suggests.
        let broadcast = try Broadcast(to: "\(disk)/live.m3u8", keyFrameInterval: .seconds(2))
        for round in 0..<3 {
            let before = broadcast.numbers.last ?? -1
            // Many in the first round.
            try broadcast.send { (broadcast.numbers.last ?? -1) > (round == 0 ? 14 : before) }
            #expect(broadcast.destination.reconnectCount >= round)
            try Data().write(to: URL(fileURLWithPath: "\(disk)/full"))
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(disk)/full"))
            // As much as fits.
            #expect(throws: (any Error).self) { try file.write(contentsOf: Data(count: 2 << 20)) }
            try file.close()
            try broadcast.send { broadcast.destination.state == .waiting }
            #expect(broadcast.destination.lastError?.code == .notWritable)
            // Players are not told that it is over.
            #expect(broadcast.text?.contains("#EXT-X-ENDLIST") != true)
            try FileManager.default.removeItem(atPath: "\(disk)/full")
        }
        let before = broadcast.numbers.last ?? -1
        try broadcast.send { (broadcast.numbers.first ?? -1) > before }
        await broadcast.writer.finish()
        #expect(broadcast.text?.contains("#EXT-X-ENDLIST") == true)
        // Those of the list, and those that FFmpeg keeps for players that are late.
        let segments = try FileManager.default.contentsOfDirectory(atPath: disk).filter { $0.contains(".m4s") }
        let numbers = segments.compactMap { Int($0.dropFirst("live-".count).prefix { $0 != "." }) }
        #expect(numbers.allSatisfy { $0 > before } && !segments.contains { $0.hasSuffix(".tmp") })
    }

    @Test func `A folder that is away at the end has failed`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let hls = folder.appending(path: "hls")
        let broadcast = try Broadcast(to: hls.appending(path: "live.m3u8").path)
        try broadcast.send { !broadcast.numbers.isEmpty }
        block(hls)
        try broadcast.send { broadcast.destination.state == .waiting }
        let statistics = await broadcast.writer.finish()
        #expect(statistics.destinations.map(\.state) == [.failed])
        #expect(statistics.destinations[0].lastError?.code == .notWritable)
    }
}
