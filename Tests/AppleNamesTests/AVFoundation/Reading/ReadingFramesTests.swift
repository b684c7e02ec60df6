// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import AVFoundation
import ObscuraBase
import ObscuraImaging
import ObscuraMedia
import ObscuraMovies
import TestSupport
import Testing

/// Frames that are read with `AVAssetReader`.
@Suite("AVAssetReader, frames", .hangLimit) struct ReadingFramesTests {
    private let movies = try? ReadingMovies()

    static let formats = [
        kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
        kCVPixelFormatType_32BGRA,
    ]

    @Test("Each frame is read once, with its exact time, and then the reader is complete", arguments: formats)
    func everyFrame(type: OSType) async throws {
        let asset = try await #require(movies).video()
        let (reader, output) = try startedReader(asset, .video, settings(type))
        #expect(reader.status == .reading && output.mediaType == .video)
        let samples = samples(output)
        #expect(samples.map(\.presentationTimeStamp) == (0..<ReadingMovies.frameCount).map(WritingMovies.time))
        #expect(reader.status == .completed && reader.error == nil)
        #expect(output.copyNextSampleBuffer() == nil)
        for (number, sample) in samples.enumerated() {
            let pixels = try #require(CMSampleBufferGetImageBuffer(sample))
            #expect(CVPixelBufferGetPixelFormatType(pixels) == type)
            #expect(CVPixelBufferGetWidth(pixels) == 160 && CVPixelBufferGetHeight(pixels) == 96)
            #expect(try ReadingMovies.number(pixels.picture) == number)
            #expect(sample.duration == CMTime(value: 1, timescale: 30) && sample.numSamples == 1)
            #expect(sample.formatDescription === samples[0].formatDescription)
        }
    }

    @Test("Pixels are those of the engine's reader")
    func pixels() async throws {
        let asset = try await #require(movies).video()
        let (_, output) = try startedReader(asset, .video, settings(kCVPixelFormatType_32BGRA))
        let reader = try MovieReader(asset.url.path)
        while let frame = try reader.nextFrame() {
            let pixels = try #require(output.copyNextSampleBuffer()?.imageBuffer)
            let expected = try ImageTransformer.transform(frame.buffer, ImageRequest(pixelFormat: .bgra))
            #expect(CGImage(pixels.picture).dataProvider?.data == CGImage(expected).dataProvider?.data)
        }
        #expect(output.copyNextSampleBuffer() == nil)
    }

    @Test("Without a format frames are 4:2:0 with two planes, and a size stretches them")
    func defaults() async throws {
        let asset = try await #require(movies).video()
        let (_, output) = try startedReader(asset, .video, [:])
        let pixels = try #require(output.copyNextSampleBuffer()?.imageBuffer)
        #expect(CVPixelBufferGetPixelFormatType(pixels) == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        let sized: [String: Any] = [
            kCVPixelBufferPixelFormatTypeKey as String: Int(kCVPixelFormatType_32BGRA),
            kCVPixelBufferWidthKey as String: 50, kCVPixelBufferHeightKey as String: 70,
            kCVPixelBufferIOSurfacePropertiesKey as String: [String: Any](),
        ]
        let (_, other) = try startedReader(asset, .video, sized)
        let small = try #require(other.copyNextSampleBuffer()?.imageBuffer)
        #expect(CVPixelBufferGetWidth(small) == 50 && CVPixelBufferGetHeight(small) == 70)
    }

    @Test("Frames of a rotated movie are as they are stored")
    func rotation() async throws {
        let source = try await #require(movies).video().url.path
        let path = try #require(movies).movies.folder("turned.mp4")
        try Tool.run("ffmpeg", ["-v", "error", "-i", source, "-c", "copy", "-metadata:s:v:0", "rotate=90", path])
        let asset = AVAsset(url: URL(fileURLWithPath: path))
        #expect(!asset.preferredTransform.isIdentity)
        let (_, output) = try startedReader(asset, .video, settings(kCVPixelFormatType_32BGRA))
        let pixels = try #require(output.copyNextSampleBuffer()?.imageBuffer)
        #expect(CVPixelBufferGetWidth(pixels) == 160 && CVPixelBufferGetHeight(pixels) == 96)
    }

    @Test("A time range has the frames whose times are in it")
    func timeRange() async throws {
        let asset = try await #require(movies).video()
        let third = CMTime(value: 1, timescale: 90)
        let cases: [(CMTimeRange, Range<Int>)] = [
            (CMTimeRange(start: WritingMovies.time(7), end: WritingMovies.time(12)), 7..<12),
            (CMTimeRange(start: WritingMovies.time(7) + third, end: WritingMovies.time(12) + third), 8..<13),
            (CMTimeRange(start: WritingMovies.time(58), duration: .positiveInfinity), 58..<60),
            (CMTimeRange(start: .zero, duration: WritingMovies.time(1)), 0..<1),
            (CMTimeRange(start: WritingMovies.time(600), duration: WritingMovies.time(1)), 0..<0),
        ]
        for (range, numbers) in cases {
            let (reader, output) = try startedReader(asset, .video, settings(kCVPixelFormatType_32BGRA), range)
            #expect(reader.timeRange == range)
            let samples = samples(output)
            #expect(samples.map(\.presentationTimeStamp) == numbers.map(WritingMovies.time))
            for (sample, number) in zip(samples, numbers) {
                #expect(try ReadingMovies.number(#require(sample.imageBuffer).picture) == number)
            }
            #expect(reader.status == .completed)
        }
    }

    @Test("Frames that a program keeps do not change, however many they are")
    func keptFrames() async throws {
        let asset = try await #require(movies).video()
        let (_, output) = try startedReader(asset, .video, settings(kCVPixelFormatType_32BGRA))
        let kept = samples(output)
        for (number, sample) in kept.enumerated() {
            #expect(try ReadingMovies.number(#require(sample.imageBuffer).picture) == number)
        }
    }

    @Test("A movie that is cut off fails after its last frame")
    func cutOff() throws {
        let path = try TestMovies.cut(try TestMovies.h264(), to: 0.6)
        let asset = AVAsset(url: URL(fileURLWithPath: path))
        let (reader, output) = try startedReader(asset, .video, settings(kCVPixelFormatType_32BGRA))
        let samples = samples(output)
        #expect(!samples.isEmpty && samples.count < 50)
        #expect(reader.status == .failed && code(reader.error) == .truncated)
        #expect(output.copyNextSampleBuffer() == nil)
    }

    @Test("A movie that was deleted after it was looked at fails to start")
    func deleted() async throws {
        let asset = try await #require(movies).video()
        let reader = try AVAssetReader(asset: asset)
        let output = AVAssetReaderTrackOutput(
            track: try #require(asset.tracks.first), outputSettings: settings(kCVPixelFormatType_32BGRA))
        reader.add(output)
        try FileManager.default.removeItem(at: asset.url)
        #expect(!reader.startReading() && reader.status == .failed && code(reader.error) == .notFound)
        #expect(output.copyNextSampleBuffer() == nil)
    }
}
