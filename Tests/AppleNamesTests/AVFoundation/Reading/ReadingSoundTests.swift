// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import AVFoundation
import ObscuraMedia
import TestSupport
import Testing

/// Sound that is read with `AVAssetReader`.
@Suite("AVAssetReader, sound", .hangLimit) struct ReadingSoundTests {
    private let movies = try? ReadingMovies()

    /// The 16-bit samples of sample buffers, by their block buffers.
    private func integers(_ samples: [CMSampleBuffer]) throws -> [Int16] {
        try samples.flatMap { sample in
            let block = try #require(CMSampleBufferGetDataBuffer(sample))
            var values = [Int16](repeating: 0, count: CMBlockBufferGetDataLength(block) / 2)
            let status = values.withUnsafeMutableBytes { bytes in
                bytes.baseAddress.map {
                    CMBlockBufferCopyDataBytes(block, atOffset: 0, dataLength: bytes.count, destination: $0)
                }
            }
            #expect(status == kCMBlockBufferNoErr || values.isEmpty)
            return values
        }
    }

    private func pcm(_ changes: [String: Any] = [:]) -> [String: Any] {
        changes.merging([AVFormatIDKey: kAudioFormatLinearPCM]) { own, _ in own }
    }

    @Test("Sound is read as integers of 16 bits without gaps, in the format that it tells")
    func integers() async throws {
        let asset = try await #require(movies).videoAndSound()
        let (reader, output) = try startedReader(asset, .audio, pcm())
        let samples = samples(output)
        #expect(reader.status == .completed && reader.error == nil)
        var next = try #require(samples.first?.presentationTimeStamp)
        for sample in samples {
            #expect(sample.presentationTimeStamp == next)
            let stream = try #require(sample.formatDescription?.audioStreamBasicDescription)
            #expect(stream.mFormatID == kAudioFormatLinearPCM && stream.mSampleRate == 48_000)
            #expect(stream.mFormatFlags == kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked)
            #expect(stream.mBitsPerChannel == 16 && stream.mBytesPerFrame == 4 && stream.mChannelsPerFrame == 2)
            let length = CMBlockBufferGetDataLength(try #require(sample.dataBuffer))
            #expect(length == CMSampleBufferGetNumSamples(sample) * 4)
            #expect(length == CMSampleBufferGetTotalSampleSize(sample))
            next = next + sample.duration
        }
        let values = try integers(samples)
        #expect(abs(values.count / 2 - 2 * ReadingMovies.sampleRate) <= 1024)
        #expect(values.contains { $0 > 10_000 } && values.allSatisfy { abs(Int($0)) < 16_000 })
    }

    @Test("Uncompressed sound is read sample by sample as it was written")
    func exactSamples() async throws {
        let asset = try await #require(movies).videoAndSamples()
        let (_, output) = try startedReader(asset, .audio, pcm())
        let values = try integers(samples(output))
        #expect(values.count == 2 * 2 * ReadingMovies.sampleRate)
        for index in stride(from: 0, to: values.count, by: 97) {
            let expected = 0.4 * sin(2 * Double.pi * 440 * Double(index / 2) / 48_000) * 32_768
            #expect(abs(Double(values[index]) - expected) <= 1)
        }
    }

    @Test("A time range is exact to the sample")
    func timeRange() async throws {
        let asset = try await #require(movies).videoAndSamples()
        let (_, whole) = try startedReader(asset, .audio, pcm())
        let all = try integers(samples(whole))
        for (first, count) in [(0, 1), (12_345, 6789), (95_000, 1000), (479, 481)] {
            let range = CMTimeRange(
                start: CMTime(value: Int64(first), timescale: 48_000),
                duration: CMTime(value: Int64(count), timescale: 48_000))
            let (reader, output) = try startedReader(asset, .audio, pcm(), range)
            let samples = samples(output)
            #expect(samples.first?.presentationTimeStamp == range.start)
            let part = try integers(samples)
            #expect(part == Array(all[(2 * first)..<(2 * (first + count))]), "\(count) from \(first)")
            #expect(reader.status == .completed)
        }
    }

    @Test("A time range may end after any time that a movie can have")
    func farEnd() async throws {
        let asset = try await #require(movies).videoAndSamples()
        let range = CMTimeRange(start: .zero, duration: CMTime(value: .max, timescale: 1))
        let (reader, output) = try startedReader(asset, .audio, pcm(), range)
        #expect(try integers(samples(output)).count == 2 * 2 * ReadingMovies.sampleRate)
        #expect(reader.status == .completed)
    }

    @Test("The rate, the channels and the sample type are converted, with one buffer for each channel")
    func conversion() async throws {
        let asset = try await #require(movies).videoAndSamples()
        let changes: [String: Any] = [
            AVSampleRateKey: 24_000.0, AVNumberOfChannelsKey: 2, AVLinearPCMBitDepthKey: 32,
            AVLinearPCMIsFloatKey: true, AVLinearPCMIsNonInterleaved: true, AVLinearPCMIsBigEndianKey: false,
        ]
        let (reader, output) = try startedReader(asset, .audio, pcm(changes))
        var channels: [[Float]] = [[], []]
        while let sample = output.copyNextSampleBuffer() {
            let stream = try #require(sample.formatDescription?.audioStreamBasicDescription)
            #expect(
                stream.mFormatFlags == kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved)
            #expect(stream.mSampleRate == 24_000 && stream.mBytesPerFrame == 4)
            try sample.withAudioBufferList { list, _ in
                #expect(list.count == 2)
                for (index, buffer) in list.enumerated() {
                    #expect(buffer.mNumberChannels == 1 && Int(buffer.mDataByteSize) == sample.numSamples * 4)
                    let data = try #require(buffer.mData)
                    let values = UnsafeRawBufferPointer(start: data, count: Int(buffer.mDataByteSize))
                    channels[index] += values.bindMemory(to: Float.self)
                }
            }
        }
        #expect(reader.status == .completed)
        #expect(channels.map(\.count) == [48_000, 48_000] && channels[0] == channels[1])
        for index in stride(from: 1000, to: 47_000, by: 371) {
            let expected = 0.4 * sin(2 * Double.pi * 440 * Double(index) / 24_000)
            #expect(abs(Double(channels[0][index]) - expected) < 0.01)
        }
    }

    @Test("Bytes that a program has changed are those that a writer writes")
    func changedBytes() async throws {
        let movies = try #require(movies)
        let asset = try await movies.videoAndSamples()
        let (_, output) = try startedReader(asset, .audio, pcm())
        let writer = try movies.movies.writer(.mov, "changed.mov")
        let input = WritingMovies.audio([AVFormatIDKey: kAudioFormatLinearPCM])
        writer.add(input)
        try #require(writer.startWriting())
        writer.startSession(atSourceTime: .zero)
        while let sample = output.copyNextSampleBuffer() {
            let block = try #require(CMSampleBufferGetDataBuffer(sample))
            try block.withUnsafeMutableBytes { bytes in
                for (index, value) in bytes.bindMemory(to: Int16.self).enumerated() {
                    bytes.storeBytes(of: -value, toByteOffset: 2 * index, as: Int16.self)
                }
            }
            #expect(input.append(sample))
        }
        await writer.finishWriting()
        try #require(writer.status == .completed, "\(String(describing: writer.error))")
        let (_, before) = try startedReader(asset, .audio, pcm())
        let (_, after) = try startedReader(AVAsset(url: movies.url("changed.mov")), .audio, pcm())
        #expect(try integers(samples(after)) == integers(samples(before)).map { -$0 })
    }
}
