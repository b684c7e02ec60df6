// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraMovies

/// Partial files that a power cut has cut off anywhere, or that something has damaged.
@Suite(.hangLimit) struct DamagedRecordingTests {
    /// What a crash leaves, once the writer has let go of it.
    private func partial(
        _ suffix: String, frames: Int = 60, width: Int = 160, height: Int = 90
    ) async throws -> Data {
        let path = try Recordings.path("movie.\(suffix)")
        let partial = path.replacingOccurrences(of: "movie.", with: "movie.recording.")
        do {
            let writer = try AssetWriter(
                path: path, video: VideoSettings(codec: .mjpeg, quality: 0), audio: AudioSettings())
            try writer.startSession(at: .zero)
            try await Recordings.feed(writer, frames: frames, audio: true, width: width, height: height)
        }
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: partial))
        defer { try? file.close() }
        try #require(await becomes { flock(file.fileDescriptor, LOCK_EX | LOCK_NB) == 0 })
        return try Data(contentsOf: URL(fileURLWithPath: partial))
    }

    private func extent(_ data: Data) -> RecordingExtent {
        RecordingExtent(size: Int64(data.count)) { offset, count in
            [UInt8](data.dropFirst(Int(offset)).prefix(count))
        }
    }

    private func pictures(_ path: String) throws -> Int {
        Int(try #require(StreamProbe(path).video?.nb_read_packets)) ?? 0
    }

    @Test("What a disk does not give is no unfinished tail", arguments: ["mp4", "mkv"])
    func unreadable(suffix: String) async throws {
        let whole = try await partial(suffix, frames: 30, width: 16, height: 16)
        let good = extent(whole)
        #expect(good.isTailUnfinished)
        // From each place on nothing can be read, and what lies there must be.
        for end in [0, 4, 600, whole.count / 2] {
            let extent = RecordingExtent(size: Int64(whole.count)) { offset, count in
                [UInt8](whole.prefix(end).dropFirst(Int(offset)).prefix(count))
            }
            #expect(!extent.isTailUnfinished, "\(end)")
            #expect(extent.whole <= good.whole)
        }
    }

    @Test("Groups within groups without end are no recording, and harm nobody")
    func nestedGroups() {
        // A header, a segment and a cluster without an end, and groups of nine bytes' head each.
        var bytes: [UInt8] = [0x1a, 0x45, 0xdf, 0xa3, 0x80]
        bytes += [0x18, 0x53, 0x80, 0x67, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]
        func head(_ id: [UInt8], _ length: Int) -> [UInt8] {
            id + [0x01] + (0..<7).map { UInt8(truncatingIfNeeded: length >> (8 * (6 - $0))) }
        }
        let depth = 200_000
        bytes += head([0x1f, 0x43, 0xb6, 0x75], 9 * depth)
        for level in 0..<depth { bytes += head([0xa0], 9 * (depth - 1 - level)) }
        let extent = extent(Data(bytes))
        #expect(extent.payload == 0 && !extent.isTailUnfinished)
    }

    @Test("Cut off at any byte, all whole fragments are recovered, and what is left plays", arguments: ["mp4", "mkv"])
    func cuts(suffix: String) async throws {
        let whole = try await partial(suffix, frames: 30, width: 16, height: 16)
        let path = try Recordings.path("cut.recording.\(suffix)")
        let target = path.replacingOccurrences(of: ".recording", with: "")
        var (ends, counts): ([Int64], [Int]) = ([], [])
        let half = whole.count / 2
        let lengths =
            isLongForm
            ? Array(1...whole.count)
            : Array(stride(from: 1, to: half, by: 211)) + Array(stride(from: half, through: whole.count, by: 17))
        for length in lengths {
            let cut = whole.prefix(length)
            try cut.write(to: URL(fileURLWithPath: path))
            let extent = extent(cut)
            do {
                let recovery = try MovieRecovery.recover(path, overwrites: true)
                // A cut is no damage.
                #expect(recovery.loss == nil && !recovery.isSourceKept, "\(length): \(recovery)")
                let reader = try MovieReader(target)
                var count = 0
                while try reader.nextFrame() != nil { count += 1 }
                if let end = ends.last, end == extent.whole {
                    #expect(count >= counts[counts.count - 1], "\(length)")
                } else {
                    // Before it, the samples of a fragment whose index was whole may have been read already.
                    #expect(count > (counts.last ?? 0) || extent.payload == 0, "\(length): \(count) \(counts)")
                    ends.append(extent.whole)
                    counts.append(count)
                }
            } catch {
                #expect(
                    error.code == .notRecoverable && error.reason.hasPrefix("nothing was recorded in it"), "\(error)")
                #expect(extent.payload == 0, "\(length): \(error)")
            }
        }
        #expect(ends.count >= 3 && (counts.last ?? 0) >= 15, "\(counts)")
    }

    private static let extremes: [Int64] = [.max, .max - 1, .max / 2, 1 << 40, .min, .min + 1, -1]

    @Test("Times at the end of all numbers end in a movie or an error", arguments: extremes)
    func extremeTimes(time: Int64) async throws {
        let whole = try await partial("mp4", frames: 30, width: 16, height: 16)
        let mark = Array("tfdt".utf8)
        let places = whole.indices.dropLast(16).filter { whole[$0...].starts(with: mark) }
        try #require(places.count >= 4)
        let path = try Recordings.path("times.recording.mp4")
        // One fragment after the other, and those behind it.
        for first in 0..<min(places.count, 6) {
            var bytes = whole
            for place in places[first...] {
                // Behind the name: a version, three bytes of flags, the time.
                let width = bytes[place + 4] == 1 ? 8 : 4
                for index in 0..<width {
                    bytes[place + 8 + index] = UInt8(truncatingIfNeeded: time >> (8 * (width - 1 - index)))
                }
            }
            try bytes.write(to: URL(fileURLWithPath: path))
            // From a place in it: sound before that is left out.
            var options = MovieReadingOptions()
            options.start = MediaTime(value: 1, timescale: 2)
            let part = try? MovieReader(path, options: options)
            while (try? part?.next(takingSound: true)) != nil {}
            if let recovery = try? MovieRecovery.recover(path, overwrites: true) {
                let reader = try? MovieReader(recovery.movie.location)
                while (try? reader?.next(takingSound: true)) != nil {}
            }
        }
    }

    @Test("Damage in the middle keeps the file, and tells how much could not be read", arguments: ["mp4", "mkv"])
    func damage(suffix: String) async throws {
        var data = try await partial(suffix)
        let middle = data.count / 2
        data.replaceSubrange(middle..<middle + data.count / 6, with: repeatElement(0xa5, count: data.count / 6))
        let path = try Recordings.path("hurt.recording.\(suffix)")
        try data.write(to: URL(fileURLWithPath: path))
        let recovery = try MovieRecovery.recover(path)
        let loss = try #require(recovery.loss)
        #expect(recovery.isSourceKept && loss.time > .zero && loss.time < MediaTime(seconds: 1.5), "\(loss)")
        let lost = try #require(loss.byteCount)
        #expect(lost > Int64(data.count / 6) && lost < Int64(data.count * 2 / 3), "\(loss) of \(data.count)")
        #expect(try Recordings.neighbours(path) == ["hurt.\(suffix)", "hurt.recording.\(suffix)"])
        #expect(try pictures(recovery.movie.location) > 0)
    }

    @Test("Damage within a fragment's index is seen as well")
    func damagedIndex() async throws {
        var data = try await partial("mp4")
        let index = try #require(
            data.range(of: Data("trun".utf8), in: data.count / 2..<data.count)?.upperBound)
        // The count of its samples.
        data.replaceSubrange(index + 4..<index + 8, with: [0, 0, 0, 1])
        let path = try Recordings.path("index.recording.mp4")
        try data.write(to: URL(fileURLWithPath: path))
        let recovery = try MovieRecovery.recover(path)
        #expect(recovery.loss != nil && recovery.isSourceKept, "\(recovery)")
    }

    @Test("With a name for the movie the partial file always stays, and cannot be replaced by it")
    func named() async throws {
        let path = try Recordings.path("a.recording.mp4")
        try await partial("mp4").write(to: URL(fileURLWithPath: path))
        let target = path.replacingOccurrences(of: "a.recording", with: "b")
        let recovery = try MovieRecovery.recover(path, to: target)
        #expect(recovery.isSourceKept && recovery.loss == nil && recovery.movie.location == target)
        let error = #expect(throws: ObscuraError.self) {
            try MovieRecovery.recover(path, to: path, overwrites: true)
        }
        #expect(error?.code == .fileExists)
        #expect(try Recordings.neighbours(path) == ["a.recording.mp4", "b.mp4"])
    }

    @Test("Zeros that a file system gives for what had not reached the disk are no damage")
    func zeros() async throws {
        let path = try Recordings.path("a.recording.mp4")
        var data = try await partial("mp4")
        data = data.prefix(Int(extent(data).whole)) + Data(count: 5_000)
        try data.write(to: URL(fileURLWithPath: path))
        let recovery = try MovieRecovery.recover(path)
        #expect(recovery.loss == nil && !recovery.isSourceKept)
    }

    @Test("A file in which nothing was recorded is told of as that, and one that is not there as well")
    func nothing() async throws {
        let path = try Recordings.path("a.recording.mp4")
        let missing = #expect(throws: ObscuraError.self) { try MovieRecovery.recover(path) }
        #expect(missing?.reason == "there is no such file")
        for data in [Data(), try await partial("mp4").prefix(700)] {
            try data.write(to: URL(fileURLWithPath: path))
            let empty = #expect(throws: ObscuraError.self) { try MovieRecovery.recover(path) }
            #expect(empty?.reason == "nothing was recorded in it, and the file was deleted")
            #expect(try Recordings.neighbours(path).isEmpty)
            // One that was given another name stays: it may be anybody's.
            try data.write(to: URL(fileURLWithPath: path))
            let kept = #expect(throws: ObscuraError.self) {
                try MovieRecovery.recover(path, to: path.replacing(".recording", with: ""))
            }
            #expect(kept?.reason == "nothing was recorded in it" && kept?.advice == "Delete this file.")
            #expect(try Recordings.neighbours(path) == ["a.recording.mp4"])
        }
    }
}
