// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import ObscuraMovies
import Testing

@testable import AVFoundation

/// When inputs are ready: the decision, without a writer.
@Suite("AVAssetWriterInput, readiness") struct WritingReadinessTests {
    private func readiness(_ isVideo: [Bool], isRealTime: Bool = false) -> WriterReadiness {
        var readiness = WriterReadiness()
        readiness.tracks = isVideo.map { isVideo in
            var track = WriterReadiness.Track(isVideo: isVideo)
            track.isRealTime = isRealTime
            return track
        }
        readiness.startSession(at: .zero)
        return readiness
    }

    /// A second of sound from `second` on, for all kinds of tracks.
    private func sample(_ second: Int64) -> MediaSample {
        let time = MediaTime(value: second, timescale: 1)
        return .audio(
            AudioBuffer(
                format: AudioFormat(sampleRate: 10, channelCount: 1), samples: .float32(Array(repeating: 0, count: 10)),
                presentationTime: time, hostTime: HostTime(nanoseconds: 0)))
    }

    @Test("An input alone is ready, however far it is, until it is finished")
    func alone() {
        var one = readiness([true])
        for second in 0..<100 {
            #expect(one.isReady(0, waiting: 5))
            one.note(sample(Int64(second)), of: 0)
        }
        one.tracks[0].isFinished = true
        #expect(!one.isReady(0, waiting: 0))
    }

    @Test("An input waits for one that is two seconds behind, which is always ready itself")
    func lead() {
        var two = readiness([true, false])
        for second in 0..<2 { two.note(sample(Int64(second)), of: 0) }
        #expect(two.isReady(0, waiting: 0) && two.isReady(1, waiting: 0))
        two.note(sample(2), of: 0)
        #expect(!two.isReady(0, waiting: 0) && two.isReady(1, waiting: 0))
        two.note(sample(0), of: 1)
        #expect(two.isReady(0, waiting: 0))
        // Not for one that is finished.
        for second in 3..<9 { two.note(sample(Int64(second)), of: 0) }
        #expect(!two.isReady(0, waiting: 0))
        two.tracks[1].isFinished = true
        #expect(two.isReady(0, waiting: 0))
    }

    @Test("A session begins with all inputs at its start")
    func sessions() {
        var two = readiness([true, false])
        for second in 0..<9 { two.note(sample(Int64(second)), of: 0) }
        two.endSession()
        #expect(two.start == nil && two.isReady(0, waiting: 0))
        two.startSession(at: MediaTime(value: 100, timescale: 1))
        #expect(two.isReady(0, waiting: 0))
        two.note(sample(103), of: 0)
        #expect(!two.isReady(0, waiting: 0))
    }

    @Test("A real-time input is ready while less than four of its own samples wait")
    func realTime() {
        var two = readiness([true, false], isRealTime: true)
        // The encoder takes them in this order, so that the last ones wait.
        for index in [0, 0, 1, 1, 0, 1, 0, 0, 1, 0] { two.note(sample(0), of: index) }
        #expect(two.isReady(0, waiting: 5) && !two.isReady(0, waiting: 6) && !two.isReady(0, waiting: 10))
        #expect(two.isReady(1, waiting: 10))
        for _ in 0..<31 { two.note(sample(0), of: 1) }
        #expect(two.isReady(0, waiting: 31) && two.isReady(1, waiting: 31))
        two.note(sample(0), of: 1)
        #expect(two.isReady(0, waiting: 32) && !two.isReady(1, waiting: 32))
    }

    @Test("Inputs of sound share the places for sound, and no number of samples is too large")
    func shared() {
        var three = readiness([false, false, true], isRealTime: true)
        for _ in 0..<10_000 { three.note(sample(0), of: 0) }
        for _ in 0..<15 { three.note(sample(0), of: 1) }
        #expect(three.isReady(1, waiting: 1000) && !three.isReady(0, waiting: 1000) && three.isReady(2, waiting: 1000))
        three.note(sample(0), of: 1)
        #expect(!three.isReady(1, waiting: 1000))
    }
}
