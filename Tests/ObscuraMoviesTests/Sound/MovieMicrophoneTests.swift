// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraCapture
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraMovies

@Suite("Movies as microphones")
struct MovieMicrophoneTests {
    private static func lossless(_ start: MediaTime? = nil) -> MovieReadingOptions {
        var options = MovieReadingOptions()
        options.pace = .lossless
        options.start = start
        return options
    }

    @Test("A device gives what its file has; an address may give both")
    func mediaTypes() throws {
        let film = try MovieDriver(try SoundFiles.film())
        #expect(film.mediaTypes == [.video, .audio])
        #expect(film.audioFormats == [AudioFormat(isInterleaved: false)])
        #expect(film.info?.sound == film.sound)
        #expect(film.sound?.codecName == "aac" && film.sound?.startTime == .zero)
        let duration = try #require(film.sound?.duration)
        #expect(abs(duration.seconds - 3) < 0.1)

        let silent = try MovieDriver(try TestMovies.h264(in: "mkv"))
        #expect(silent.mediaTypes == [.video] && silent.audioFormats.isEmpty && silent.sound == nil)

        let sound = try MovieDriver(try SoundFiles.sound("s16.flac", ["-sample_fmt", "s16"], SoundFiles.noise("1.3")))
        #expect(sound.mediaTypes == [.audio] && sound.formats.isEmpty && sound.info == nil)
        #expect(sound.audioFormats == [AudioFormat(sampleType: .int16)])
        #expect(sound.sound?.duration == MediaTime(value: 13, timescale: 10))

        #expect(try MovieDriver("rtsp://host/live").mediaTypes == [.video, .audio])
    }

    @Test("A run says in which forms pictures and sound come, and ends once, after both")
    func bothToTheEnd() throws {
        let path = try SoundFiles.film()
        let sink = RecordingSink(wantsAudio: true)
        let driver = try MovieDriver(path, options: Self.lossless())
        let run = driver.makeRun(RunRequest(), sink: sink, clock: SystemClock())
        let format = try run.start()
        #expect(format.video == driver.formats.first && format.audio == driver.audioFormats.first)
        #expect(sink.hasFinished)
        run.stop()
        #expect(sink.events == [.finished(nil)])
        #expect(sink.frames.count == 75)
        #expect(firstDifference(sink.sounds.samples, try decodedByFFmpeg(path), tolerance: 1e-6) == nil)
    }

    @Test("In real time both come when they are due by the session's clock, and not before")
    func realTime() throws {
        let path = try SoundFiles.film("pcm.mkv", ["-c:a", "pcm_s16le"])
        let (sink, clock) = (RecordingSink(wantsAudio: true), ManualClock(now: HostTime(nanoseconds: 1_000_000_000)))
        let run = try MovieDriver(path).makeRun(RunRequest(), sink: sink, clock: clock)
        _ = try run.start()
        while let due = sink.nextDeadline(of: clock) {
            let (frames, sounds) = sink.state.withLock { ($0.frames, $0.sounds) }
            let origin: Int64 = 1_000_000_000
            // Whatever was handed out was due, and nothing is handed out too late.
            for host in [frames.last?.hostTime, sounds.last?.hostTime].compactMap({ $0 }) {
                #expect(host <= clock.now)
            }
            #expect(frames.last.map { $0.hostTime.nanoseconds == origin + $0.presentationTime.nanoseconds } ?? true)
            #expect(sounds.last.map { $0.hostTime.nanoseconds == origin + $0.presentationTime.nanoseconds } ?? true)
            clock.advance(by: due - clock.now)
        }
        #expect(sink.hasFinished)
        run.stop()
        #expect(sink.frames.count == 75)
        #expect(sink.sounds.samples.count == 288_000)
        #expect(clock.now.nanoseconds > 3_900_000_000 && clock.now.nanoseconds < 4_000_000_000)
    }

    @Test("Sound alone is played at its pace, also while nobody listens")
    func soundAloneWithoutReaders() throws {
        let path = try SoundFiles.sound("pace.wav", ["-c:a", "pcm_s16le"], SoundFiles.noise("1"))
        let (sink, clock) = (RecordingSink(), ManualClock())
        let run = try MovieDriver(path).makeRun(RunRequest(), sink: sink, clock: clock)
        #expect(try run.start().video == nil)
        while let due = sink.nextDeadline(of: clock) { clock.advance(by: due - clock.now) }
        #expect(sink.hasFinished)
        run.stop()
        #expect(clock.now.nanoseconds > 950_000_000)
    }

    @Test("Stop ends a wait for sound that is not due yet")
    func stopWhileWaiting() throws {
        let path = try SoundFiles.sound("pace.wav", ["-c:a", "pcm_s16le"], SoundFiles.noise("1"))
        let (sink, clock) = (RecordingSink(wantsAudio: true), ManualClock())
        let run = try MovieDriver(path).makeRun(RunRequest(), sink: sink, clock: clock)
        _ = try run.start()
        _ = try #require(clock.nextDeadline(within: waitLimit))
        run.stop()
        #expect(sink.sounds.count == 1 && sink.events.isEmpty)
    }

    @Test("A film on a server that breaks off goes on with both: no sample is lost and none comes twice")
    func reconnection() throws {
        let path = try SoundFiles.film("served.mkv", ["-c:a", "flac"])
        let size = try Data(contentsOf: URL(fileURLWithPath: path)).count
        let server = try SmallServer(try Data(contentsOf: URL(fileURLWithPath: path))) { number in
            SmallServer.Answer(limit: number < 2 ? size * (3 + number) / 6 : nil)
        }
        defer { server.close() }
        var options = Self.lossless()
        options.reconnection?.firstDelay = .milliseconds(10)
        let sink = RecordingSink(wantsAudio: true)
        let run = try MovieDriver(server.url("served.mkv"), options: options)
            .makeRun(RunRequest(), sink: sink, clock: SystemClock())
        _ = try run.start()
        #expect(sink.hasFinished)
        run.stop()
        #expect(sink.events.contains(.interrupted(.deviceDisconnected)) && sink.events.last == .finished(nil))
        #expect(sink.frames.map(\.presentationTime) == (try Reading(path)).times)
        #expect(sink.frames.map(\.sequence) == (0..<75).map { UInt64($0) })
        let whole = try Hearing(path)
        #expect(sink.sounds.map(\.presentationTime) == whole.sounds.map(\.presentationTime))
        #expect(firstDifference(sink.sounds.samples, whole.samples, tolerance: 1e-6) == nil)
        #expect(sink.sounds.isUnbroken)
    }

    @Test("A live stream gives its sound as it comes, and goes on after a break")
    func liveStream() throws {
        let path = try SoundFiles.film("live.ts", ["-c:a", "aac"])
        let body = try Data(contentsOf: URL(fileURLWithPath: path))
        let server = try SmallServer(body) { number in
            SmallServer.Answer(limit: number == 0 ? body.count / 2 : nil, isFile: false, isSilent: number > 0)
        }
        defer { server.close() }
        var options = Self.lossless()
        options.reconnection?.firstDelay = .milliseconds(10)
        let sink = RecordingSink(wantsAudio: true)
        let run = try MovieDriver(server.url("live.ts"), options: options)
            .makeRun(RunRequest(), sink: sink, clock: SystemClock())
        _ = try run.start()
        #expect(
            sink.waits { $0.events.contains { $0.event == .resumed } && $0.frames.count > 80 && $0.sounds.count > 150 })
        run.stop()
        let (frames, sounds) = (sink.frames, sink.sounds)
        #expect(sounds.allSatisfy { $0.attachments.isTimeEstimated })
        #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.presentationTime < $1.presentationTime })
        #expect(zip(sounds, sounds.dropFirst()).allSatisfy { $0.presentationTime < $1.presentationTime })
        #expect(sounds.filter { $0.attachments.isDiscontinuity }.count == 1)
        #expect(sounds.isUnbroken)
        // The sound after the break lies beside the pictures after the break.
        let joint = try #require(sounds.first { $0.attachments.isDiscontinuity })
        let picture = try #require(frames.first { $0.attachments.isDiscontinuity })
        let apart = joint.presentationTime - picture.presentationTime
        #expect(apart < MediaTime(value: 1, timescale: 1) && MediaTime.zero - apart < MediaTime(value: 1, timescale: 1))
    }
}
