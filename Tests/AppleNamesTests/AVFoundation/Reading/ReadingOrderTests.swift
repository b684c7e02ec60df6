// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import AVFoundation
import ObscuraBase
import ObscuraMedia
import TestSupport
import Testing

/// The states of `AVAssetReader`: several outputs, cancelling, and calls in the wrong order.
@Suite("AVAssetReader, order of calls", .hangLimit) struct ReadingOrderTests {
    private let movies = try? ReadingMovies()

    private let sound: [String: Any] = [AVFormatIDKey: kAudioFormatLinearPCM]

    private func reader(_ asset: AVAsset) throws -> (AVAssetReader, AVAssetReaderTrackOutput, AVAssetReaderTrackOutput)
    {
        let reader = try AVAssetReader(asset: asset)
        let video = AVAssetReaderTrackOutput(
            track: try #require(asset.tracks(withMediaType: .video).first),
            outputSettings: settings(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange))
        let audio = AVAssetReaderTrackOutput(
            track: try #require(asset.tracks(withMediaType: .audio).first), outputSettings: sound)
        reader.add(video)
        reader.add(audio)
        #expect(reader.outputs == [video, audio])
        try #require(reader.startReading(), "\(String(describing: reader.error))")
        return (reader, video, audio)
    }

    @Test("Two outputs are read in turn, or one after the other, with the same samples")
    func twoOutputs() async throws {
        let asset = try await #require(movies).videoAndSound()
        let (turns, video, audio) = try reader(asset)
        var (frames, sounds): ([CMTime], [CMTime]) = ([], [])
        var isOver = false
        while !isOver {
            let frame = video.copyNextSampleBuffer()
            let sound = audio.copyNextSampleBuffer()
            if let frame { frames.append(frame.presentationTimeStamp) }
            if let sound { sounds.append(sound.presentationTimeStamp) }
            isOver = frame == nil && sound == nil
        }
        #expect(turns.status == .completed && frames.count == ReadingMovies.frameCount)

        let (whole, otherVideo, otherAudio) = try reader(asset)
        #expect(samples(otherAudio).map(\.presentationTimeStamp) == sounds)
        #expect(whole.status == .reading, "one output has samples left")
        #expect(samples(otherVideo).map(\.presentationTimeStamp) == frames)
        #expect(whole.status == .completed)
    }

    @Test("Cancelling ends all outputs, and changes nothing later")
    func cancel() async throws {
        let asset = try await #require(movies).videoAndSound()
        let (reader, video, audio) = try reader(asset)
        #expect(video.copyNextSampleBuffer() != nil && audio.copyNextSampleBuffer() != nil)
        reader.cancelReading()
        #expect(reader.status == .cancelled && reader.error == nil)
        #expect(video.copyNextSampleBuffer() == nil && audio.copyNextSampleBuffer() == nil)
        reader.cancelReading()
        #expect(!reader.startReading() && reader.status == .cancelled)
    }

    @Test("Cancelling from another thread ends a loop over the samples")
    func cancelElsewhere() async throws {
        let asset = try await #require(movies).videoAndSound()
        let (reader, video, _) = try reader(asset)
        let isStarted = Lock(false)
        let loop = Task.detached {
            var count = 0
            while video.copyNextSampleBuffer() != nil {
                count += 1
                // Waits for the cancellation after the first frame.
                isStarted.withLock { $0 = true }
                while reader.status == .reading { await Task.yield() }
            }
            return count
        }
        #expect(await becomes { isStarted.withLock { $0 } })
        reader.cancelReading()
        #expect(await loop.value == 1 && reader.status == .cancelled)
    }

    @Test("A reader that is complete stays complete")
    func completed() async throws {
        let asset = try await #require(movies).video()
        let (reader, output) = try startedReader(asset, .video, [:])
        _ = samples(output)
        reader.cancelReading()
        #expect(reader.status == .completed)
        #expect(!reader.canAdd(AVAssetReaderTrackOutput(track: output.track, outputSettings: [:])))
    }

    @Test("Settings that are not supported cannot be added, and fail the reader with the reason")
    func unsupportedSettings() async throws {
        let asset = try await #require(movies).videoAndSound()
        let video = try #require(asset.tracks(withMediaType: .video).first)
        let audio = try #require(asset.tracks(withMediaType: .audio).first)
        let cases: [(AVAssetTrack, [String: Any]?)] = [
            (video, nil), (audio, nil), (audio, [:]), (audio, [AVFormatIDKey: kAudioFormatMPEG4AAC]),
            (video, settings(kCVPixelFormatType_24RGB)), (video, ["unknown": 1]),
            (video, [kCVPixelBufferPixelFormatTypeKey as String: "BGRA"]),
            (video, [kCVPixelBufferWidthKey as String: 100]),
            (video, [kCVPixelBufferWidthKey as String: 0, kCVPixelBufferHeightKey as String: 10]),
            (audio, sound.merging([AVLinearPCMBitDepthKey: 24]) { $1 }),
            (audio, sound.merging([AVLinearPCMBitDepthKey: 16, AVLinearPCMIsFloatKey: true]) { $1 }),
            (audio, sound.merging([AVLinearPCMIsBigEndianKey: true]) { $1 }),
            (audio, sound.merging([AVSampleRateKey: 0]) { $1 }),
            (audio, sound.merging([AVNumberOfChannelsKey: 1000]) { $1 }),
        ]
        for (track, settings) in cases {
            let reader = try AVAssetReader(asset: asset)
            let output = AVAssetReaderTrackOutput(track: track, outputSettings: settings)
            #expect(!reader.canAdd(output), "\(String(describing: settings))")
            reader.add(output)
            #expect(reader.status == .failed && code(reader.error) == .invalidSettings && reader.outputs.isEmpty)
            #expect(!reader.startReading() && output.copyNextSampleBuffer() == nil)
        }
    }

    @Test("Calls in the wrong order fail the reader with the reason")
    func wrongOrder() async throws {
        let asset = try await #require(movies).video()
        let track = try #require(asset.tracks.first)
        func output() -> AVAssetReaderTrackOutput { AVAssetReaderTrackOutput(track: track, outputSettings: [:]) }
        func expectFailure(_ body: (AVAssetReader) -> Void) throws {
            let reader = try AVAssetReader(asset: asset)
            body(reader)
            #expect(reader.status == .failed && code(reader.error) == .invalidState)
        }
        try expectFailure { #expect(!$0.startReading()) }
        try expectFailure { reader in
            reader.add(output())
            #expect(reader.startReading() && !reader.startReading())
        }
        try expectFailure { reader in
            reader.add(output())
            reader.startReading()
            reader.add(output())
        }
        try expectFailure { reader in
            reader.add(output())
            reader.startReading()
            reader.timeRange = .zero
        }
        try expectFailure { reader in
            let twice = output()
            reader.add(twice)
            reader.add(twice)
        }
        try expectFailure { reader in
            let other = AVURLAsset(url: asset.url)
            reader.add(AVAssetReaderTrackOutput(track: other.tracks[0], outputSettings: [:]))
        }
        let early = output()
        #expect(early.copyNextSampleBuffer() == nil, "before it belongs to a reader")
    }

    @Test("A time range that is not valid fails the start")
    func invalidRange() async throws {
        let asset = try await #require(movies).video()
        let ranges = [
            CMTimeRange.invalid, CMTimeRange(start: .indefinite, duration: .zero),
            CMTimeRange(start: WritingMovies.time(2), end: WritingMovies.time(1)),
        ]
        for range in ranges {
            let reader = try AVAssetReader(asset: asset)
            reader.add(AVAssetReaderTrackOutput(track: try #require(asset.tracks.first), outputSettings: [:]))
            reader.timeRange = range
            #expect(!reader.startReading() && code(reader.error) == .invalidSettings)
        }
    }

    @Test("An address of a network cannot be read by a reader")
    func network() throws {
        let asset = AVURLAsset(url: try #require(URL(string: "https://example.org/movie.mp4")))
        #expect { _ = try AVAssetReader(asset: asset) } throws: { code($0) == .invalidSettings }
        #expect(asset.statusOfValue(forKey: "tracks", error: nil) == .unknown, "nothing was opened")
    }
}
