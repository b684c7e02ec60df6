// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraBase
import ObscuraCapture
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraMovies

/// A device that mixes others.
@Suite(.hangLimit) struct AudioMixerTests {
    /// A microphone that a test drives by hand.
    private final class Card: CaptureDriver, CaptureRun {
        let uniqueID: String
        let format = AudioFormat(sampleRate: 1000, channelCount: 1)
        let mediaTypes: Set<MediaType> = [.audio]
        let formats: [VideoFormat] = []
        let isLive: Bool
        private let failure: ObscuraError?
        private let state = Lock<(sink: (any CaptureSink)?, isRunning: Bool, position: UInt64)>((nil, false, 0))

        init(_ name: String, isLive: Bool = true, failure: ObscuraError? = nil) {
            uniqueID = name
            self.isLive = isLive
            self.failure = failure
        }

        var localizedName: String { uniqueID }
        var audioFormats: [AudioFormat] { [format] }
        var isRunning: Bool { state.withLock { $0.isRunning } }
        var sink: (any CaptureSink)? { state.withLock { $0.sink } }
        var source: AudioMixerSource { AudioMixerSource(CaptureDevice(driver: self)) }

        func makeRun(_ request: RunRequest, sink: any CaptureSink, clock: any CaptureClock) -> any CaptureRun {
            state.withLock { $0.sink = sink }
            return self
        }

        func start() throws -> SourceFormat {
            if let failure { throw failure }
            state.withLock { $0.isRunning = true }
            return SourceFormat(audio: format)
        }

        func cancel() {}
        func stop() { state.withLock { ($0.sink, $0.isRunning) = (nil, false) } }

        /// Delivers so many milliseconds of a constant signal.
        func give(_ milliseconds: Int, of value: Float, at time: HostTime) {
            let position = state.withLock { state in
                defer { state.position += UInt64(milliseconds) }
                return state.position
            }
            sink?.receive(
                AudioBuffer(
                    format: format, samples: .float32([Float](repeating: value, count: milliseconds)),
                    presentationTime: time.mediaTime, hostTime: time, position: position))
        }
    }

    private static let mix = AudioFormat(sampleRate: 1000, channelCount: 1)

    /// Starts a mixer of these cards with a clock that stands still.
    private func start(_ cards: [Card]) throws -> (run: any CaptureRun, sink: RecordingSink, clock: ManualClock) {
        let driver = try AudioMixerDriver(cards.map(\.source), format: Self.mix)
        let (sink, clock) = (RecordingSink(wantsAudio: true), ManualClock(now: HostTime(nanoseconds: 5_000_000_000)))
        let run = driver.makeRun(RunRequest(), sink: sink, clock: clock)
        #expect(try run.start() == SourceFormat(audio: Self.mix))
        return (run, sink, clock)
    }

    @Test func `The mix is the sum, in blocks with the times of the devices`() throws {
        let cards = [Card("a"), Card("b")]
        let (run, sink, clock) = try start(cards)
        let begin = clock.now
        for number in 0..<20 {
            let time = begin + .milliseconds(10 * number)
            cards[0].give(10, of: 0.25, at: time)
            cards[1].give(10, of: 0.5, at: time)
            #expect(clock.nextDeadline(within: waitLimit) != nil)
            clock.advance(by: .milliseconds(10))
        }
        #expect(sink.waits { $0.sounds.count >= 13 })
        run.stop()
        #expect(cards.allSatisfy { !$0.isRunning })
        let sounds = sink.sounds
        // The limiter delays the first block by 5 ms.
        #expect(sounds.map(\.frameCount).prefix(3) == [5, 10, 10])
        #expect(sounds[0].position == 0 && sounds[1].position == 5 && sounds[2].position == 15)
        #expect(sounds[2].hostTime == begin + .milliseconds(15))
        #expect(sounds[2].presentationTime == (begin + .milliseconds(15)).mediaTime)
        for sound in sounds.dropFirst(2) { #expect(sound.samples == .float32([Float](repeating: 0.75, count: 10))) }
    }

    @Test func `A device that is interrupted is silent, and the mix goes on`() throws {
        let cards = [Card("a"), Card("b")]
        let (run, sink, clock) = try start(cards)
        // The cards tell their events while the mixer waits: otherwise some of its 10 blocks would see them.
        func step() {
            clock.advance(by: .milliseconds(100))
            #expect(sink.nextDeadline(of: clock) != nil)
        }
        #expect(sink.nextDeadline(of: clock) != nil)
        step()
        cards[0].sink?.interrupted(.deviceDisconnected)
        step()
        step()
        #expect(sink.events.isEmpty)
        cards[1].sink?.interrupted(.stalled)
        step()
        #expect(sink.events.count == 1)
        cards[0].sink?.resumed()
        step()
        #expect(sink.events.count == 2)
        cards[0].sink?.finish(throwing: nil)
        step()
        #expect(sink.events.count == 3)
        cards[1].sink?.finish(throwing: .outOfMemory(.capture, "b"))
        clock.advance(by: .milliseconds(100))
        #expect(sink.hasFinished)
        #expect(
            sink.events == [
                .interrupted(.deviceDisconnected), .resumed, .interrupted(.stalled), .finished(.outOfMemory),
            ])
        run.stop()
    }

    @Test func `The error of a device is told at the end, whichever device ends last`() throws {
        let cards = [Card("a"), Card("b")]
        let (run, sink, clock) = try start(cards)
        cards[0].sink?.finish(throwing: .outOfMemory(.capture, "a"))
        cards[1].sink?.finish(throwing: nil)
        #expect(sink.nextDeadline(of: clock) != nil)
        clock.advance(by: .milliseconds(100))
        #expect(sink.hasFinished)
        #expect(sink.events == [.finished(.outOfMemory)])
        run.stop()
    }

    @Test func `A device that does not start stops the others, and its error is told`() throws {
        let failure = ObscuraError(.capture, .deviceInUse, subject: "b", reason: "it is in use")
        let cards = [Card("a"), Card("b", failure: failure)]
        let driver = try AudioMixerDriver(cards.map(\.source))
        let run = driver.makeRun(RunRequest(), sink: RecordingSink(), clock: SystemClock())
        #expect { try run.start() } throws: { ($0 as? ObscuraError)?.code == .deviceInUse }
        // As a session does.
        run.stop()
        #expect(!cards[0].isRunning)
    }

    @Test func `What cannot be mixed is refused`() throws {
        let card = Card("a")
        let film = Card("film", isLive: false)
        let camera = CaptureDevice(driver: PatternDriver())
        for sources in [[], [card.source, card.source], [film.source], [card.source, AudioMixerSource(camera)]] {
            #expect { try AudioMixerDriver(sources) } throws: { ($0 as? ObscuraError)?.code == .invalidConfiguration }
        }
        let source = AudioMixerSource(CaptureDevice(driver: card), gain: .nan, channelGains: [-1, 1000])
        #expect(source.gain == 1 && source.channelGains == [0, 100])
        source.gain = -3
        #expect(source.gain == 0 && source.gains(3) == [0, 0, 0])
    }

    // With a sanitizer, the tones are too late for the mixer.
    @Test(.withoutSanitizer) func `Two tones become one track of a movie`() async throws {
        let sources = [440.0, 1500].map { frequency in
            AudioMixerSource(CaptureDevice(driver: ToneDriver(frequency: frequency, level: -12)))
        }
        let mixer = try AudioMixerDriver(sources)
        let movie = MovieFileOutput(video: nil, audio: AudioSettings(codec: .pcm, sampleRate: 48_000, channelCount: 2))
        let session = try await CaptureSession.of(mixer, [movie])
        let path = try Recordings.path("mixed.mkv")
        movie.maxRecordedDuration = MediaTime(value: 1, timescale: 1)
        let events = movie.events
        try await movie.startRecording(to: path)
        try await session.start()
        let result = try await events.result()
        #expect(result.error == nil, "\(result)")
        await session.stop()
        let samples = try decodedByFFmpeg(path)
        let left = stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
        #expect(abs(left.count - 48_000) < 4_800)
        let window = left[9_600..<9_600 + 8_192]
        let spectrum = Spectrum(size: 8_192)
        // Without both tones, what remains is small; without one of them, it is the other one.
        #expect(spectrum.share(of: window, outside: 380...1560, 48_000) < 0.01)
        #expect(spectrum.share(of: window, outside: 380...500, 48_000) > 0.5)
        #expect(spectrum.share(of: window, outside: 1440...1560, 48_000) > 0.5)
        #expect(sources.allSatisfy { $0.missingFrameCount < 48_000 })
    }
}
