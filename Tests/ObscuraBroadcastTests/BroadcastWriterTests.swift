// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraBase
import ObscuraCapture
import ObscuraMedia
import ObscuraMovies
import TestSupport
import Testing

@testable import ObscuraBroadcast

/// Broadcasts to files, whose every picture can be looked at.
@Suite(.hangLimit) struct BroadcastWriterTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "broadcast-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path }

    /// The numbers that the pictures show.
    private func numbers(_ path: String) throws -> [UInt64] {
        let reader = try MovieReader(path)
        var numbers: [UInt64] = []
        while let frame = try reader.nextFrame() {
            numbers.append(try #require(PatternScene.readSequence(of: frame.buffer)))
        }
        return numbers
    }

    private func broadcast(to destinations: [BroadcastDestination], frames: Int) async throws -> BroadcastStatistics {
        // Pictures come faster than in time: what waits is old at once.
        var settings = BroadcastSettings()
        settings.queueLimit = .seconds(60)
        let output = BroadcastOutput(settings: settings)
        let session = CaptureSession()
        try await session.configure { configuration in
            // As fast as they are taken, so that no machine is too busy for a frame.
            let camera = PatternDriver(
                size: PixelSize(width: 320, height: 180), frameRate: FrameRate(30), isLive: false)
            try configuration.addInput(CaptureDeviceInput(device: CaptureDevice(driver: camera)))
            try configuration.addInput(CaptureDeviceInput(device: CaptureDevice(driver: ToneDriver(isLive: false))))
            try configuration.addOutput(output)
        }
        let events = output.events
        try output.startBroadcast(to: destinations)
        #expect(output.isBroadcasting)
        try await session.start()
        let watch = VideoDataOutput(name: "watch")
        try await session.configure { try $0.addOutput(watch) }
        for try await _ in watch.frames where (output.statistics?.encodedFrames ?? 0) >= frames { break }
        let statistics = try #require(await output.stopBroadcast())
        #expect(!output.isBroadcasting)
        await session.stop()
        for await event in events {
            if case .finished(let error) = event {
                #expect(error == nil)
                break
            }
        }
        return statistics
    }

    @Test func `A movie and HLS get every picture of one encoder`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let destinations = try [path("movie.mp4"), path("hls/live.m3u8")].map { try BroadcastDestination($0) }
        let statistics = try await broadcast(to: destinations, frames: 75)
        #expect(statistics.lateFrames == 0 && statistics.encodedFrames >= 75)
        #expect(statistics.size == PixelSize(width: 320, height: 180) && statistics.videoEncoder != nil)
        for one in statistics.destinations {
            #expect(one.state == .ended && one.droppedFrames == 0 && one.sentFrames == statistics.encodedFrames)
        }
        let shown = try numbers(path("movie.mp4"))
        #expect(shown.count == statistics.encodedFrames)
        #expect(shown == Array((shown.first ?? 0)..<((shown.first ?? 0) + UInt64(shown.count))))
        let probe = try Probe(path("movie.mp4"))
        // A key frame each second.
        let keys = probe.frames.enumerated().filter(\.element.isKey).map(\.offset)
        #expect(keys == Array(stride(from: 0, to: statistics.encodedFrames, by: 30)))
        #expect(try Tool.complaints(playing: path("movie.mp4")).isEmpty)
        #expect(try Tool.complaints(playing: path("hls/live.m3u8")).isEmpty)
        let list = try String(contentsOfFile: path("hls/live.m3u8"), encoding: .utf8)
        #expect(list.contains("live-media.m3u8") && list.contains("avc1.") && list.contains("RESOLUTION=320x180"))
        let media = try String(contentsOfFile: path("hls/live-media.m3u8"), encoding: .utf8)
        // One segment for each key frame. The first ones leave the list if the test is late to stop.
        let last = String(1_000_000 + keys.count - 1).dropFirst()
        #expect(media.contains("#EXT-X-ENDLIST") && media.contains("live-\(last).m4s"))
    }

    @Test func `A film is broadcast with all of its sound, also that after its last picture`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        // Sound that is decoded faster than encoded, so that much of it waits when the film ends.
        let film = try TestMovies.path(
            "longer-sound.mov",
            TestMovies.source(seconds: "1") + [
                "-f", "lavfi", "-i", "sine=r=48000:d=3", "-c:v", "mjpeg", "-c:a", "pcm_s16le",
            ])
        var reading = MovieReadingOptions()
        reading.pace = .lossless
        var settings = BroadcastSettings()
        settings.queueLimit = .seconds(60)
        let output = BroadcastOutput(settings: settings)
        let session = try await CaptureSession.of(MovieDriver(film, options: reading), [output])
        let events = output.events
        try output.startBroadcast(to: [BroadcastDestination(path("movie.mp4"))])
        try await session.start()
        for await event in events {
            guard case .finished(let error) = event else { continue }
            #expect(error == nil)
            break
        }
        await session.stop()
        #expect(try Probe(path("movie.mp4")).frames.count == 25)
        let packets = try Tool.run(
            "ffprobe",
            [
                "-v", "error", "-select_streams", "a:0", "-count_packets", "-show_entries", "stream=nb_read_packets",
                "-of", "default=nk=1:nw=1", path("movie.mp4"),
            ])
        let count = try #require(Int(String(decoding: packets, as: UTF8.self).filter(\.isNumber)))
        // The last one is not full.
        #expect(count >= 3 * 48000 / 1024 + 1)
    }

    @Test func `A destination that cannot be is told, and the others go on`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("x".utf8).write(to: folder.appending(path: "file"))
        let destinations = try [path("file/in/it.mp4"), path("movie.mp4")].map { try BroadcastDestination($0) }
        let statistics = try await broadcast(to: destinations, frames: 10)
        #expect(statistics.destinations.map(\.state) == [.failed, .ended])
        #expect(statistics.destinations[0].lastError?.code == .notWritable)
        #expect(try numbers(path("movie.mp4")).count == statistics.encodedFrames)
        #expect(try String(contentsOfFile: path("file"), encoding: .utf8) == "x")
    }

    @Test func `A file that cannot get its name is refused before anything is sent`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["there.mp4", "left.recording.mp4"] {
            try Data("x".utf8).write(to: folder.appending(path: name))
        }
        for name in ["folder.mp4", "list.m3u8"] {
            try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: false)
        }
        func refusal(_ name: String, overwrites: Bool = false) throws -> ObscuraError? {
            var destination = try BroadcastDestination(path(name))
            destination.overwrites = overwrites
            do throws(ObscuraError) {
                _ = try BroadcastWriter(to: [destination])
                return nil
            } catch {
                return error
            }
        }
        let there = try refusal("there.mp4")
        #expect(there?.code == .fileExists && there?.remedy == .allowOverwriting)
        #expect(try refusal("there.mp4", overwrites: true) == nil)
        #expect(try refusal("left.mp4", overwrites: true)?.remedy == .recoverMovie(path("left.recording.mp4")))
        #expect(try refusal("folder.mp4", overwrites: true)?.reason == "it is a folder, not a file")
        #expect(try refusal("list.m3u8")?.reason == "it is a folder, not a file")
        #expect(try refusal("new.mp4") == nil)
    }

    @Test func `When nobody is left to send to, it ends, and says why`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("x".utf8).write(to: folder.appending(path: "file"))
        let writer = try BroadcastWriter(to: [BroadcastDestination(path("file/in/it.mp4"))])
        let events = writer.events
        var picture = VideoFrame(
            buffer: try PixelBuffer(format: .i420, width: 64, height: 64), presentationTime: .zero,
            hostTime: .now, sequence: 0)
        try await writer.append(picture)
        for await event in events {
            guard case .finished(let error) = event else { continue }
            #expect(error?.code == .notWritable)
            break
        }
        picture.presentationTime = MediaTime(value: 1, timescale: 30)
        #expect(throws: ObscuraError.self) { try writer.tryAppend(picture) }
        let statistics = await writer.finish()
        #expect(statistics.destinations.map(\.state) == [.failed])
        #expect(throws: ObscuraError.self) { try writer.tryAppend(picture) }
    }

    @Test func `An end that is under way is waited for, until it is told`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (writing, returned) = (Watched<BroadcastWriter?>(nil), Watched(false))
        let returnedEarly = Lock<Bool?>(nil)
        let writer = try BroadcastWriter(
            to: [BroadcastDestination(path("movie.mp4"))], settings: BroadcastSettings(), hasVideo: true,
            metrics: DeliveryMetrics(output: "broadcast"), listeners: EventListeners(),
            announce: { event in
                guard case .finished = event, let writer = writing.value else { return }
                let second = Lock(false)
                Task {
                    await writer.finish()
                    second.withLockSignalling { $0 = true }
                    returned.change { $0 = true }
                }
                let isEarly = second.wait(until: .now + .milliseconds(300)) { $0 ? true : nil }
                returnedEarly.withLock { $0 = isEarly ?? false }
            })
        writing.change { $0 = writer }
        await writer.finish()
        #expect(await returned.reaches { $0 })
        #expect(returnedEarly.withLock { $0 } == false)
        writing.change { $0 = nil }
    }

    /// A writer that was ended with frames, and that gave its encoder and its live destinations no more time.
    private func endedWithoutPatience(to name: String, frames: Int64) async throws -> BroadcastWriter {
        let writer = try BroadcastWriter(
            to: [BroadcastDestination(path(name))], settings: BroadcastSettings(), hasVideo: true,
            metrics: DeliveryMetrics(output: "broadcast"), patience: .zero, listeners: EventListeners(),
            announce: { _ in })
        let picture = try PixelBuffer(format: .i420, width: 1280, height: 720)
        for number in 0..<frames {
            try await writer.append(
                VideoFrame(
                    buffer: picture, presentationTime: MediaTime(value: number, timescale: 30), hostTime: .now,
                    sequence: UInt64(number)))
        }
        await writer.finish()
        return writer
    }

    @Test func `A movie gets every appended frame, however slow the encoder is`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let statistics = try await endedWithoutPatience(to: "movie.mp4", frames: 8).statistics
        #expect(statistics.encodedFrames == 8 && statistics.lateFrames == 0)
        #expect(statistics.destinations.map(\.sentFrames) == [8] && statistics.destinations.map(\.state) == [.ended])
        #expect(try Probe(path("movie.mp4")).frames.count == 8)
    }

    @Test func `Frames that a broadcast does not encode or send before its end are counted`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let writer = try await endedWithoutPatience(to: "hls/live.m3u8", frames: 8)
        // The encoder finishes its current frame. A destination that ended before it has failed, and gets no frame any more.
        let isComplete = await becomes {
            let statistics = writer.statistics
            let sent = statistics.destinations[0]
            let counted = sent.sentFrames + sent.droppedFrames
            return statistics.encodedFrames + statistics.lateFrames == 8
                && (counted == statistics.encodedFrames || counted == 0 && sent.state == .failed)
        }
        #expect(isComplete, "\(writer.statistics)")
    }

    @Test func `Audio that finds no room is counted`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var settings = BroadcastSettings()
        settings.queueLimit = .seconds(60)
        let writer = try BroadcastWriter(
            to: [BroadcastDestination(path("hls/live.m3u8"))], settings: settings, hasVideo: false)
        let format = AudioFormat(sampleRate: 48000, channelCount: 2)
        let samples = [Float](repeating: 0.1, count: 480 * 2)
        var (dropped, number): (Int, Int64) = (0, 0)
        // Faster than any encoder.
        while dropped < 3 {
            let buffer = AudioBuffer(
                format: format, samples: .float32(samples), presentationTime: MediaTime(value: number, timescale: 100),
                hostTime: .now, position: UInt64(480 * number))
            if try !writer.tryAppend(buffer) { dropped += 1 }
            number += 1
        }
        let statistics = await writer.finish()
        #expect(statistics.lateAudioBuffers == 3 && statistics.lateFrames == 0)
    }

    @Test func `Copied frames that a destination does not support are its failure`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var settings = BroadcastSettings()
        settings.copiesVideo = true
        let writer = try BroadcastWriter(to: [BroadcastDestination(path("movie.mp4"))], settings: settings)
        try await writer.append(
            .encodedVideo(
                EncodedFrame(
                    format: .mjpeg, data: CameraJPEG.progressive, width: 24, height: 16, isKeyFrame: true,
                    presentationTime: .zero, hostTime: .now)))
        let statistics = await writer.finish()
        #expect(statistics.destinations.map(\.state) == [.failed])
        #expect(statistics.destinations.map(\.lastError?.code) == [.invalidSettings])
    }

    @Test func `A broadcast without frames has failed for each destination, and says why`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let destinations = try [path("movie.mp4"), "rtmp://127.0.0.1:1/app/key"].map { try BroadcastDestination($0) }
        let writer = try BroadcastWriter(to: destinations)
        let statistics = await writer.finish()
        #expect(statistics.destinations.map(\.state) == [.failed, .failed])
        #expect(statistics.destinations.map(\.lastError?.code) == [.invalidState, .invalidState])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test func `Settings that make no sense are refused`() throws {
        let destination = try BroadcastDestination(path("x.mp4"))
        func refuses(_ change: (inout BroadcastSettings) -> Void) -> Bool {
            var settings = BroadcastSettings()
            change(&settings)
            do throws(ObscuraError) {
                _ = try BroadcastWriter(to: [destination], settings: settings)
                return false
            } catch {
                return error.code == .invalidSettings
            }
        }
        #expect(!refuses { _ in })
        #expect(refuses { $0.video.codec = .mjpeg })
        #expect(refuses { $0.audio?.codec = .opus })
        #expect(refuses { $0.video.bitRate = 1 })
        #expect(refuses { $0.lowestBitRate = 0 })
        #expect(refuses { $0.queueLimit = .milliseconds(10) })
        #expect(refuses { $0.connectTimeout = .zero })
        #expect(refuses { $0.segmentCount = 1 })
        #expect(refuses { $0.trustedCertificates = path("nowhere.pem") })
        #expect(refuses { $0.segmentDuration = .seconds(100) })
        #expect(throws: ObscuraError.self) { try BroadcastOutput().startBroadcast(to: [destination]) }
    }
}
