// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraCapture
import ObscuraMedia
import ObscuraMovies
import TestSupport
import Testing

/// Limits of size and of the disk, and splits before there is anything to be split.
extension MovieFileOutputTests {
    @Test(
        "The limit of size ends it, and the file is full to it, but not larger, and plays",
        arguments: [(VideoCodec.mjpeg, "mov"), (.h264, "mp4"), (.h264, "mkv")], [true, false])
    func maximumFileSize(kind: (codec: VideoCodec, suffix: String), hasSound: Bool) async throws {
        for limit: Int64 in [60_000, 300_000] {
            let output = MovieFileOutput(
                video: VideoSettings(codec: kind.codec, quality: 0.9), audio: hasSound ? AudioSettings() : nil)
            output.maxRecordedFileSize = limit
            let camera = PatternDriver(size: Self.small, frameRate: FrameRate(30), isLive: false)
            let session = try await session(
                output, camera: camera, microphone: hasSound ? ToneDriver(isLive: false) : nil)
            let path = try Recordings.path("size.\(kind.suffix)")
            let events = output.events
            try await output.startRecording(to: path)
            try await session.start()
            let result = try await events.result()
            #expect(result.reason == .maximumFileSize && result.isUsable && result.error == nil, "\(result)")
            let report = try #require(result.report)
            let size = try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64)
            #expect(report.byteCount == size && size <= limit && size > limit / 2, "\(size) of \(limit)")
            let length = try #require(MovieContents.read(path).duration).seconds
            #expect(abs(length - result.duration.seconds) < 0.3, "\(length): \(result)")
            await session.stop()
            try expectPlays(path)
        }
    }

    @Test("A limit of size that has no room for a picture is refused, with the least that has")
    func tooSmallFileSize() async throws {
        let output = MovieFileOutput(video: VideoSettings(codec: .mjpeg, quality: 1), audio: nil)
        output.maxRecordedFileSize = 10_000
        let session = try await session(
            output, camera: pattern(size: PixelSize(width: 1280, height: 720)))
        let path = try Recordings.path("small.mp4")
        let error = await #expect(throws: ObscuraError.self) { try await output.startRecording(to: path) }
        #expect(error?.code == .invalidSettings && error?.advice?.contains("16000 bytes") == true)
        output.maxRecordedFileSize = 16_000
        let events = output.events
        try await output.startRecording(to: path)
        try await session.start()
        let result = try await events.result()
        #expect(result.reason == .maximumFileSize && !result.isUsable, "\(result)")
        #expect(result.error?.code == .invalidSettings && result.error?.advice?.hasPrefix("Allow ") == true)
        await session.stop()
        #expect(try Recordings.neighbours(path).isEmpty)
    }

    @Test("Where too little room is left, it does not begin, and says how much there is")
    func noFreeSpace() async throws {
        let output = MovieFileOutput(audio: nil)
        #expect(output.minFreeDiskSpace == 64_000_000)
        output.minFreeDiskSpace = .max
        let session = try await session(output, camera: pattern())
        let path = try Recordings.path("full.mp4")
        let error = await #expect(throws: ObscuraError.self) { try await output.startRecording(to: path) }
        #expect(
            error?.code == .diskFull && error?.reason.hasPrefix("less than ") == true, "\(String(describing: error))")
        #expect(try Recordings.neighbours(path).isEmpty && !output.isRecording)
        await session.stop()
    }

    @Test(
        "A disk on which too little room is left ends it as full, before it is",
        .enabled("needs root, for a small disk") { getuid() == 0 })
    func freeSpace() async throws {
        let folder = TestMovies.folder.appending(path: "small").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Tool.run("mount", ["-t", "tmpfs", "-o", "size=20m", "tmpfs", folder])
        defer { _ = try? Tool.run("umount", ["--lazy", folder]) }
        let output = MovieFileOutput(audio: nil)
        output.minFreeDiskSpace = 15_000_000
        let session = try await session(output, camera: pattern())
        try await session.start()
        let events = output.events
        try await output.startRecording(to: folder + "/movie.mp4")
        // Somebody else takes the room.
        try Data(count: 10_000_000).write(to: URL(filePath: folder + "/other"))
        let result = try await events.result()
        #expect(result.reason == .diskFull && result.isUsable)
        await session.stop()
    }

    @Test(
        "The result of a split recording names its last part if the disk is full",
        .enabled("needs root, for a small disk") { getuid() == 0 })
    func fullDiskAfterSplit() async throws {
        let folder = TestMovies.folder.appending(path: "split").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Tool.run("mount", ["-t", "tmpfs", "-o", "size=20m", "tmpfs", folder])
        defer { _ = try? Tool.run("umount", ["--lazy", folder]) }
        let output = MovieFileOutput(audio: nil)
        output.minFreeDiskSpace = 0
        let session = try await session(output, camera: pattern())
        try await session.start()
        var events = output.events.makeAsyncIterator()
        try await output.startRecording(to: folder + "/first.mp4")
        #expect(try await reaches(output, 0.3, session))
        try output.splitRecording(to: folder + "/second.mp4")
        while let event = await events.next() {
            if case .finishedPart = event { break }
        }
        let other = try FileHandle(forWritingTo: URL(filePath: folder + "/first.mp4"))
        // As much as fits.
        #expect(throws: (any Error).self) { try other.write(contentsOf: Data(count: 30_000_000)) }
        try other.close()
        while let event = await events.next() {
            guard case .finished(let result) = event else { continue }
            #expect(result.reason == .diskFull && result.error?.code == .diskFull)
            #expect(result.parts.map(\.path) == [folder + "/first.mp4"])
            #expect(result.path == (result.error?.usableFile ?? folder + "/first.mp4"))
            break
        }
        await session.stop()
    }

    @Test("Split before the first frame, the first frame is one part and the next begins the other")
    func earlySplit() async throws {
        let output = MovieFileOutput(audio: nil)
        output.maxRecordedDuration = MediaTime(value: 200, timescale: 1000)
        let camera = PatternDriver(size: Self.small, frameRate: FrameRate(30), isLive: false)
        let session = try await session(output, camera: camera)
        let (path, next) = (try Recordings.path("first.mp4"), try Recordings.path("next.mp4"))
        let events = output.events
        try await output.startRecording(to: path)
        try output.splitRecording(to: next)
        try await session.start()
        let result = try await events.result()
        #expect(result.parts.map(\.path) == [path, next] && result.path == next && result.omittedParts.isEmpty)
        #expect(result.parts.first?.videoFrameCount == 1 && (result.report?.videoFrameCount ?? 0) >= 5)
        await session.stop()
        try expectPlays(path)
        try expectPlays(next)
    }

    @Test("Splits that wait for a picture are limited, and told of at the end")
    func manySplits() async throws {
        let output = MovieFileOutput(audio: nil)
        let session = try await session(output, camera: pattern())
        try await output.startRecording(to: try Recordings.path("whole.mp4"))
        for number in 0..<64 { try output.splitRecording(to: try Recordings.path("part\(number).mp4")) }
        let path = try Recordings.path("more.mp4")
        let error = #expect(throws: ObscuraError.self) { try output.splitRecording(to: path) }
        #expect(error?.code == .invalidState)
        await output.stopRecording()
        await session.stop()
    }

    @Test("A split in a pause that nothing follows is told of, and leaves no file")
    func splitInPause() async throws {
        let output = MovieFileOutput(audio: nil)
        let session = try await session(output, camera: pattern())
        var events = output.events.makeAsyncIterator()
        try await session.start()
        let (path, next) = (try Recordings.path("whole.mp4"), try Recordings.path("next.mp4"))
        try await output.startRecording(to: path)
        #expect(try await reaches(output, 0.3, session))
        output.pauseRecording()
        while let event = await events.next(), event != .paused {}
        try output.splitRecording(to: next)
        let result = try #require(await output.stopRecording())
        await session.stop()
        #expect(result.error == nil && result.path == path && result.parts.map(\.path) == [path])
        #expect(result.omittedParts == [next])
        #expect(try Recordings.neighbours(next).isEmpty)
        try expectPlays(path)
    }
}
