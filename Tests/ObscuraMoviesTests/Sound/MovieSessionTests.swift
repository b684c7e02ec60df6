// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraCapture
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraMovies

@Suite("A film's pictures and sound in a session")
struct MovieSessionTests {
    private static func session(
        _ path: String, _ outputs: [CaptureOutput]
    ) async throws -> CaptureSession {
        var options = MovieReadingOptions()
        options.pace = .lossless
        let session = CaptureSession()
        let input = try CaptureDeviceInput(device: CaptureDevice(driver: try MovieDriver(path, options: options)))
        try await session.configure {
            try $0.addInput(input)
            for output in outputs { try $0.addOutput(output) }
        }
        return session
    }

    private static func pictures(_ loop: VideoDataOutput.Frames.Iterator, limit: Int = .max) async throws -> Int {
        var (loop, count) = (loop, 0)
        while count < limit, try await loop.next() != nil { count += 1 }
        return count
    }

    private static func sounds(
        _ loop: AudioDataOutput.Buffers.Iterator, limit: Int = .max
    ) async throws -> [AudioBuffer] {
        var (loop, sounds) = (loop, [AudioBuffer]())
        while sounds.count < limit, let sound = try await loop.next() { sounds.append(sound) }
        return sounds
    }

    private static func task(_ loop: sending VideoDataOutput.Frames.Iterator, limit: Int) -> Task<Int, any Error> {
        Task { try await pictures(loop, limit: limit) }
    }

    private static func task(
        _ loop: sending AudioDataOutput.Buffers.Iterator, limit: Int
    ) -> Task<[AudioBuffer], any Error> {
        Task { try await sounds(loop, limit: limit) }
    }

    @Test("A lossless reader of each gets all of it", .hangLimit)
    func both() async throws {
        let path = try SoundFiles.film()
        let (video, audio) = (VideoDataOutput(latePolicy: .lossless), AudioDataOutput(latePolicy: .lossless))
        let session = try await Self.session(path, [video, audio])
        let (frames, buffers) = (video.frames.makeAsyncIterator(), audio.buffers.makeAsyncIterator())
        async let pictures = Self.pictures(frames)
        async let sounds = Self.sounds(buffers)
        try await session.start()
        #expect(try await pictures == 75)
        #expect(firstDifference(try await sounds.samples, try decodedByFFmpeg(path), tolerance: 1e-6) == nil)
        await session.stop()
    }

    @Test("A reader that leaves half way leaves the other one all", .hangLimit, arguments: [true, false])
    func oneLeaves(leavesPictures: Bool) async throws {
        let path = try SoundFiles.film()
        let (video, audio) = (VideoDataOutput(latePolicy: .lossless), AudioDataOutput(latePolicy: .lossless))
        let session = try await Self.session(path, [video, audio])
        // The loops end with their tasks: nobody else keeps them.
        let pictures = Self.task(video.frames.makeAsyncIterator(), limit: leavesPictures ? 30 : .max)
        let sounds = Self.task(audio.buffers.makeAsyncIterator(), limit: leavesPictures ? .max : 50)
        try await session.start()
        #expect(try await pictures.value == (leavesPictures ? 30 : 75))
        let whole = try decodedByFFmpeg(path)
        let heard = try await sounds.value.samples
        #expect(
            firstDifference(heard, leavesPictures ? whole : Array(whole.prefix(heard.count)), tolerance: 1e-6) == nil)
        await session.stop()
    }

    @Test("A reader who takes both in turn, by their times, is never left waiting", .hangLimit)
    func inTurn() async throws {
        let path = try SoundFiles.film("turn.mp4", ["-c:a", "aac", "-bf", "3"])
        let (video, audio) = (VideoDataOutput(latePolicy: .lossless(2)), AudioDataOutput(latePolicy: .lossless(2)))
        let session = try await Self.session(path, [video, audio])
        var (frames, buffers) = (video.frames.makeAsyncIterator(), audio.buffers.makeAsyncIterator())
        try await session.start()
        var (frame, sound) = (try await frames.next(), try await buffers.next())
        var counts = (pictures: 0, samples: 0)
        while frame != nil || sound != nil {
            if let picture = frame, sound.map({ picture.presentationTime <= $0.presentationTime }) ?? true {
                counts.pictures += 1
                frame = try await frames.next()
            } else if let heard = sound {
                counts.samples += heard.frameCount
                sound = try await buffers.next()
            }
        }
        #expect(counts.pictures == 75)
        #expect(counts.samples == (try decodedByFFmpeg(path)).count / 2)
        await session.stop()
    }

    @Test("A file of sound alone is heard in the form that is asked for", .hangLimit)
    func soundAlone() async throws {
        let path = try SoundFiles.sound("asked.flac", ["-c:a", "flac"], SoundFiles.noise("2", rate: 44_100))
        let requested = AudioFormat(sampleType: .int16, sampleRate: 16_000, channelCount: 1)
        let audio = AudioDataOutput(format: requested, latePolicy: .lossless)
        let session = try await Self.session(path, [audio])
        let buffers = audio.buffers.makeAsyncIterator()
        async let sounds = Self.sounds(buffers)
        try await session.start()
        let heard = try await sounds
        #expect(heard.allSatisfy { $0.format == requested })
        #expect(heard.reduce(0) { $0 + $1.frameCount } == 32_000)
        await session.stop()
    }

    @Test("Who reads pictures alone has no sound decoded", .hangLimit)
    func picturesAlone() async throws {
        let video = VideoDataOutput(latePolicy: .lossless)
        let audio = AudioDataOutput(latePolicy: .lossless)
        let session = try await Self.session(try SoundFiles.film(), [video, audio])
        let frames = video.frames.makeAsyncIterator()
        async let pictures = Self.pictures(frames)
        try await session.start()
        #expect(try await pictures == 75)
        await session.stop()
        #expect(session.ledger.inputs.first?.audio.received == 0)
    }
}
