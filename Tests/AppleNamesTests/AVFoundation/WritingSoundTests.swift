// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import AVFoundation
import ObscuraMedia
import ObscuraMovies
import TestSupport
import Testing

/// Sound that is written with `AVAssetWriter`, alone and beside frames.
@Suite("AVAssetWriterInput, sound", .hangLimit) struct WritingSoundTests {
    private let movies = try? WritingMovies()

    static let formats: [(AudioFormatID, AVFileType, String)] = [
        (kAudioFormatMPEG4AAC, .mp4, "aac"), (kAudioFormatMPEG4AAC, .m4a, "aac"),
        (kAudioFormatMPEG4AAC, .mov, "aac"), (kAudioFormatLinearPCM, .mov, "pcm_s16le"),
        (kAudioFormatFLAC, .mp4, "flac"), (kAudioFormatOpus, .mp4, "opus"),
    ]

    @Test("A second of sound is written in each format, with the times of the sample buffers", arguments: formats)
    func sound(format: AudioFormatID, type: AVFileType, name: String) async throws {
        let movies = try #require(movies)
        let file = type == .mov ? "sound.mov" : type == .m4a ? "sound.m4a" : "sound.mp4"
        let writer = try movies.writer(type, file)
        let input = WritingMovies.audio([AVFormatIDKey: format])
        writer.add(input)
        try #require(writer.startWriting(), "\(String(describing: writer.error))")
        let start = CMTime(MediaTime(value: 17, timescale: 3))
        writer.startSession(atSourceTime: start)
        for number in 0..<100 { #expect(input.append(try WritingMovies.tone(from: number * 480, start: start))) }
        input.markAsFinished()
        await writer.finishWriting()
        #expect(writer.status == .completed, "\(String(describing: writer.error))")
        let contents = try MovieContents.read(movies.folder(file))
        let stream = try #require(contents.streams.first)
        #expect(contents.streams.count == 1 && stream.kind == .audio && stream.codecName == name)
        #expect(stream.sampleRate == 48_000 && stream.channelCount == 2)
        let samples = try samples(movies.folder(file))
        // Within a frame of the encoder.
        #expect(abs(samples.count / 2 - 48_000) <= 1024, "\(samples.count / 2) samples")
        #expect(samples.contains { $0 > 0.3 } && samples.allSatisfy { abs($0) < 0.6 })
    }

    private func samples(_ path: String) throws -> [Float] {
        let data = try Tool.run("ffmpeg", ["-v", "error", "-i", path, "-f", "f32le", "-"])
        return data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    @Test("Frames and sound in turn are two tracks with the same times", arguments: [false, true])
    func interleaved(isRealTime: Bool) async throws {
        let movies = try #require(movies)
        let writer = try movies.writer()
        let (video, audio) = (WritingMovies.video(), WritingMovies.audio())
        for input in [video, audio] {
            input.expectsMediaDataInRealTime = isRealTime
            writer.add(input)
        }
        audio.languageCode = "deu"
        let title = AVMutableMetadataItem()
        title.identifier = .quickTimeUserDataFullName
        title.value = NSString(string: "Microphone")
        audio.metadata = [title]
        try #require(writer.startWriting())
        let start = WritingMovies.time(300)
        writer.startSession(atSourceTime: start)
        for number in 0..<60 {
            // Real-time media are dropped when the encoder has no room, so wait for it, as a camera would not.
            #expect(await becomes { video.isReadyForMoreMediaData })
            #expect(video.append(try WritingMovies.frame(at: WritingMovies.time(300 + number))))
            for part in 0..<3 {
                #expect(await becomes { audio.isReadyForMoreMediaData })
                #expect(audio.append(try WritingMovies.tone(from: (number * 3 + part) * 480, start: start)))
            }
        }
        video.markAsFinished()
        audio.markAsFinished()
        await writer.finishWriting()
        #expect(writer.status == .completed)
        let contents = try MovieContents.read(movies.path)
        #expect(contents.streams.map(\.kind) == [.video, .audio])
        #expect(contents.streams[0].frameCount == 60)
        #expect(contents.streams[1].language == "deu" && contents.streams[1].title == "Microphone")
        let times = try Probe(movies.path).frames.map { try #require($0.time) }
        #expect(times == (0..<60).map { MediaTime(value: $0, timescale: 30) })
        #expect(abs(try samples(movies.path).count / 2 - 180 * 480) <= 1024)
    }

    @Test("Real-time frames for which the encoder has no room are dropped, and all others are in the movie")
    func realTime() async throws {
        let movies = try #require(movies)
        let writer = try movies.writer()
        let input = WritingMovies.video([AVVideoWidthKey: 1280, AVVideoHeightKey: 720])
        input.expectsMediaDataInRealTime = true
        writer.add(input)
        try #require(writer.startWriting())
        writer.startSession(atSourceTime: .zero)
        let adaptor = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: input)
        let pixels = try WritingMovies.pixels(width: 1280, height: 720)
        var written: [MediaTime] = []
        for number in 0..<300 {
            let isReady = input.isReadyForMoreMediaData
            let time = WritingMovies.time(number)
            guard adaptor.append(pixels, withPresentationTime: time) else {
                #expect(!isReady, "an input that is ready takes a frame")
                continue
            }
            written.append(try #require(time.mediaTime))
        }
        // No encoder takes 300 frames at once.
        #expect(written.count < 300 && written.count >= WritingMovies.frameLimit)
        #expect(writer.status == .writing && writer.error == nil)
        await writer.finishWriting()
        #expect(writer.status == .completed)
        let times = try Probe(movies.path).frames.map { try #require($0.time) }
        #expect(times == written)
    }
}
