// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraBase
import ObscuraCapture
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraMovies

@Suite("Addresses that break off")
struct MovieReconnectionTests {
    private static func options(attempts: Int? = nil) -> MovieReadingOptions {
        var options = MovieReadingOptions()
        options.pace = .lossless
        options.reconnection?.firstDelay = .milliseconds(10)
        options.reconnection?.attempts = attempts
        return options
    }

    private static func run(
        _ url: String, _ options: MovieReadingOptions, _ sink: RecordingSink
    ) throws -> any CaptureRun {
        let run = try MovieDriver(url, options: options).makeRun(RunRequest(), sink: sink, clock: SystemClock())
        _ = try run.start()
        return run
    }

    @Test("A live stream is found again; the readers are told, and its timeline goes on")
    func liveStream() throws {
        let path = try TestMovies.h264(in: "ts")
        let server = try SmallServer(try Data(contentsOf: URL(fileURLWithPath: path))) { number in
            switch number {
            case 0: SmallServer.Answer(limit: 40_000, isFile: false)
            case 1, 2: SmallServer.Answer(status: "503 Service Unavailable")
            default: SmallServer.Answer(isFile: false, isSilent: true)
            }
        }
        defer { server.close() }
        let sink = RecordingSink()
        let run = try Self.run(server.url("live.ts"), Self.options(), sink)
        #expect(sink.waits { $0.events.contains { $0.event == .resumed } && $0.frames.count > 60 })
        run.stop()
        // The server keeps the connection and sends nothing: only the end of the blocked read closes it.
        #expect(server.waitsForHangUp(of: 3))
        let (frames, events) = sink.state.withLock { ($0.frames, $0.events) }
        #expect(events.map(\.event) == [.interrupted(.deviceDisconnected), .resumed])
        #expect(server.requestCount == 4)
        let joint = events[1].frames
        #expect(joint > 10 && joint < 50)
        #expect(frames[joint].attachments.isDiscontinuity)
        #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.presentationTime < $1.presentationTime })
        #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.sequence < $1.sequence })
        #expect(frames.allSatisfy { $0.attachments.isHostTimeEstimated })
    }

    @Test("A movie on a server goes on where it broke off: no frame is lost and none comes twice")
    func movieOnServer() throws {
        let path = try TestMovies.h264()
        let whole = try Reading(path)
        let server = try SmallServer(try Data(contentsOf: URL(fileURLWithPath: path))) { number in
            SmallServer.Answer(limit: number == 0 ? 20_000 : nil)
        }
        defer { server.close() }
        let sink = RecordingSink()
        let run = try Self.run(server.url("plain.mp4"), Self.options(), sink)
        #expect(sink.hasFinished)
        run.stop()
        #expect(sink.events == [.interrupted(.deviceDisconnected), .resumed, .finished(nil)])
        #expect(sink.frames.map(\.presentationTime) == whole.times)
        #expect(sink.frames.map(\.sequence) == (0..<50).map { UInt64($0) })
        #expect(sink.state.withLock { $0.lost } == 0)
        for (frame, expected) in zip(sink.frames, whole.frames) {
            #expect(firstDifference(frame.buffer.samples, expected.buffer.samples) == nil)
        }
    }

    @Test("When the attempts are used up, the last error is the end")
    func attemptsAreLimited() throws {
        let path = try TestMovies.h264(in: "ts")
        let server = try SmallServer(try Data(contentsOf: URL(fileURLWithPath: path))) { number in
            number == 0 ? SmallServer.Answer(limit: 40_000, isFile: false) : SmallServer.Answer(status: "404 Not Found")
        }
        defer { server.close() }
        let sink = RecordingSink()
        let run = try Self.run(server.url("live.ts"), Self.options(attempts: 3), sink)
        #expect(sink.hasFinished)
        run.stop()
        #expect(sink.events == [.interrupted(.deviceDisconnected), .finished(.notFound)])
        #expect(server.requestCount == 4)
    }

    @Test("A server that says nothing runs into the time limit, and cancelling the start does not wait for it")
    func silentServer() throws {
        let server = try SmallServer(Data()) { _ in SmallServer.Answer(isFile: false, isSilent: true) }
        defer { server.close() }
        var options = Self.options()
        options.connectTimeout = .milliseconds(300)
        let error = #expect(throws: ObscuraError.self) { try MovieReader(server.url("a.ts"), options: options) }
        #expect(error?.code == .timedOut)

        options.connectTimeout = .seconds(60)
        let run = try MovieDriver(server.url("a.ts"), options: options)
            .makeRun(RunRequest(), sink: RecordingSink(), clock: SystemClock())
        let result = Lock<ObscuraError.Code?>(nil)
        let starter = WorkerThread(name: "start") {
            do { _ = try run.start() } catch { result.withLock { $0 = (error as? ObscuraError)?.code } }
        }
        run.cancel()
        #expect(starter?.ends() == true)
        #expect(result.withLock { $0 } == .cancelled)
        run.stop()
    }

    @Test("A source that is to be waited for is opened when its server answers; an answer that is final is an error")
    func waitsForServer() throws {
        let path = try TestMovies.h264(in: "ts")
        let server = try SmallServer(try Data(contentsOf: URL(fileURLWithPath: path))) { number in
            number < 3 ? SmallServer.Answer(status: "503 Service Unavailable") : SmallServer.Answer(isFile: false)
        }
        defer { server.close() }
        let sink = RecordingSink()
        // The number of attempts is that after a lost connection: the first one is waited for in any case.
        let run = try MovieDriver(server.url("live.ts"), options: Self.options(attempts: 0))
            .makeRun(RunRequest(startsWhenAvailable: true), sink: sink, clock: SystemClock())
        #expect(try run.start().video?.width == 160)
        #expect(sink.hasFinished)
        run.stop()
        #expect(Array(sink.events.prefix(2)) == [.interrupted(.deviceDisconnected), .resumed])
        #expect(sink.frames.count == 50)
        #expect(server.requestCount == 4)

        let closed = try SmallServer(Data()) { _ in SmallServer.Answer(status: "401 Unauthorized") }
        defer { closed.close() }
        let refused = try MovieDriver(closed.url("live.ts"), options: Self.options())
            .makeRun(RunRequest(startsWhenAvailable: true), sink: RecordingSink(), clock: SystemClock())
        let error = #expect(throws: ObscuraError.self) { try refused.start() }
        #expect(error?.code == .notAuthorized)
        refused.stop()
    }

    @Test("A wait for a server ends when the run is cancelled")
    func cancelledWait() throws {
        let server = try SmallServer(Data()) { _ in SmallServer.Answer(status: "503 Service Unavailable") }
        defer { server.close() }
        let sink = RecordingSink()
        let run = try MovieDriver(server.url("live.ts"), options: Self.options())
            .makeRun(RunRequest(startsWhenAvailable: true), sink: sink, clock: SystemClock())
        let result = Lock<ObscuraError.Code?>(nil)
        let starter = WorkerThread(name: "start") {
            do { _ = try run.start() } catch { result.withLock { $0 = (error as? ObscuraError)?.code } }
        }
        #expect(sink.waits { !$0.events.isEmpty })
        run.cancel()
        #expect(starter?.ends() == true)
        #expect(result.withLock { $0 } == .cancelled)
        run.stop()
    }

    @Test("What a server repeats after a reconnection is left out; then the timeline goes on by the clock")
    func repeatedSound() throws {
        func sound(_ time: Int64, at host: Int64) -> MovieReader.Element {
            .sound(
                AudioBuffer(
                    format: AudioFormat(), samples: .int16([]), presentationTime: MediaTime(.milliseconds(time)),
                    hostTime: HostTime(nanoseconds: host * 1_000_000)))
        }
        var timeline = MovieTimeline()
        func place(_ time: Int64, at host: Int64) -> AudioBuffer? {
            guard
                case .placed(.sound(let placed)) = timeline.place(
                    sound(time, at: host), at: HostTime(nanoseconds: host * 1_000_000))
            else { return nil }
            timeline.note(placed)
            return placed
        }
        #expect(place(1000, at: 5000) != nil)
        #expect(place(1020, at: 5020)?.presentationTime == MediaTime(.milliseconds(1020)))
        timeline.reconnect()
        #expect(place(0, at: 5000) == nil)
        #expect(place(20, at: 5020) == nil)
        let next = try #require(place(2000, at: 7000))
        #expect(next.presentationTime == MediaTime(.milliseconds(3000)))
        #expect(next.attachments.isDiscontinuity)
        #expect(place(2020, at: 7020)?.presentationTime == MediaTime(.milliseconds(3020)))
    }

    @Test(
        "Frames of a stream that is timed again are lost until their times go on, compressed ones until a key frame",
        arguments: [false, true])
    func retimed(compressed: Bool) throws {
        let buffer = try PixelBuffer(format: .i420, width: 16, height: 16)
        var timeline = MovieTimeline()
        func host(_ time: Int) -> HostTime { HostTime(nanoseconds: Int64(time) * 1_000_000) }
        func frame(_ number: UInt64, at time: Int) -> MovieReader.Element {
            .picture(
                VideoFrame(
                    buffer: buffer, presentationTime: MediaTime(.milliseconds(40 * number)), hostTime: host(time),
                    sequence: number))
        }
        func encoded(_ number: UInt64, isKey: Bool, at time: Int) -> MovieReader.Element {
            .encodedPicture(
                EncodedFrame(
                    format: .h264, data: [0], width: 16, height: 16, isKeyFrame: isKey,
                    presentationTime: MediaTime(.milliseconds(40 * number)), hostTime: host(time), sequence: number))
        }
        func place(_ number: UInt64, isKey: Bool = false, at time: Int) -> (String, UInt64, UInt64, Bool) {
            let element = compressed ? encoded(number, isKey: isKey, at: time) : frame(number, at: time)
            switch timeline.place(element, at: host(time)) {
            case .placed(.picture(let frame)):
                timeline.note(frame)
                return ("placed", frame.sequence, frame.attachments.gap, frame.attachments.isDiscontinuity)
            case .placed(.encodedPicture(let frame)):
                timeline.note(frame)
                return ("placed", frame.sequence, frame.attachments.gap, frame.attachments.isDiscontinuity)
            case .placed: return ("other", 0, 0, false)
            case .skipped: return ("skipped", 0, 0, false)
            case .lost: return ("lost", 0, 0, false)
            }
        }
        #expect(place(0, isKey: true, at: 1000) == ("placed", 0, 0, false))
        #expect(place(1, at: 1040) == ("placed", 1, 0, false))
        timeline.retime(StreamClock.Restarts(pictures: 1, sound: 1), after: StreamClock.Restarts())
        // Sound that goes on already changes nothing for the frames.
        let sound = AudioBuffer(
            format: AudioFormat(), samples: .int16([]), presentationTime: MediaTime(.milliseconds(80)),
            hostTime: host(1041))
        guard case .placed(.sound(let placed)) = timeline.place(.sound(sound), at: host(1041)) else {
            Issue.record("The sound was left out.")
            return
        }
        timeline.note(placed)
        #expect(place(2, at: 1000) == ("lost", 0, 0, false))
        #expect(place(3, at: 1040) == ("lost", 0, 0, false))
        #expect(place(4, at: 1080) == (compressed ? ("lost", 0, 0, false) : ("placed", 4, 2, true)))
        #expect(place(5, isKey: true, at: 1120) == ("placed", 5, compressed ? 3 : 0, compressed))
        // What a server repeats is not lost.
        timeline.reconnect()
        #expect(place(0, isKey: true, at: 1120) == ("skipped", 0, 0, false))
        #expect(place(1, at: 1160) == (compressed ? ("lost", 0, 0, false) : ("placed", 6, 0, true)))
        #expect(place(2, isKey: true, at: 1200) == ("placed", 7, compressed ? 1 : 0, compressed))
    }

    @Test(
        "Frames go on if only the sound is timed again, and with the frames that were lost before one that is left out")
    func retimedTracks() throws {
        var timeline = MovieTimeline()
        func host(_ time: Int) -> HostTime { HostTime(nanoseconds: Int64(time) * 1_000_000) }
        func frame(_ number: UInt64, at time: Int, gap: UInt64 = 0) -> EncodedFrame? {
            var frame = EncodedFrame(
                format: .h264, data: [0], width: 16, height: 16, isKeyFrame: number % 4 == 0,
                presentationTime: MediaTime(.milliseconds(40 * number)), hostTime: host(time), sequence: number)
            frame.attachments.gap = gap
            guard case .placed(.encodedPicture(let placed)) = timeline.place(.encodedPicture(frame), at: host(time))
            else { return nil }
            timeline.note(placed)
            return placed
        }
        func sound(_ time: Int, at hostTime: Int) -> MediaTime? {
            let buffer = AudioBuffer(
                format: AudioFormat(), samples: .int16([]), presentationTime: MediaTime(.milliseconds(time)),
                hostTime: host(hostTime))
            guard case .placed(.sound(let placed)) = timeline.place(.sound(buffer), at: host(hostTime)) else {
                return nil
            }
            timeline.note(placed)
            return placed.presentationTime
        }
        #expect(frame(0, at: 1000) != nil)
        #expect(sound(60, at: 1060) == MediaTime(.milliseconds(60)))
        var restarts = StreamClock.Restarts(pictures: 0, sound: 1)
        timeline.retime(restarts, after: StreamClock.Restarts())
        // The times of the sound began again; it goes on where it was.
        let next = try #require(frame(1, at: 1040))
        #expect(!next.attachments.isDiscontinuity && next.presentationTime == MediaTime(.milliseconds(40)))
        #expect(sound(3_600_000, at: 1060) == nil)
        #expect(sound(3_600_020, at: 1080) == MediaTime(.milliseconds(80)))
        #expect(frame(2, at: 1080)?.presentationTime == MediaTime(.milliseconds(80)))
        // The frames begin again after two of them were lost, and earlier.
        let before = restarts
        restarts.pictures = 1
        timeline.retime(restarts, after: before)
        #expect(frame(5, at: 1070, gap: 2) == nil)
        #expect(frame(6, at: 1110) == nil)
        let key = try #require(frame(8, at: 1190, gap: 1))
        #expect(key.attachments.gap == 5 && key.attachments.isDiscontinuity && key.sequence == 8)
        #expect(key.presentationTime == MediaTime(.milliseconds(190)))
        #expect(sound(3_600_040, at: 1100) == MediaTime(.milliseconds(100)))
    }

    @Test("The pauses double up to the longest")
    func pauses() {
        let policy = MovieReadingOptions.Reconnection()
        let pauses = (0..<8).map { policy.delay(beforeAttempt: $0) }
        #expect(pauses == [250, 500, 1000, 2000, 4000, 8000, 10000, 10000].map { .milliseconds($0) })
        #expect(policy.delay(beforeAttempt: .max) == .seconds(10))
    }
}
