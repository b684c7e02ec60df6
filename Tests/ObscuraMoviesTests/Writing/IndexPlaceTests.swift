// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraMovies

/// The place of the index at the beginning of a movie.
@Suite struct IndexPlaceTests {
    private struct Box: Equatable {
        var name: String
        var byteCount: Int
    }

    /// The boxes of the top level.
    private static func boxes(_ path: String) throws -> [Box] {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        var boxes: [Box] = []
        var place = 0
        while place + 8 <= data.count {
            let size = data[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            boxes.append(Box(name: String(decoding: data[place + 4..<place + 8], as: UTF8.self), byteCount: size))
            guard size >= 8 else { break }
            place += size
        }
        #expect(place == data.count, "the boxes fill the file")
        return boxes
    }

    private static func packets(_ path: String) throws -> String {
        let copying = ["-v", "error", "-i", path, "-map", "0", "-c", "copy", "-f", "streamhash", "-"]
        return String(decoding: try Tool.run("ffmpeg", copying), as: UTF8.self)
    }

    @Test func `The index of a movie with large frames has its place from the beginning`() async throws {
        let path = try Recordings.path("large.mp4")
        let writer = try AssetWriter(path: path, video: VideoSettings(quality: 0.8), audio: AudioSettings())
        try writer.startSession(at: .zero)
        for number in 0..<60 {
            try await writer.append(Recordings.noise(number, at: MediaTime(value: Int64(number), timescale: 30)))
            try await writer.append(Recordings.tone(from: number * 1600, count: 1600))
        }
        let report = try await writer.finish()
        let boxes = try Self.boxes(path)
        // FFmpeg leaves 8 bytes before the data, for a longer size.
        #expect(boxes.map(\.name) == ["ftyp", "moov", "free", "free", "mdat"])
        let (unused, all) = (boxes[2].byteCount, boxes.reduce(0) { $0 + $1.byteCount })
        #expect(unused > 8 && unused < all / 100)
        #expect(report.byteCount == all)
        try Recordings.expectPlays(path)
    }

    @Test func `The index of a movie with small packets takes no more than it needs`() async throws {
        let path = try Recordings.path("small.mp4")
        let writer = try AssetWriter(path: path, video: VideoSettings(quality: 0.3), audio: AudioSettings())
        try writer.startSession(at: .zero)
        try await Recordings.feed(writer, frames: 60, audio: true)
        try await writer.finish()
        let boxes = try Self.boxes(path)
        #expect(boxes.map(\.name) == ["ftyp", "moov", "free", "mdat"] && boxes[2].byteCount == 8)
        try Recordings.expectPlays(path)
    }

    @Test func `An index that is larger than expected is moved to the beginning`() throws {
        let (source, target) = (try Recordings.path("source.mp4"), try Recordings.path("target.mp4"))
        let picture = ["-f", "lavfi", "-i", "testsrc2=size=160x90:rate=30:duration=4"]
        let fragments = ["-movflags", "frag_keyframe+empty_moov+default_base_moof", source]
        try Tool.run("ffmpeg", ["-v", "error"] + picture + ["-c:v", "mpeg4"] + fragments)
        let copy = try MovieRemuxer.rewrite(
            source, to: target, overwrites: false, container: .mp4, indexLimit: 700)
        let boxes = try Self.boxes(target)
        #expect(boxes.map(\.name) == ["ftyp", "moov", "free", "mdat"] && boxes[2].byteCount == 8)
        #expect(boxes[1].byteCount > 700 && copy.byteCount == Int64(boxes.reduce(0) { $0 + $1.byteCount }))
        #expect(try Self.packets(target) == Self.packets(source))
        #expect(try Recordings.neighbours(target) == ["target.mp4"])
    }
}
