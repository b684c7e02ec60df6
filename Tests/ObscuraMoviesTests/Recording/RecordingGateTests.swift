// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraCapture
import ObscuraMedia
import Testing

@testable import ObscuraMovies

@Suite struct RecordingGateTests {
    private func ms(_ value: Int64) -> MediaTime { MediaTime(value: value, timescale: 1000) }

    private func gate(_ tracks: Set<SampleTrack> = [.video, .audio], limit: MediaTime? = nil) -> RecordingGate {
        RecordingGate(tracks: tracks, limit: limit, hasOneSource: true)
    }

    @Test("A stretch begins with the first picture; sound before it is held")
    func beginning() {
        var gate = gate()
        #expect(gate.arrive(.audio, at: ms(0), lasting: ms(10)) == [.hold])
        #expect(gate.arrive(.video, at: ms(5), lasting: ms(40)) == [.begin(ms(5)), .append])
        #expect(gate.arrive(.audio, at: ms(10), lasting: ms(10)) == [.append])
        #expect(gate.phase == .recording && gate.duration == ms(40))
    }

    @Test("Without pictures it begins with the first sound")
    func soundAlone() {
        var gate = gate([.audio])
        #expect(gate.arrive(.audio, at: ms(7), lasting: ms(10)) == [.begin(ms(7)), .append])
    }

    @Test("A stop ends it where it was asked for, once each track has come past that")
    func stop() {
        var gate = gate()
        _ = gate.arrive(.video, at: ms(0), lasting: ms(40))
        #expect(gate.close(at: ms(50), for: .finish(.stopped)).isEmpty && gate.phase == .closing)
        #expect(gate.arrive(.video, at: ms(40), lasting: ms(40)) == [.append])
        #expect(gate.arrive(.video, at: ms(80), lasting: ms(40)).isEmpty)
        #expect(gate.arrive(.audio, at: ms(45), lasting: ms(10)) == [.append])
        #expect(gate.arrive(.audio, at: ms(55), lasting: ms(10)) == [.end(ms(50)), .finish(.stopped)])
        #expect(gate.phase == .ended && gate.duration == ms(50))
        #expect(gate.arrive(.video, at: ms(120), lasting: nil).isEmpty)
        #expect(gate.close(at: ms(200), for: .finish(.stopped)).isEmpty)
    }

    @Test("What still comes of a late track is counted, so that it is waited for")
    func lateArrivals() {
        var gate = gate()
        _ = gate.arrive(.video, at: ms(0), lasting: ms(40))
        _ = gate.arrive(.audio, at: ms(0), lasting: ms(10))
        #expect(gate.lateArrivals == 0)
        _ = gate.close(at: ms(30), for: .finish(.stopped))
        #expect(gate.arrive(.audio, at: ms(10), lasting: ms(10)) == [.append])
        #expect(gate.lateArrivals == 1)
        // This track is past the end.
        #expect(gate.arrive(.video, at: ms(40), lasting: ms(40)).isEmpty)
        #expect(gate.lateArrivals == 1)
    }

    @Test func `Compressed frames begin with a key frame, and end in the order in which they are decoded`() {
        var gate = gate([.video], limit: ms(160))
        func arrive(_ time: Int64, decodedAt decodeTime: Int64, isKey: Bool = false) -> [RecordingGate.Action] {
            gate.arrive(.video, at: ms(time), decodedAt: ms(decodeTime), lasting: ms(40), isKey: isKey)
        }
        #expect(arrive(0, decodedAt: -80).isEmpty)
        #expect(arrive(40, decodedAt: -40, isKey: true) == [.begin(ms(40)), .append])
        // Shown after the end, but those that are shown before it need it.
        #expect(arrive(200, decodedAt: 0) == [.append])
        #expect(arrive(120, decodedAt: 40) == [.append] && arrive(80, decodedAt: 80) == [.append])
        #expect(arrive(160, decodedAt: 120) == [.append])
        #expect(gate.phase == .recording)
        #expect(arrive(360, decodedAt: 160) == [.append, .end(ms(200)), .finish(.maximumDuration)])
    }

    @Test("A track that is silent is not waited for any longer than for a time")
    func lateTrack() {
        var gate = gate()
        _ = gate.arrive(.video, at: ms(0), lasting: ms(40))
        _ = gate.close(at: ms(30), for: .finish(.stopped))
        #expect(gate.giveUpWaiting() == [.end(ms(30)), .finish(.stopped)])
        #expect(gate.giveUpWaiting().isEmpty)
    }

    @Test("A pause leaves out what comes, and the next stretch begins with the next picture")
    func pause() {
        var gate = gate([.video])
        _ = gate.arrive(.video, at: ms(0), lasting: ms(40))
        _ = gate.close(at: ms(40), for: .pause)
        #expect(gate.arrive(.video, at: ms(40), lasting: ms(40)) == [.end(ms(40)), .announcePause])
        #expect(gate.phase == .paused && gate.duration == ms(40))
        #expect(gate.arrive(.video, at: ms(80), lasting: ms(40)).isEmpty)
        #expect(gate.resume() == [.announceResumption] && gate.phase == .waiting)
        #expect(gate.resume().isEmpty)
        #expect(gate.arrive(.video, at: ms(500), lasting: ms(40)) == [.begin(ms(500)), .append])
        #expect(gate.duration == ms(80))
    }

    @Test("A pause before the first picture, and twice, and resumed before its time was reached")
    func oddPauses() {
        var early = gate()
        #expect(early.close(at: ms(5), for: .pause) == [.announcePause] && early.phase == .paused)
        #expect(early.close(at: ms(6), for: .pause).isEmpty)
        #expect(early.resume() == [.announceResumption] && early.phase == .waiting)
        var stalled = gate([.video])
        _ = stalled.arrive(.video, at: ms(0), lasting: ms(40))
        _ = stalled.close(at: ms(60), for: .pause)
        #expect(stalled.resume() == [.end(ms(60)), .announcePause, .announceResumption])
        #expect(stalled.phase == .waiting)
        #expect(stalled.duration == ms(60))
    }

    @Test("An end goes before a pause that waits; a pause of what ends changes nothing")
    func endBeforePause() {
        var gate = gate([.video])
        _ = gate.arrive(.video, at: ms(0), lasting: ms(40))
        _ = gate.close(at: ms(60), for: .pause)
        _ = gate.close(at: ms(70), for: .finish(.stopped))
        #expect(gate.giveUpWaiting() == [.end(ms(60)), .finish(.stopped)])
        var paused = self.gate([.video])
        _ = paused.close(at: ms(0), for: .pause)
        #expect(paused.close(at: ms(9), for: .finish(.stopped)) == [.finish(.stopped)])
    }

    @Test("The limit of length is kept to the moment, over the stretches together")
    func limit() {
        var gate = gate([.video], limit: ms(100))
        _ = gate.arrive(.video, at: ms(0), lasting: ms(40))
        _ = gate.close(at: ms(40), for: .pause)
        _ = gate.arrive(.video, at: ms(40), lasting: ms(40))
        _ = gate.resume()
        #expect(gate.arrive(.video, at: ms(1000), lasting: ms(40)) == [.begin(ms(1000)), .append])
        #expect(
            gate.arrive(.video, at: ms(1040), lasting: ms(40)) == [.append, .end(ms(1060)), .finish(.maximumDuration)])
        #expect(gate.duration == ms(100))
    }

    @Test func `A frame that comes after dropped ones, and after the limit, is not recorded`() {
        var gate = gate([.video], limit: ms(100))
        _ = gate.arrive(.video, at: ms(0), lasting: ms(40))
        #expect(gate.arrive(.video, at: ms(200), lasting: ms(40)) == [.end(ms(100)), .finish(.maximumDuration)])
        #expect(gate.duration == ms(100))
        var exact = self.gate([.video], limit: ms(100))
        _ = exact.arrive(.video, at: ms(0), lasting: nil)
        #expect(exact.arrive(.video, at: ms(99), lasting: nil) == [.append])
        #expect(exact.arrive(.video, at: ms(100), lasting: nil) == [.end(ms(100)), .finish(.maximumDuration)])
    }

    @Test("With sound, the limit waits for the sound that belongs to it")
    func limitWithSound() {
        var gate = gate(limit: ms(40))
        #expect(gate.arrive(.video, at: ms(0), lasting: ms(40)) == [.begin(ms(0)), .append])
        #expect(gate.arrive(.audio, at: ms(30), lasting: ms(10)) == [.append])
        #expect(gate.arrive(.audio, at: ms(40), lasting: ms(10)) == [.end(ms(40)), .finish(.maximumDuration)])
    }

    @Test("A film ends when all its tracks have; a camera that goes ends the movie at once")
    func ends() {
        var film = gate()
        _ = film.arrive(.video, at: ms(0), lasting: ms(40))
        #expect(film.end(.audio, for: .sourceEnded).isEmpty && film.phase == .recording)
        #expect(film.end(.video, for: .sourceEnded) == [.end(ms(40)), .finish(.sourceEnded)])
        var camera = gate()
        _ = camera.arrive(.video, at: ms(0), lasting: ms(40))
        #expect(camera.end(.video, for: .cameraGone).isEmpty)
        #expect(camera.arrive(.audio, at: ms(40), lasting: ms(10)) == [.end(ms(40)), .finish(.cameraGone)])
        // Sound that was recorded already cannot be taken back: the movie has the length that is told.
        var ahead = gate()
        _ = ahead.arrive(.video, at: ms(0), lasting: ms(40))
        _ = ahead.arrive(.audio, at: ms(60), lasting: ms(10))
        #expect(ahead.end(.video, for: .cameraGone).isEmpty)
        #expect(ahead.arrive(.audio, at: ms(70), lasting: ms(10)) == [.end(ms(70)), .finish(.cameraGone)])
        var never = gate()
        #expect(never.end(.video, for: .cameraGone) == [.finish(.cameraGone)])
        #expect(never.end(.audio, for: .microphoneGone).isEmpty)
    }

    @Test("Where the pictures of a film end first, the sound leads: the limit and the length go by it")
    func handover() {
        var gate = gate(limit: ms(100))
        _ = gate.arrive(.video, at: ms(0), lasting: ms(40))
        _ = gate.arrive(.audio, at: ms(0), lasting: ms(50))
        #expect(gate.end(.video, for: .sourceEnded).isEmpty && gate.duration == ms(50))
        #expect(gate.arrive(.audio, at: ms(50), lasting: ms(30)) == [.append] && gate.duration == ms(80))
        #expect(
            gate.arrive(.audio, at: ms(80), lasting: ms(30)) == [.append, .end(ms(100)), .finish(.maximumDuration)])
        var waiting = self.gate()
        #expect(waiting.arrive(.audio, at: ms(0), lasting: ms(10)) == [.hold])
        #expect(waiting.end(.video, for: .sourceEnded).isEmpty)
        #expect(waiting.arrive(.audio, at: ms(10), lasting: ms(10)) == [.begin(ms(10)), .append])
    }

    @Test func `a recording with a separate microphone ends with the movie, but not with the microphone`() {
        var gate = RecordingGate(tracks: [.video, .audio], limit: nil, hasOneSource: false)
        _ = gate.arrive(.video, at: ms(0), lasting: ms(40))
        #expect(gate.end(.video, for: .sourceEnded).isEmpty && gate.phase == .closing)
        #expect(gate.arrive(.audio, at: ms(40), lasting: ms(10)) == [.end(ms(40)), .finish(.sourceEnded)])
        var silent = RecordingGate(tracks: [.video, .audio], limit: nil, hasOneSource: false)
        _ = silent.arrive(.video, at: ms(0), lasting: ms(40))
        #expect(silent.end(.audio, for: .sourceEnded).isEmpty && silent.phase == .recording)
        #expect(silent.end(.video, for: .sourceEnded) == [.end(ms(40)), .finish(.sourceEnded)])
        // Also while a pause waits for the sound: nothing could resume it.
        var paused = RecordingGate(tracks: [.video, .audio], limit: nil, hasOneSource: false)
        _ = paused.arrive(.video, at: ms(0), lasting: ms(40))
        #expect(paused.close(at: ms(60), for: .pause).isEmpty)
        #expect(paused.end(.video, for: .sourceEnded).isEmpty)
        #expect(paused.arrive(.audio, at: ms(60), lasting: ms(10)) == [.end(ms(60)), .finish(.sourceEnded)])
        var empty = RecordingGate(tracks: [.video, .audio], limit: nil, hasOneSource: false)
        #expect(empty.end(.video, for: .sourceEnded) == [.finish(.sourceEnded)])
    }

    @Test("After a pause nothing comes in that is older than the call to go on")
    func resumption() {
        var gate = gate([.video])
        _ = gate.arrive(.video, at: ms(0), lasting: ms(40))
        _ = gate.close(at: ms(60), for: .pause)
        #expect(gate.resume(at: ms(90)) == [.end(ms(60)), .announcePause, .announceResumption])
        #expect(gate.arrive(.video, at: ms(80), lasting: ms(40)).isEmpty && gate.phase == .waiting)
        #expect(gate.arrive(.video, at: ms(120), lasting: ms(40)) == [.begin(ms(120)), .append])
        #expect(gate.duration == ms(100))
    }

    @Test("What has failed keeps its length")
    func lengthOfFailure() {
        var gate = gate([.video])
        _ = gate.arrive(.video, at: ms(0), lasting: ms(40))
        _ = gate.arrive(.video, at: ms(40), lasting: ms(40))
        #expect(gate.fail(.diskFull) == [.finish(.diskFull)] && gate.duration == ms(80))
    }

    @Test("A failure ends it once")
    func failure() {
        var gate = gate()
        #expect(gate.fail(.encoderFailed) == [.finish(.encoderFailed)])
        #expect(gate.fail(.diskFull).isEmpty)
    }

    // MARK: Several cameras and microphones

    private static let back = SampleTrack(2, .video)
    private static let second = SampleTrack(3, .audio)

    @Test func `A segment begins with the first camera; audio before it is held, frames of others are not`() {
        var gate = gate([.video, .audio, Self.back, Self.second])
        #expect(gate.arrive(Self.second, at: ms(0), lasting: ms(10)) == [.hold])
        #expect(gate.arrive(Self.back, at: ms(0), lasting: ms(40)).isEmpty)
        #expect(gate.arrive(.video, at: ms(5), lasting: ms(40)) == [.begin(ms(5)), .append])
        #expect(gate.arrive(Self.back, at: ms(40), lasting: ms(40)) == [.append])
        #expect(gate.duration == ms(40) && gate.end == ms(80))
    }

    @Test func `A segment ends when every camera and every microphone has passed its end`() {
        var gate = gate([.video, .audio, Self.back, Self.second])
        _ = gate.arrive(.video, at: ms(0), lasting: ms(40))
        #expect(gate.close(at: ms(30), for: .finish(.stopped)).isEmpty)
        #expect(gate.arrive(.audio, at: ms(30), lasting: ms(10)).isEmpty)
        #expect(gate.arrive(.video, at: ms(40), lasting: ms(40)).isEmpty)
        #expect(gate.arrive(Self.back, at: ms(20), lasting: ms(40)) == [.append])
        #expect(gate.arrive(Self.second, at: ms(40), lasting: ms(10)).isEmpty)
        #expect(gate.arrive(Self.back, at: ms(60), lasting: ms(40)) == [.end(ms(30)), .finish(.stopped)])
    }

    @Test func `A film that is ahead of the first one does not exceed the limit of length`() {
        var gate = RecordingGate(tracks: [.video, Self.back], limit: ms(80), hasOneSource: false)
        _ = gate.arrive(.video, at: ms(0), lasting: ms(40))
        #expect(gate.arrive(Self.back, at: ms(40), lasting: ms(40)) == [.append])
        #expect(gate.arrive(Self.back, at: ms(80), lasting: ms(40)).isEmpty)
        #expect(gate.arrive(.video, at: ms(40), lasting: ms(40)) == [.append, .end(ms(80)), .finish(.maximumDuration)])
        // The same with a pause before the limit.
        var paused = RecordingGate(tracks: [.video, Self.back], limit: ms(80), hasOneSource: false)
        _ = paused.arrive(.video, at: ms(0), lasting: ms(40))
        _ = paused.arrive(Self.back, at: ms(80), lasting: ms(40))
        #expect(paused.close(at: ms(40), for: .pause).isEmpty)
        #expect(paused.arrive(.video, at: ms(40), lasting: ms(40)) == [.end(ms(40)), .announcePause])
        #expect(paused.resume() == [.announceResumption])
        #expect(paused.arrive(.video, at: ms(120), lasting: ms(40)) == [.begin(ms(120)), .append])
        #expect(paused.arrive(Self.back, at: ms(120), lasting: ms(40)) == [.append])
    }

    @Test(arguments: [RecordingGate.Closing.pause, .finish(.stopped), .finish(.sessionStopped)])
    func `A request after the limit ends the recording at the limit, also while frames before it are on their way`(
        purpose: RecordingGate.Closing
    ) {
        var gate = gate(limit: ms(80))
        _ = gate.arrive(.video, at: ms(10), lasting: ms(40))
        #expect(gate.close(at: ms(130), for: purpose).isEmpty)
        #expect(gate.arrive(.video, at: ms(50), lasting: ms(40)) == [.append])
        #expect(gate.arrive(.audio, at: ms(80), lasting: ms(10)) == [.append])
        #expect(gate.arrive(.video, at: ms(90), lasting: ms(40)).isEmpty)
        #expect(gate.arrive(.audio, at: ms(90), lasting: ms(10)) == [.end(ms(90)), .finish(.maximumDuration)])
        #expect(gate.duration == ms(80))
    }

    @Test func `A request before the limit, and a failure after it, keep their reason`() {
        var stopped = gate([.video], limit: ms(80))
        _ = stopped.arrive(.video, at: ms(0), lasting: ms(40))
        _ = stopped.close(at: ms(80), for: .finish(.stopped))
        #expect(stopped.giveUpWaiting() == [.end(ms(80)), .finish(.stopped)])
        var full = gate([.video], limit: ms(80))
        _ = full.arrive(.video, at: ms(0), lasting: ms(40))
        _ = full.close(at: ms(90), for: .finish(.diskFull))
        #expect(full.giveUpWaiting() == [.end(ms(80)), .finish(.diskFull)])
    }

    @Test func `Sound at the limit leads when the pictures of its film have ended before`() {
        var gate = gate(limit: ms(80))
        _ = gate.arrive(.video, at: ms(0), lasting: ms(40))
        #expect(gate.arrive(.audio, at: ms(60), lasting: ms(20)) == [.append])
        #expect(gate.arrive(.audio, at: ms(80), lasting: ms(20)).isEmpty)
        #expect(gate.end(.video, for: .sourceEnded) == [.end(ms(80)), .finish(.maximumDuration)])
    }

    @Test func `When the first of several films ends, so does the recording; the end of a lost camera is told`() {
        var films = RecordingGate(tracks: [.video, Self.back], limit: nil, hasOneSource: false)
        _ = films.arrive(.video, at: ms(0), lasting: ms(40))
        #expect(films.end(.video, for: .sourceEnded).isEmpty && films.phase == .closing)
        #expect(films.arrive(Self.back, at: ms(40), lasting: ms(40)) == [.end(ms(40)), .finish(.sourceEnded)])
        var longer = RecordingGate(tracks: [.video, Self.back], limit: nil, hasOneSource: false)
        _ = longer.arrive(.video, at: ms(0), lasting: ms(40))
        #expect(longer.end(Self.back, for: .sourceEnded).isEmpty && longer.phase == .recording)
        var lost = gate([.video, Self.back])
        _ = lost.arrive(.video, at: ms(0), lasting: ms(40))
        #expect(lost.end(Self.back, for: .cameraGone).isEmpty && lost.phase == .closing)
        #expect(lost.arrive(.video, at: ms(40), lasting: ms(40)) == [.end(ms(40)), .finish(.cameraGone)])
    }
}

extension SampleTrack {
    fileprivate static let video = SampleTrack(0, .video)
    fileprivate static let audio = SampleTrack(1, .audio)
}
