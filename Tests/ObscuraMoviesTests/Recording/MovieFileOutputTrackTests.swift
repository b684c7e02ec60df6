// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraCapture
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraMovies

/// Several cameras and microphones in one movie.
@Suite(.hangLimit) struct MovieFileOutputTrackTests {
    private static let sizes = [PixelSize(width: 350, height: 96), PixelSize(width: 360, height: 128)]

    private let output = MovieFileOutput(tracks: [
        MovieTrack(.video(VideoSettings()), title: "Front"),
        MovieTrack(.subtitles, language: "eng"),
        MovieTrack(.audio(AudioSettings()), title: "Left"),
        MovieTrack(.video(VideoSettings()), title: "Back"),
        MovieTrack(.audio(AudioSettings()), title: "Right"),
        MovieTrack(.chapters),
    ])

    private func input(_ driver: any CaptureDriver) throws -> CaptureDeviceInput {
        try CaptureDeviceInput(device: CaptureDevice(driver: driver))
    }

    /// - Parameter isLive: if false, the frames come as fast as they are taken.
    private func camera(_ number: Int, isLive: Bool) throws -> CaptureDeviceInput {
        try input(
            PatternDriver(
                size: Self.sizes[number], frameRate: FrameRate(30), isLive: isLive, name: "camera \(number)"))
    }

    /// The numbers that the pictures of a video track show, and their times in seconds.
    private func pictures(_ path: String, _ track: Int) throws -> [(number: UInt64, time: Double)] {
        let single = try Recordings.path("track\(track).mkv")
        _ = try Tool.run(
            "ffmpeg", ["-v", "error", "-copyts", "-i", path, "-map", "0:v:\(track)", "-c", "copy", single])
        let reader = try MovieReader(single)
        var found: [(number: UInt64, time: Double)] = []
        while let frame = try reader.nextFrame() {
            let number = try #require(PatternScene.readSequence(of: frame.buffer))
            found.append((number, frame.presentationTime.seconds))
        }
        return found
    }

    /// The number of times per second at which an audio track rises above 0.
    private func frequency(_ path: String, _ track: Int) throws -> Double {
        let bytes = try Tool.run(
            "ffmpeg",
            ["-v", "error", "-i", path, "-map", "0:a:\(track)", "-ac", "1", "-ar", "48000", "-f", "f32le", "-"])
        let samples = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }.dropFirst(4800).prefix(24_000)
        return Double(zip(samples, samples.dropFirst()).count { $0 < 0 && $1 >= 0 }) * 2
    }

    // With a sanitizer, the tones are too late for the clock.
    @Test(.withoutSanitizer)
    func `Two cameras and two microphones are recorded, each into its track`() async throws {
        let session = CaptureSession()
        let cameras = try [camera(0, isLive: true), camera(1, isLive: true)]
        let watches = [VideoDataOutput(name: "front"), VideoDataOutput(name: "back")]
        try await session.configure { configuration in
            for input in try [
                cameras[0], input(ToneDriver(frequency: 440)), cameras[1], input(ToneDriver(frequency: 1000)),
            ] { try configuration.addInput(input) }
            try configuration.addOutput(output)
            for (watch, camera) in zip(watches, cameras) {
                try configuration.addOutput(watch)
                try configuration.connect(watch, to: camera)
            }
        }
        #expect(output.connections.map(\.mediaType) == [.video, .audio, .video, .audio])
        try await session.start()
        // The time at which each camera began to count.
        var begins: [Double] = []
        for watch in watches {
            var frames = watch.frames.makeAsyncIterator()
            let frame = try #require(try await frames.next())
            let number = try #require(PatternScene.readSequence(of: frame.buffer))
            begins.append(Double(frame.hostTime.nanoseconds) / 1e9 - Double(number) / 30)
        }
        let path = try Recordings.path("all.mp4")
        let events = output.events
        try await output.startRecording(to: path)
        for await case .started in events { break }
        let now = HostTime.now
        #expect(
            try await output.append(
                TimedText("Go", at: now.mediaTime, duration: MediaTime(value: 1, timescale: 2)), to: 1))
        #expect(try await output.append(TimedText("Departure", at: now.mediaTime), to: 5))
        #expect(await becomes { output.recordedDuration.seconds >= 1.5 })
        let result = try #require(await output.stopRecording())
        await session.stop()
        #expect(session.ledger.readers.allSatisfy { $0.frames.isBalanced })
        #expect(result.reason == .stopped && result.error == nil)
        let movie = try MovieContents.read(path)
        let streams = movie.streams.filter { $0.kind != .data }
        #expect(streams.map(\.kind) == [.video, .subtitle, .audio, .video, .audio])
        #expect(streams.map(\.title) == ["Front", nil, "Left", "Back", "Right"])
        #expect(streams.filter { $0.kind == .video }.map(\.size) == Self.sizes)
        #expect(movie.chapters.map(\.title) == ["Departure"])
        let tracks = try (0...1).map { try pictures(path, $0) }
        #expect(result.report?.videoFrameCount == tracks[0].count + tracks[1].count)
        for (track, pictures) in tracks.enumerated() {
            #expect(zip(pictures, pictures.dropFirst()).allSatisfy { $0.number < $1.number }, "\(track)")
        }
        // The movie begins at one moment for both.
        let starts = zip(begins, tracks).map { begin, pictures in
            pictures.map { begin + Double($0.number) / 30 - $0.time }
        }
        let start = try #require(starts[0].sorted().dropFirst(starts[0].count / 2).first)
        for found in starts.joined() { #expect(abs(found - start) < 0.005) }
        #expect(abs(try frequency(path, 0) - 440) <= 2)
        #expect(abs(try frequency(path, 1) - 1000) <= 2)
        try Recordings.expectPlays(path, ["-map", "0:v", "-map", "0:a"])
    }

    @Test func `Of cameras that are read as fast as possible, no frame is missing in either track`()
        async throws
    {
        let output = MovieFileOutput(
            tracks: [MovieTrack(.video(VideoSettings())), MovieTrack(.video(VideoSettings()))])
        output.maxRecordedDuration = MediaTime(value: 2, timescale: 1)
        let session = CaptureSession()
        let (front, back) = try (camera(0, isLive: false), camera(1, isLive: false))
        try await session.configure { configuration in
            // In the other order, and connected by hand.
            for input in [back, front] { try configuration.addInput(input) }
            try configuration.addOutput(output)
            try configuration.connect(output.connections[0], to: front)
            try configuration.connect(output.connections[1], to: back)
        }
        let path = try Recordings.path("films.mkv")
        let events = output.events
        try await output.startRecording(to: path)
        try await session.start()
        let result = try await events.result()
        await session.stop()
        #expect(result.error == nil && result.report?.videoFrameCount == 120, "\(result)")
        #expect(try MovieContents.read(path).streams.map(\.size) == Self.sizes)
        for track in 0...1 { #expect(try pictures(path, track).map(\.number) == Array(0..<60), "\(track)") }
    }

    @Test func `Without a camera for each track there is no recording, and the error says which is missing`()
        async throws
    {
        let session = CaptureSession()
        try await session.configure { configuration in
            try configuration.addInput(self.camera(0, isLive: false))
            try configuration.addInput(self.input(ToneDriver(isLive: false)))
            try configuration.addOutput(output)
        }
        let path = try Recordings.path("none.mp4")
        func expectRefusal(_ part: String) async {
            await #expect {
                try await output.startRecording(to: path)
            } throws: {
                guard let error = $0 as? ObscuraError else { return false }
                return error.code == .invalidState && error.description.contains(part)
            }
        }
        await expectRefusal("track 3 (video)")
        try await session.configure { try $0.addInput(self.camera(1, isLive: false)) }
        await expectRefusal("track 4 (audio)")
        output.connections[0].isEnabled = false
        await expectRefusal("track 0 (video)")
        #expect(try Recordings.neighbours(path).isEmpty)
        let frame = TimedText("early", at: .zero, duration: MediaTime(value: 1, timescale: 1))
        await #expect(throws: ObscuraError.self) { try await output.append(frame, to: 1) }
        let copied = MovieFileOutput(tracks: [MovieTrack(.copiedVideo)])
        await #expect {
            try await copied.startRecording(to: path)
        } throws: {
            ($0 as? ObscuraError)?.code == .invalidSettings && "\($0)".contains("copiesVideo")
        }
    }

    @Test func `An output with several connections for a media type is connected one by one`() async throws {
        let session = CaptureSession()
        let (front, tone) = try (camera(0, isLive: false), input(ToneDriver(isLive: false)))
        try await session.configure { configuration in
            for input in [front, tone] { try configuration.addInput(input) }
            try configuration.addOutput(output)
        }
        #expect(output.connections.map { $0.input === front } == [true, false, false, false])
        #expect(output.connections.map { $0.input === tone } == [false, true, false, false])
        let connections = output.connections
        for (connection, input) in [(connections[1], front), (connections[2], tone)] {
            await #expect {
                try await session.configure { try $0.connect(connection, to: input) }
            } throws: {
                ($0 as? ObscuraError)?.code == .invalidConfiguration && "\($0)".contains("does not deliver")
            }
        }
        await #expect {
            try await session.configure { try $0.connect(output, to: front) }
        } throws: {
            ($0 as? ObscuraError)?.code == .invalidConfiguration && "\($0)".contains("several connections")
        }
        let other = VideoDataOutput()
        await #expect {
            try await session.configure { try $0.connect(other.connection, to: front) }
        } throws: {
            ($0 as? ObscuraError)?.code == .invalidConfiguration
        }
        // One camera can be in two tracks.
        try await session.configure { try $0.connect(connections[2], to: front) }
        #expect(connections[2].input === front)
    }
}
