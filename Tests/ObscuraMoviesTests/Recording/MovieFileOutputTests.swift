// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraCapture
import ObscuraMedia
import ObscuraMovies
import TestSupport
import Testing

@Suite(.hangLimit) struct MovieFileOutputTests {
    static let small = PixelSize(width: 350, height: 96)

    func session(
        _ output: MovieFileOutput, camera: (any CaptureDriver)? = nil, microphone: (any CaptureDriver)? = nil
    ) async throws -> CaptureSession {
        let session = CaptureSession()
        try await session.configure { configuration in
            for driver in [camera, microphone].compactMap(\.self) {
                try configuration.addInput(CaptureDeviceInput(device: CaptureDevice(driver: driver)))
            }
            try configuration.addOutput(output)
        }
        return session
    }

    /// A camera whose frames come as fast as they are taken, unless it is live.
    func pattern(name: String = "pattern", size: PixelSize = small, isLive: Bool = false) -> PatternDriver {
        PatternDriver(size: size, frameRate: FrameRate(30), isLive: isLive, name: name)
    }

    /// The numbers that the pictures of a movie show, and their times.
    private func pictures(_ path: String) throws -> (numbers: [UInt64], times: [Double]) {
        let reader = try MovieReader(path)
        var (numbers, times): ([UInt64], [Double]) = ([], [])
        while let frame = try reader.nextFrame() {
            numbers.append(try #require(PatternScene.readSequence(of: frame.buffer)))
            times.append(frame.presentationTime.seconds)
        }
        return (numbers, times)
    }

    func expectPlays(_ path: String) throws {
        let complaints = try Tool.complaints(playing: path)
        #expect(complaints.isEmpty, "\(complaints)")
    }

    /// Waits until so much is recorded: looks at each frame of the session that comes.
    func reaches(_ output: MovieFileOutput, _ seconds: Double, _ session: CaptureSession) async throws -> Bool {
        let (pictures, sound) = (VideoDataOutput(name: "watch"), AudioDataOutput(name: "watch"))
        try await session.configure { configuration in
            try configuration.addOutput(pictures)
            try configuration.addOutput(sound)
        }
        let isReached = { output.recordedDuration.seconds >= seconds }
        if sound.connection.input != nil, pictures.connection.input == nil {
            for try await _ in sound.buffers where isReached() || !output.isRecording { break }
        } else {
            for try await _ in pictures.frames where isReached() || !output.isRecording { break }
        }
        try await session.configure { configuration in
            configuration.removeOutput(pictures)
            configuration.removeOutput(sound)
        }
        return isReached()
    }

    /// The pattern of a camera with a make and a model.
    private struct NamedCamera: CaptureDriver {
        var pattern: PatternDriver
        var uniqueID: String { pattern.uniqueID }
        var localizedName: String { "Pinhole 2" }
        var manufacturer: String? { "Acme" }
        var modelID: String? { "1234:5678" }
        var formats: [VideoFormat] { pattern.formats }
        var isLive: Bool { pattern.isLive }

        func makeRun(
            _ request: RunRequest, sink: any CaptureSink, clock: any CaptureClock
        ) -> any CaptureRun {
            pattern.makeRun(request, sink: sink, clock: clock)
        }
    }

    @Test("A movie has the camera and the date of its first frame; one of a source that is not live has no date")
    func metadata() async throws {
        func record(_ name: String, isLive: Bool) async throws -> Metadata {
            let output = MovieFileOutput()
            output.maxRecordedDuration = MediaTime(value: 1, timescale: 10)
            let session = try await session(output, camera: NamedCamera(pattern: pattern(isLive: isLive)))
            let path = try Recordings.path(name)
            try await output.startRecording(to: path)
            let events = output.events
            try await session.start()
            for await case .finished in events { break }
            await session.stop()
            return try MovieContents.read(path).metadata
        }
        let before = WallTime.now
        let live = try await record("live-metadata.mp4", isLive: true)
        #expect(live.make == "Acme" && live.model == "Pinhole 2")
        let date = try #require(live.date)
        #expect(date.nanosecondsSince1970 >= before.nanosecondsSince1970 - 1_000_000)
        #expect(date.nanosecondsSince1970 <= WallTime.now.nanosecondsSince1970)
        let film = try await record("film-metadata.mp4", isLive: false)
        #expect(film.date == nil && film.software == "Obscura \(ObscuraBuild.version)")
    }

    @Test("A live recording has every picture once, sound of the same length, and beeps where it flashes")
    func live() async throws {
        let output = MovieFileOutput()
        let session = try await session(output, camera: pattern(isLive: true), microphone: ToneDriver())
        try await session.start()
        let path = try Recordings.path("live.mp4")
        try await output.startRecording(to: path)
        #expect(output.isRecording && session.ledger.destinations.map(\.isActive) == [true])
        // In the long form ten minutes, at whose end beep and flash must still belong together.
        #expect(try await reaches(output, isLongForm ? 600 : 2.5, session))
        let result = try #require(await output.stopRecording())
        await session.stop()
        #expect(result.reason == .stopped && result.isUsable && result.error == nil && result.path == path)
        try expectPlays(path)
        let movie = try pictures(path)
        try expectEvery(movie.numbers, session)
        #expect(abs((movie.times.last ?? 0) - result.duration.seconds) < 0.05)
        #expect(result.cameraSwitches.isEmpty)
        // Everything that was written, and nothing else.
        let delivery = result.delivery
        #expect(delivery.video[.written]?.count == movie.numbers.count)
        #expect(delivery.video[.encoded]?.count == movie.numbers.count && delivery.video[.sent] == nil)
        let packets = try Tool.run(
            "ffprobe",
            [
                "-v", "error", "-select_streams", "a:0", "-count_packets", "-show_entries", "stream=nb_read_packets",
                "-of", "csv=p=0", path,
            ])
        let count = String(decoding: packets, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(delivery.audio[.written].map { "\($0.count)" } == count)
        let (encoded, written) = (try #require(delivery.video[.encoded]), try #require(delivery.video[.written]))
        #expect(encoded.p50 > 0 && encoded.p50 <= written.p50 && written.p50 <= written.p99)
        let destination = try #require(session.ledger.destinations.first)
        #expect(destination.name == path && destination.output == "movie" && !destination.isActive)
        #expect(destination.delivery == delivery && session.ledger.destinations.count == 1)
        // A picture lasts 33 ms, and the flash begins in the nearest. A machine that is too busy for a beep or a flash
        // has none beside the other.
        let pairs = try FlashesAndBeeps(path).pairs
        #expect(pairs.count >= 2 && pairs.allSatisfy { $0.error < 0.02 }, "\(pairs)")
        // At its beginning and at its end.
        let (first, last) = (try #require(pairs.first).flash, try #require(pairs.last).flash)
        #expect(first < 3 && last > result.duration.seconds - 3, "\(first), \(last)")
    }

    /// Expects every picture once, but for those that a busy machine had no time for, which are counted.
    private func expectEvery(_ numbers: [UInt64], _ session: CaptureSession) throws {
        let (first, last) = (try #require(numbers.first), try #require(numbers.last))
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
        let books = try #require(session.ledger.readers.first { $0.name.hasPrefix("movie delegate") }).frames
        #expect(books.isBalanced && Int(last - first) + 1 - numbers.count <= Int(books.dropped.total))
    }

    @Test("A pause is left out, and the movie goes on without a gap")
    func pause() async throws {
        let output = MovieFileOutput(audio: nil)
        let session = try await session(output, camera: pattern())
        var events = output.events.makeAsyncIterator()
        try await session.start()
        let path = try Recordings.path("pause.mkv")
        try await output.startRecording(to: path)
        #expect(await events.next() == .started(path: path))
        #expect(try await reaches(output, 0.5, session))
        output.pauseRecording()
        #expect(await events.next() == .paused)
        let paused = output.recordedDuration
        // Frames that come meanwhile do not count.
        let watch = VideoDataOutput(name: "watch")
        try await session.configure { try $0.addOutput(watch) }
        var frames = watch.frames.makeAsyncIterator()
        for _ in 0..<5 { _ = try await frames.next() }
        #expect(output.recordedDuration == paused)
        output.resumeRecording()
        #expect(await events.next() == .resumed)
        #expect(await events.next() == .started(path: path))
        #expect(try await reaches(output, paused.seconds + 0.5, session))
        let result = try #require(await output.stopRecording())
        await session.stop()
        let movie = try pictures(path)
        for (earlier, later) in zip(movie.times, movie.times.dropFirst()) { #expect(later - earlier < 0.1) }
        #expect(movie.numbers == movie.numbers.sorted() && Set(movie.numbers).count == movie.numbers.count)
        #expect(abs(result.duration.seconds - (movie.times.last ?? 0)) < 0.1)
        try expectPlays(path)
    }

    @Test("The limit of length is kept within a frame, and told as the reason")
    func maximumDuration() async throws {
        let output = MovieFileOutput(audio: nil)
        output.maxRecordedDuration = MediaTime(value: 700, timescale: 1000)
        let session = try await session(output, camera: pattern())
        try await session.start()
        let path = try Recordings.path("limit.mp4")
        let events = output.events
        try await output.startRecording(to: path)
        let result = try await events.result()
        await session.stop()
        #expect(result.reason == .maximumDuration && result.duration == MediaTime(value: 700, timescale: 1000))
        let info = try MovieInfo.read(path)
        #expect(abs((info.duration?.seconds ?? 0) - 0.7) <= 1.0 / 30)
        #expect(await output.stopRecording() == result)
    }

    @Test("Up to the limit of length no frame is missing", arguments: [nil, AudioSettings()])
    func everyFrameToTheLimit(audio: AudioSettings?) async throws {
        let output = MovieFileOutput(audio: audio)
        output.maxRecordedDuration = MediaTime(value: 700, timescale: 1000)
        let camera = PatternDriver(size: Self.small, frameRate: FrameRate(30), isLive: false)
        let session = try await session(
            output, camera: camera, microphone: audio.map { _ in ToneDriver(isLive: false) })
        let events = output.events
        try await output.startRecording(to: try Recordings.path("whole.mp4"))
        try await session.start()
        let result = try await events.result()
        #expect(result.reason == .maximumDuration && result.report?.videoFrameCount == 21, "\(result)")
        await session.stop()
    }

    @Test("Split at any moment, the parts together have every picture once, and each plays")
    func split() async throws {
        let output = MovieFileOutput(audio: nil)
        // As fast as it is taken, so that no machine is too busy for a picture.
        let camera = PatternDriver(size: Self.small, frameRate: FrameRate(30), isLive: false)
        let session = try await session(output, camera: camera)
        try await session.start()
        let (count, length) = isLongForm ? (60, 1.0) : (4, 0.4)
        let paths = try (1...count).map { try Recordings.path("part\($0).mp4") }
        try await output.startRecording(to: paths[0])
        var events = output.events.makeAsyncIterator()
        for index in 1..<count {
            #expect(try await reaches(output, length * Double(index), session))
            try output.splitRecording(to: paths[index])
            // The next one is asked for when this one is done.
            while let event = await events.next() {
                if case .finishedPart(let part) = event, part.path == paths[index - 1] { break }
            }
        }
        #expect(try await reaches(output, length * Double(count), session))
        let result = try #require(await output.stopRecording())
        await session.stop()
        #expect(result.path == paths[count - 1])
        var numbers: [UInt64] = []
        for path in paths {
            try expectPlays(path)
            numbers += try pictures(path).numbers
        }
        let first = try #require(numbers.first)
        #expect(numbers == numbers.indices.map { first + UInt64($0) })
    }

    @Test("A switch of cameras does not end it: the new picture is fitted to the movie's size")
    func switchOfCameras() async throws {
        let output = MovieFileOutput(audio: nil)
        let session = try await session(output, camera: pattern(name: "one"))
        try await session.start()
        let path = try Recordings.path("switch.mp4")
        try await output.startRecording(to: path)
        #expect(try await reaches(output, 0.5, session))
        let old = try #require(session.inputs.first)
        let other = try CaptureDeviceInput(
            device: CaptureDevice(driver: pattern(name: "two", size: PixelSize(width: 200, height: 200))))
        try await session.configure { try $0.replaceInput(old, with: other) }
        #expect(try await reaches(output, 1.2, session))
        let result = try #require(await output.stopRecording())
        await session.stop()
        #expect(result.reason == .stopped && result.error == nil)
        try expectPlays(path)
        let info = try MovieInfo.read(path)
        #expect(info.format.width == 350 && info.format.height == 96)
        let found = try #require(result.cameraSwitches.first)
        #expect(result.cameraSwitches.count == 1 && found.camera == other.device.localizedName)
        #expect(found.time.seconds >= 0.5 && found.time < result.duration, "\(found)")
    }

    @Test func `A trace with a disconnection, a stall and a jump of the clock gives the same movie each time`()
        async throws
    {
        let size = PixelSize(width: 350, height: 96)
        let scene = try PatternScene(size: size)
        var script: [ReplayEvent] = []
        for number in 0..<40 {
            let time = Duration.milliseconds(33 * number + 33)
            switch number {
            case 10: script.append(ReplayEvent(at: time, .unplug))
            case 20: script.append(ReplayEvent(at: time, .stall))
            case 30: script.append(ReplayEvent(at: time, .clockJump(.milliseconds(700))))
            default:
                let picture = try scene.draw(sequence: UInt64(number), time: MediaTime(time))
                script.append(ReplayEvent(at: time, .frame(picture)))
            }
        }
        script.append(ReplayEvent(at: .seconds(2), .end))
        let camera = ReplayDriver(
            formats: [VideoFormat(pixelFormat: .i420, width: 350, height: 96, frameRate: FrameRate(30))], script: script
        )
        let path = try Recordings.path("session.trace")
        let clock = ManualClock(now: .now)
        let output = VideoDataOutput(latePolicy: .bounded(100))
        let session = try await CaptureSession.of(camera, [output], clock: clock)
        let trace = try session.trace(to: path)
        var frames = output.frames.makeAsyncIterator()
        try await session.start()
        #expect(clock.nextDeadline(within: waitLimit) != nil)
        clock.advance(by: .seconds(3))
        while try await frames.next() != nil {}
        try await trace.finish()
        await session.stop()
        var first: (bytes: Data, events: [String], frames: ReaderLedger)?
        for _ in 0..<(isLongForm ? 100 : 5) {
            let movie = MovieFileOutput()
            let session = try await CaptureSession.of(ReplayDriver(trace: path, isLive: false), [movie])
            let events = EventRecord(session)
            let target = try Recordings.path("replay.mp4")
            let recording = movie.events
            try await movie.startRecording(to: target)
            try await session.start()
            let result = try await recording.result()
            #expect(result.error == nil && result.report?.videoFrameCount == 37, "\(result)")
            #expect(await becomes { events.all.last == "stopped" })
            let ledger = try #require(session.ledger.readers.first { $0.output == "movie" }).frames
            let bytes = try Data(contentsOf: URL(fileURLWithPath: target))
            if let first {
                #expect(bytes == first.bytes && events.all == first.events && ledger == first.frames)
            } else {
                first = (bytes, events.all, ledger)
                #expect(events.all.count == 6 && ledger.offered == 37 && ledger.dropped.total == 0)
            }
        }
    }

    @Test("Stopping the session ends the movie, with what had come; taking the output away as well")
    func sessionStop() async throws {
        for removes in [false, true] {
            let output = MovieFileOutput(audio: nil)
            let session = try await session(output, camera: pattern())
            try await session.start()
            let path = try Recordings.path("stop.mp4")
            try await output.startRecording(to: path)
            #expect(try await reaches(output, 0.4, session))
            let events = output.events
            if removes {
                try await session.configure { $0.removeOutput(output) }
            } else {
                await session.stop()
            }
            let result = try await events.result()
            #expect(result.reason == .sessionStopped && result.isUsable)
            await session.stop()
            #expect(try pictures(path).numbers.count >= 8)
        }
    }

    @Test("A camera that goes for good ends it, with its reason; the file plays")
    func cameraGone() async throws {
        let picture = try PatternScene(size: Self.small).draw(sequence: 1, time: .zero)
        let gone = ObscuraError(.capture, .deviceDisconnected, subject: "camera", reason: "it was unplugged")
        let script =
            ReplayEvent.frames(20, of: picture, at: FrameRate(30)) + [ReplayEvent(at: .seconds(1), .error(gone))]
        let format = VideoFormat(pixelFormat: .i420, width: 350, height: 96, frameRate: FrameRate(30))
        let output = MovieFileOutput()
        let session = try await session(
            output, camera: ReplayDriver(formats: [format], script: script), microphone: ToneDriver())
        let path = try Recordings.path("gone.mp4")
        let events = output.events
        try await output.startRecording(to: path)
        try await session.start()
        let result = try await events.result()
        #expect(result.reason == .cameraGone && result.isUsable)
        await session.stop()
        try expectPlays(path)
    }

    @Test("A film that is read as fast as it goes is recorded whole, by its own times")
    func film() async throws {
        var reading = MovieReadingOptions()
        reading.pace = .lossless
        let film = try MovieDriver(try TestMovies.h264(), options: reading)
        let count = try #require(film.info?.frameCount)
        let output = MovieFileOutput(audio: nil)
        let session = try await session(output, camera: film)
        let path = try Recordings.path("film.mp4")
        let events = output.events
        try await output.startRecording(to: path)
        try await session.start()
        let result = try await events.result()
        #expect(result.reason == .sourceEnded && result.report?.videoFrameCount == count, "\(result)")
        try expectPlays(path)
    }

    @Test(
        "An encoder that is not there ends it, also a recording that is over before that is known",
        arguments: [34, 80])
    func noEncoder(end: Int) async throws {
        let picture = try PatternScene(size: Self.small).draw(sequence: 1, time: .zero)
        let script = ReplayEvent.frames(2, of: picture, at: FrameRate(30)) + [ReplayEvent(at: .milliseconds(end), .end)]
        let format = VideoFormat(pixelFormat: .i420, width: 350, height: 96, frameRate: FrameRate(30))
        var settings = VideoSettings(codec: .hevc)
        settings.encoders.hardware = .never
        settings.encoders.allowsGPL = false
        let output = MovieFileOutput(video: settings, audio: nil)
        let session = try await session(output, camera: ReplayDriver(formats: [format], script: script))
        let path = try Recordings.path("none.mp4")
        let events = output.events
        try await output.startRecording(to: path)
        try await session.start()
        let result = try await events.result()
        // An FFmpeg with Kvazaar has one all the same.
        let isRefused = result.error?.code == .encoderUnavailable && result.reason == .encoderFailed
        #expect(isRefused || result.isUsable, "\(result)")
        await session.stop()
        #expect(!output.isRecording)
    }

    @Test("A microphone that gives nothing does not keep the limit of length from ending it")
    func silentMicrophone() async throws {
        let format = VideoFormat(pixelFormat: .i420, width: 350, height: 96, frameRate: FrameRate(30))
        let silent = ReplayDriver(name: "silent", formats: [format], script: [])
        let output = MovieFileOutput()
        output.maxRecordedDuration = MediaTime(value: 300, timescale: 1000)
        let session = try await session(
            output, camera: pattern(isLive: true), microphone: SilentMicrophone(driver: silent))
        let path = try Recordings.path("silent.mp4")
        let events = output.events
        try await output.startRecording(to: path)
        try await session.start()
        let result = try await events.result()
        #expect(result.reason == .maximumDuration && result.isUsable, "\(result)")
        await session.stop()
    }

    @Test("Sound that comes late is waited for when it is stopped, as long as it comes")
    func lateSound() async throws {
        // Later than a track that gives nothing is waited for.
        let delay = Duration.seconds(3)
        let output = MovieFileOutput()
        let session = try await session(
            output, camera: pattern(isLive: true),
            microphone: LateMicrophone(driver: ToneDriver(frequency: 440), delay: delay))
        try await session.start()
        let path = try Recordings.path("late.mp4")
        try await output.startRecording(to: path)
        #expect(try await reaches(output, 1, session))
        let result = try #require(await output.stopRecording())
        await session.stop()
        #expect(result.reason == .stopped && result.isUsable)
        let sound = try Hearing(path)
        #expect(abs((sound.end?.seconds ?? 0) - result.duration.seconds) < 0.1, "\(result)")
        let last = try #require(sound.sounds.last { $0.presentationTime.seconds < result.duration.seconds - 0.1 })
        #expect([last].samples.contains { abs($0) > 0.1 })
    }

    @Test("A part whose name is taken is refused, and the recording goes on")
    func takenPart() async throws {
        let output = MovieFileOutput(audio: nil)
        let session = try await session(output, camera: pattern())
        try await session.start()
        let (path, taken) = (try Recordings.path("whole.mp4"), try Recordings.path("taken.mp4"))
        try Data("mine".utf8).write(to: URL(filePath: taken))
        try await output.startRecording(to: path)
        #expect(try await reaches(output, 0.3, session))
        let error = #expect(throws: ObscuraError.self) { try output.splitRecording(to: taken) }
        #expect(error?.code == .fileExists && error?.remedy == .allowOverwriting)
        #expect(try await reaches(output, 0.6, session))
        let result = try #require(await output.stopRecording())
        await session.stop()
        #expect(result.isUsable && result.path == path)
        try expectPlays(path)
    }

    @Test("Sound alone makes a movie of sound")
    func soundAlone() async throws {
        let output = MovieFileOutput()
        let session = try await session(output, microphone: ToneDriver(frequency: 440))
        try await session.start()
        let path = try Recordings.path("sound.mp4")
        try await output.startRecording(to: path)
        #expect(try await reaches(output, 0.5, session))
        let result = try #require(await output.stopRecording())
        await session.stop()
        #expect(result.isUsable && result.report?.videoFrameCount == 0)
        try expectPlays(path)
    }

    @Test("What makes no sense is refused, and says so")
    func refusals() async throws {
        let output = MovieFileOutput()
        let path = try Recordings.path("no.mp4")
        let alone = await #expect(throws: ObscuraError.self) { try await output.startRecording(to: path) }
        #expect(alone?.code == .invalidState)
        #expect(await output.stopRecording() == nil)
        #expect(throws: ObscuraError.self) { try output.splitRecording(to: path) }
        let session = try await session(output, camera: pattern())
        let name = await #expect(throws: ObscuraError.self) { try await output.startRecording(to: "movie.txt") }
        #expect(name?.code == .invalidSettings)
        try await output.startRecording(to: path)
        let twice = await #expect(throws: ObscuraError.self) { try await output.startRecording(to: path + ".mp4") }
        #expect(twice?.code == .invalidState)
        // Nothing came: there is no movie, and no file is left.
        let result = try #require(await output.stopRecording())
        #expect(!result.isUsable && result.error?.code == .invalidState)
        #expect(try Recordings.neighbours(path).isEmpty)
        try await session.start()
        try await output.startRecording(to: path)
        #expect(try await reaches(output, 0.2, session))
        #expect(await output.stopRecording()?.isUsable == true)
        await session.stop()
    }
}

/// A microphone whose sound comes so much later than it was heard.
private struct LateMicrophone: CaptureDriver {
    let driver: ToneDriver
    let delay: Duration
    var uniqueID: String { driver.uniqueID }
    var localizedName: String { driver.localizedName }
    var formats: [VideoFormat] { [] }
    var mediaTypes: Set<MediaType> { [.audio] }

    func makeRun(_ request: RunRequest, sink: any CaptureSink, clock: any CaptureClock) -> any CaptureRun {
        driver.makeRun(request, sink: sink, clock: LateClock(delay: delay))
    }

    /// Its time is that much earlier.
    private struct LateClock: CaptureClock {
        let delay: Duration
        var now: HostTime { .now + (.zero - delay) }
        func wait(until deadline: HostTime, unless cancellation: CancellationToken) -> Bool {
            !cancellation.wait(until: deadline + delay)
        }
    }
}

/// A microphone that runs and gives nothing.
private struct SilentMicrophone: CaptureDriver {
    let driver: ReplayDriver
    var uniqueID: String { driver.uniqueID }
    var localizedName: String { driver.localizedName }
    var formats: [VideoFormat] { [] }
    var mediaTypes: Set<MediaType> { [.audio] }

    func makeRun(_ request: RunRequest, sink: any CaptureSink, clock: any CaptureClock) -> any CaptureRun {
        driver.makeRun(request, sink: sink, clock: clock)
    }
}
