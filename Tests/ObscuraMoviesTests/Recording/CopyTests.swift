// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraBase
import ObscuraCapture
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraMovies

/// Compressed frames and audio that are written unchanged.
@Suite(.hangLimit) struct CopyTests {
    private static let frame = MediaTime(value: 1, timescale: 30)

    private static let lossless = {
        var options = MovieReadingOptions()
        options.pace = .lossless
        return options
    }()

    /// A film whose frames are decoded in another order than they are shown, with audio.
    private static func film(_ container: String = "mp4") throws -> String {
        try TestMovies.path(
            "reordered.\(container)",
            ["-f", "lavfi", "-i", "testsrc2=size=160x90:rate=30", "-f", "lavfi", "-i", "sine=sample_rate=48000"]
                + ["-t", "4", "-c:v", "libx264", "-bf", "2", "-g", "30", "-c:a", "aac"])
    }

    /// FFmpeg's hash of the packets of each stream.
    private func hashes(_ path: String) throws -> [String] {
        let text = try Tool.run(
            "ffmpeg", ["-v", "error", "-i", path, "-map", "0", "-c", "copy", "-f", "streamhash", "-hash", "md5", "-"])
        return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private func encoded(_ count: Int, codec: VideoCodec = .h264, width: Int = 160) async throws -> [EncodedFrame] {
        var settings = VideoSettings(codec: codec)
        settings.keyFrameInterval = .milliseconds(333)
        let encoder = try VideoEncoder(settings)
        var frames: [EncodedFrame] = []
        for number in 0..<count {
            let time = MediaTime(value: Int64(number), timescale: 30)
            frames += try await encoder.encode(
                Recordings.frame(number, at: time, duration: Self.frame, width: width))
        }
        return try await frames + encoder.finish()
    }

    private func writer(_ path: String, audio: AudioParameters? = nil) throws -> AssetWriter {
        var options = AssetWriter.Options()
        options.copiesVideo = true
        options.copiedAudio = audio
        return try AssetWriter(path: path, options: options)
    }

    private static func count(_ loop: VideoDataOutput.Frames.Iterator?) async throws -> Int {
        guard var loop else { return 0 }
        var count = 0
        while try await loop.next() != nil { count += 1 }
        return count
    }

    private static func bytes(_ loop: AudioDataOutput.EncodedPackets.Iterator) async throws -> [UInt8] {
        var (loop, bytes) = (loop, [UInt8]())
        while let packet = try await loop.next() { bytes += packet.data }
        return bytes
    }

    // MARK: Films

    @Test(
        "A film is copied packet by packet, also when its frames are reordered",
        arguments: ["mp4", "mkv", "ts", "flv"], ["mp4", "mov", "mkv"])
    func film(container: String, target: String) async throws {
        let film = try Self.film(container)
        let driver = try MovieDriver(film, options: Self.lossless)
        let movie = MovieFileOutput()
        let session = CaptureSession()
        try await session.configure { configuration in
            try configuration.addInput(CaptureDeviceInput(device: CaptureDevice(driver: driver)))
            try configuration.addOutput(movie)
        }
        try await session.start()
        let path = try Recordings.path("copy.\(target)")
        var options = AssetWriter.Options()
        options.copiesVideo = true
        let events = movie.events
        try await movie.startRecording(to: path, options: options)
        let found = try await events.result()
        #expect(found.error == nil && found.reason == .sourceEnded && found.report?.videoFrameCount == 120)
        #expect(found.report?.videoEncoder == nil && found.report?.audioEncoder == nil)
        // What ffmpeg makes of the film, in the same form.
        let reference = try Recordings.path("reference.\(target)")
        _ = try Tool.run("ffmpeg", ["-v", "error", "-i", film, "-c", "copy", reference])
        #expect(try hashes(path) == hashes(reference))
        let times = try Probe(path).frames.compactMap(\.time)
        // A Matroska file begins with the priming of the audio, and has times in milliseconds.
        let first = try #require(times.first).seconds
        #expect(times.count == 120 && (target == "mkv" ? first < 0.022 : first == 0))
        for (number, time) in times.enumerated() {
            #expect(abs(time.seconds - first - Double(number) / 30) < 0.0011)
        }
        try Recordings.expectPlays(path)
        let ledger = session.ledger
        #expect(ledger.inputs.first?.encodedFrames == 120 && ledger.inputs.first?.received == 0)
        #expect(ledger.readers.allSatisfy { $0.frames.isBalanced })
        await session.stop()
    }

    @Test func `A copy begins with the first frame of a live source that was held for it`() async throws {
        let (movie, other) = (MovieFileOutput(), VideoDataOutput())
        movie.maxRecordedDuration = MediaTime(value: 1, timescale: 5)
        let session = CaptureSession()
        let driver = try MovieDriver(Self.film(), options: MovieReadingOptions())
        try await session.configure { configuration in
            try configuration.addInput(CaptureDeviceInput(device: CaptureDevice(driver: driver)))
            try configuration.addOutput(movie)
            try configuration.addOutput(other)
        }
        movie.holdSources()
        try await session.start()
        var options = AssetWriter.Options()
        options.copiesVideo = true
        let events = movie.events
        try await movie.startRecording(to: Recordings.path("copy.mp4"), options: options)
        let found = try await events.result()
        // The key frames are a second apart; the first frame is shown two frames after it is decoded.
        #expect(found.keyFrameWaits.allSatisfy { $0.duration < .milliseconds(500) }, "\(found)")
        #expect(found.report.map { $0.videoFrameCount >= 6 } == true)
        await session.stop()
        // A recording that cannot begin lets the source continue.
        movie.holdSources()
        try await session.start()
        let error = await #expect(throws: ObscuraError.self) {
            try await movie.startRecording(to: Recordings.path("copy.txt"), options: options)
        }
        #expect(error?.domain == .recording)
        var frames = other.frames.makeAsyncIterator()
        #expect(try await frames.next() != nil)
        await session.stop()
    }

    @Test func `A film delivers its compressed frames and audio, beside pixels or alone`() async throws {
        let film = try Self.film()
        for readsPixels in [false, true] {
            let (video, audio) = (VideoDataOutput(latePolicy: .lossless), AudioDataOutput(latePolicy: .lossless))
            let session = CaptureSession()
            let driver = try MovieDriver(film, options: Self.lossless)
            try await session.configure { configuration in
                try configuration.addInput(CaptureDeviceInput(device: CaptureDevice(driver: driver)))
                for output in [video, audio] { try configuration.addOutput(output) }
            }
            var frames = video.encodedFrames(latePolicy: .lossless(4)).makeAsyncIterator()
            let packets = audio.encodedPackets(latePolicy: .lossless(4)).makeAsyncIterator()
            // Only the task of the count uses it.
            nonisolated(unsafe) let pixels = readsPixels ? video.frames.makeAsyncIterator() : nil
            async let pictures = Self.count(pixels)
            async let bytes = Self.bytes(packets)
            try await session.start()
            var all: [EncodedFrame] = []
            while let frame = try await frames.next() { all.append(frame) }
            #expect(try await pictures == (readsPixels ? 120 : 0))
            #expect(all.count == 120 && all.map(\.sequence) == Array(0..<120))
            #expect(all.filter(\.isKeyFrame).count == 4 && all.first?.isKeyFrame == true)
            #expect(all.map(\.decodeTime) == all.map(\.decodeTime).sorted())
            #expect(all.map(\.presentationTime) != all.map(\.decodeTime))
            #expect(all.allSatisfy { $0.parameterSets.starts(with: [0, 0, 0, 1, 0x67]) })
            let units = try Tool.run(
                "ffmpeg",
                ["-v", "error", "-i", film, "-map", "0:v", "-c", "copy", "-bsf:v", "null", "-f", "data", "-"])
            #expect(Data(all.flatMap { AnnexB.lengthPrefixed($0.data) }) == units)
            let sound = try Tool.run(
                "ffmpeg", ["-v", "error", "-i", film, "-map", "0:a", "-c", "copy", "-f", "data", "-"])
            #expect(try await Data(bytes) == sound)
            await session.stop()
        }
    }

    @Test func `A source of pixels cannot be copied, and the error says so`() async throws {
        let film = try TestMovies.path("plain.avi", TestMovies.source() + ["-c:v", "mpeg4"])
        let driver = try MovieDriver(film, options: Self.lossless)
        let movie = MovieFileOutput(audio: nil)
        let session = CaptureSession()
        try await session.configure { configuration in
            try configuration.addInput(CaptureDeviceInput(device: CaptureDevice(driver: driver)))
            try configuration.addOutput(movie)
        }
        var options = AssetWriter.Options()
        options.copiesVideo = true
        let path = try Recordings.path("copy.mp4")
        let early = await #expect(throws: ObscuraError.self) {
            try await movie.startRecording(to: path, options: options)
        }
        #expect(early?.code == .invalidState)
        try await session.start()
        let late = await #expect(throws: ObscuraError.self) {
            try await movie.startRecording(to: path, options: options)
        }
        #expect(late?.code == .unsupportedFormat && late?.reason.contains("cannot be copied") == true)
        #expect(try Recordings.neighbours(path).isEmpty)
        await session.stop()
    }

    // MARK: Frames in memory

    @Test(
        "Frames and audio of encoders are written unchanged",
        arguments: [VideoCodec.h264, .hevc, .mjpeg].filter(\.mayEncodeHere), MovieContainer.allCases)
    func memory(codec: VideoCodec, container: MovieContainer) async throws {
        let frames = try await encoded(60, codec: codec)
        let encoder = try AudioEncoder()
        var packets: [EncodedAudio] = []
        for number in 0..<60 {
            packets += try await encoder.encode(Recordings.tone(from: number * 1600, count: 1600))
        }
        packets += try await encoder.finish()
        let path = try Recordings.path("movie.\(container.rawValue)")
        let writer = try writer(path, audio: encoder.parameters)
        try writer.startSession(at: .zero)
        for packet in packets.prefix(10) { try await writer.append(.encodedAudio(packet)) }
        for frame in frames { try await writer.append(.encodedVideo(frame)) }
        for packet in packets.dropFirst(10) { try await writer.append(.encodedAudio(packet)) }
        let report = try await writer.finish()
        #expect(report.videoFrameCount == 60 && abs(report.duration.seconds - 2) < 0.05)
        try Recordings.expectPlays(path)
        let sound = try Tool.run("ffmpeg", ["-v", "error", "-i", path, "-map", "0:a", "-c", "copy", "-f", "data", "-"])
        #expect(sound == Data(packets.flatMap(\.data)))
        let picture = try Tool.run(
            "ffmpeg", ["-v", "error", "-i", path, "-map", "0:v", "-c", "copy", "-f", "data", "-"])
        let own = codec == .mjpeg ? frames.flatMap(\.data) : frames.flatMap { AnnexB.lengthPrefixed($0.data) }
        #expect(picture == Data(own))
        // A Matroska file begins with the priming of the audio, and has times in milliseconds.
        let times = try Probe(path).frames.compactMap(\.time?.seconds)
        let first = try #require(times.first)
        for (time, frame) in zip(times, frames) {
            #expect(abs(time - first - frame.presentationTime.seconds) < (container == .mkv ? 0.0011 : 0.000_02))
        }
    }

    @Test func `Parts begin with key frames, and have each frame once`() async throws {
        let frames = try await encoded(60)
        let path = try Recordings.path("part0.mp4")
        let parts = Lock<[AssetWriter.Report]>([])
        let waits = Lock<[KeyFrameWait]>([])
        var options = AssetWriter.Options()
        options.copiesVideo = true
        options.onPart = { result in parts.withLock { $0 += [try? result.get()].compactMap(\.self) } }
        options.onKeyFrameWait = { wait in waits.withLock { $0.append(wait) } }
        let writer = try AssetWriter(path: path, options: options)
        try writer.startSession(at: .zero)
        for (number, frame) in frames.enumerated() {
            if number == 15 { try writer.split(to: path.replacingOccurrences(of: "part0", with: "part1")) }
            try await writer.append(.encodedVideo(frame))
        }
        let last = try await writer.finish()
        let reports = parts.withLock { $0 } + [last]
        let key = try #require(frames.indices.first { $0 >= 15 && frames[$0].isKeyFrame })
        #expect(reports.map(\.videoFrameCount) == [key, 60 - key])
        #expect(waits.withLock { $0.map(\.end) } == [frames[key].presentationTime])
        for report in reports {
            try Recordings.expectPlays(report.path)
            #expect(try Probe(report.path).frames.first?.isKey == true)
        }
    }

    // MARK: Bad input

    @Test func `Frames before the first key frame are skipped`() async throws {
        let frames = try await encoded(40)
        let second = try #require(frames.indices.first { $0 > 0 && frames[$0].isKeyFrame })
        let path = try Recordings.path("movie.mp4")
        let writer = try writer(path)
        try writer.startSession(at: .zero)
        for frame in frames.dropFirst() { try await writer.append(.encodedVideo(frame)) }
        let report = try await writer.finish()
        #expect(report.skippedFrameCount == second - 1 && report.videoFrameCount == 40 - second)
        try Recordings.expectPlays(path)
    }

    @Test(
        "A stream that changes ends the movie, and what was written stays", arguments: ["size", "sets", "codec", "raw"])
    func change(what: String) async throws {
        let frames = try await encoded(20)
        let other: MediaSample
        switch what {
        case "size": other = .encodedVideo(try #require(try await encoded(1, width: 320).first))
        case "codec": other = .encodedVideo(try #require(try await encoded(1, codec: .mjpeg).first))
        case "raw": other = .video(try Recordings.frame(0, at: .zero))
        default:
            let key = try #require(frames.first)
            // Another level in the sequence parameter set.
            var data = key.data
            let set = try #require(data.firstIndex(of: 0x67))
            data[set + 3] ^= 1
            other = .encodedVideo(
                EncodedFrame(
                    format: .h264, data: data, width: 160, height: 90, isKeyFrame: true,
                    presentationTime: MediaTime(value: 1, timescale: 1), hostTime: .now))
        }
        let path = try Recordings.path("movie.mp4")
        let writer = try writer(path)
        try writer.startSession(at: .zero)
        for frame in frames { try await writer.append(.encodedVideo(frame)) }
        let error = await #expect(throws: ObscuraError.self) {
            try await writer.append(other)
            try await writer.finish()
        }
        guard what != "raw" else {
            // It is rejected at once, and the movie goes on.
            #expect(error?.code == .invalidState)
            #expect(try await writer.finish().videoFrameCount == 20)
            return
        }
        #expect(error?.code == .formatChanged, "\(String(describing: error))")
        let usable = try #require(error?.usableFile)
        #expect(try Probe(usable).frames.count == 20)
    }

    @Test func `A key frame without parameter sets is refused`() async throws {
        let key = try #require(try await encoded(1).first)
        let units: [[UInt8]] = AnnexB.units(in: key.data).filter { $0[0] & 0x1f == 5 }
        let slices: [UInt8] = units.flatMap { [0, 0, 0, 1] + $0 }
        let bare = EncodedFrame(
            format: .h264, data: slices, width: 160, height: 90, isKeyFrame: true, presentationTime: .zero,
            hostTime: .now)
        let path = try Recordings.path("movie.mp4")
        let writer = try writer(path)
        try writer.startSession(at: .zero)
        let error = await #expect(throws: ObscuraError.self) {
            try await writer.append(.encodedVideo(bare))
            try await writer.finish()
        }
        #expect(error?.code == .unsupportedFormat && error?.reason.contains("no parameter sets") == true)
        #expect(try Recordings.neighbours(path).isEmpty)
        // With the sets beside it, it can be written.
        var complete = bare
        complete.parameterSets = ParameterSets(in: key.data, of: .h264).byteStream
        let second = try self.writer(path)
        try second.startSession(at: .zero)
        try await second.append(.encodedVideo(complete))
        #expect(try await second.finish().videoFrameCount == 1)
        try Recordings.expectPlays(path)
    }

    @Test func `Times out of order do not lose frames that others need`() async throws {
        let frames = try await encoded(30)
        let path = try Recordings.path("movie.mp4")
        let writer = try writer(path)
        try writer.startSession(at: .zero)
        for (number, var frame) in frames.enumerated() {
            // Every third frame is a little earlier than the one before it.
            if number % 3 == 2 {
                frame.presentationTime = frame.presentationTime - MediaTime(value: 2, timescale: 30)
                frame.decodeTime = frame.presentationTime
            }
            try await writer.append(.encodedVideo(frame))
        }
        let report = try await writer.finish()
        #expect(report.videoFrameCount == 30 && report.skippedFrameCount == 0)
        let times = try Probe(path).frames.compactMap(\.time)
        #expect(times == times.sorted() && Set(times).count == 30)
    }

    @Test func `Lengths that exceed the data are damage`() {
        #expect(AnnexB.byteStream(lengthPrefixed: [0, 0, 0, 2, 0x65, 1], lengthSize: 4) == [0, 0, 0, 1, 0x65, 1])
        #expect(
            AnnexB.byteStream(lengthPrefixed: [2, 0x65, 1, 1, 9], lengthSize: 1) == [
                0, 0, 0, 1, 0x65, 1, 0, 0, 0, 1, 9,
            ])
        #expect(AnnexB.byteStream(lengthPrefixed: [0, 0, 0, 3, 0x65, 1], lengthSize: 4) == nil)
        #expect(AnnexB.byteStream(lengthPrefixed: [0xff, 0xff, 0xff, 0xff, 0x65], lengthSize: 4) == nil)
        #expect(AnnexB.byteStream(lengthPrefixed: [0, 0, 0], lengthSize: 4) == nil)
        #expect(AnnexB.byteStream(lengthPrefixed: [], lengthSize: 4) == [])
    }
}
