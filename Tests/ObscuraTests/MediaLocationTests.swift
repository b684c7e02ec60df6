// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Obscura
import SystemPackage
import TestSupport
import Testing

/// A `URL` and a `FilePath` are accepted where a path is.
@Suite(.hangLimit) struct MediaLocationTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func url(_ name: String) -> URL { folder.url.appending(path: name) }
    private func filePath(_ name: String) -> FilePath { FilePath(folder(name)) }

    private func frame(_ number: Int64) throws -> VideoFrame {
        VideoFrame(
            buffer: try PixelBuffer(format: .bgra, width: 64, height: 48),
            presentationTime: MediaTime(value: number, timescale: 25), hostTime: .now)
    }

    @Test func `a location is the decoded path of a file, or the whole address`() throws {
        #expect(URL(filePath: "/a b/50%.mp4").mediaLocation == "/a b/50%.mp4")
        #expect(FilePath("a b/50%.mp4").mediaLocation == "a b/50%.mp4")
        let address = "rtsp://me:word@host:8554/x?y=1"
        #expect(try #require(URL(string: address)).mediaLocation == address)
    }

    @Test func `a photo is written to a location and read from one`() async throws {
        let still = Still(try PixelBuffer(format: .bgra, width: 64, height: 48))
        try await still.write(to: url("a b.png"))
        #expect(try Still(contentsOf: filePath("a b.png")).picture.size == PixelSize(width: 64, height: 48))
        #expect(try StillInfo(contentsOf: url("a b.png")).kind == .png)
        let data = try Data(contentsOf: url("a b.png"))
        #expect(try Still(data).picture.size == StillInfo(data).size)
        await #expect(throws: ObscuraError.self) { try await still.write(to: filePath("a b.png")) }
    }

    @Test func `a movie is written to a location and read from one`() throws {
        let writer = try MovieFrameWriter(path: filePath("a b.mp4"))
        for number in 0..<10 { try writer.append(frame(Int64(number))) }
        try writer.finish()
        #expect(try MovieInfo.read(url("a b.mp4")).frameCount == 10)
        #expect(try MovieContents.read(filePath("a b.mp4")).streams.count == 1)
        #expect(MovieContainer(path: url("a b.mkv")) == .mkv)
        #expect(try BroadcastDestination(url("a b.mp4")).kind == .movie)
        #expect(try CaptureDevice.named(url("a b.mp4")).mediaTypes == [.video])
    }

    @Test func `a relative path is a file, also if it has the name of a device`() throws {
        #expect { try CaptureDevice.named(FilePath("pattern")) } throws: {
            ($0 as? ObscuraError)?.subject.hasSuffix("pattern") == true
        }
        #expect(try CaptureDevice.named("pattern").deviceType == .virtual)
    }

    @Test func `the frames of a movie at a location arrive`() async throws {
        let writer = try MovieFrameWriter(path: url("a.mp4"))
        for number in 0..<5 { try writer.append(frame(Int64(number))) }
        try writer.finish()
        var reading = MovieReadingOptions()
        reading.pace = .lossless
        let extractor = FrameExtractor(source: filePath("a.mp4"), reading: reading)
        var count = 0
        for try await _ in extractor.frames { count += 1 }
        #expect(count == 5)
    }

    @Test func `a recorded movie is written to a location`() async throws {
        let movie = MovieFileOutput(audio: nil)
        movie.maxRecordedDuration = MediaTime(value: 1, timescale: 10)
        let session = CaptureSession()
        let camera = try CaptureDeviceInput(device: CaptureDevice.named("pattern:64x48@30"))
        try await session.configure { configuration in
            try configuration.addInput(camera)
            try configuration.addOutput(movie)
        }
        let events = movie.events
        try await movie.startRecording(to: url("r.mp4"))
        try await session.start()
        for await event in events {
            if case .finished = event { break }
        }
        await session.stop()
        #expect(try MovieInfo.read(filePath("r.mp4")).frameCount ?? 0 > 0)
    }

    @Test func `a wall time is a date in a time zone`() throws {
        let date = Date(timeIntervalSince1970: 1_772_370_309.25)
        let zone = try #require(TimeZone(secondsFromGMT: 3600))
        let time = WallTime(date, timeZone: zone)
        #expect(time.iso8601 == "2026-03-01T14:05:09.250+01:00")
        #expect(Date(time) == date)
        #expect(WallTime(.distantFuture, timeZone: zone).fields.year == 2262)
        #expect(WallTime(.distantPast, timeZone: zone).fields.year == 1677)
        _ = WallTime(Date(timeIntervalSince1970: .nan), timeZone: zone)
    }

    @Test func `the bytes of a compressed frame are data`() {
        let frame = EncodedFrame(
            format: .mjpeg, data: [1, 2, 3], width: 1, height: 1, isKeyFrame: true, presentationTime: .zero,
            hostTime: .now)
        #expect(Data(frame) == Data([1, 2, 3]))
    }
}
