// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import Testing

@testable import ObscuraMovies

/// When a recording gets its copied samples.
@Suite struct SampleGatheringTests {
    /// Two seconds of packets of audio, a hundred per second.
    private func note(_ gathering: SampleGathering, bytes: Int, from start: Duration) {
        for number in 0...200 {
            let time = HostTime(nanoseconds: 0) + start + .milliseconds(10 * number)
            gathering.note(
                .encodedAudio(
                    EncodedAudio(
                        codec: .aac, data: [UInt8](repeating: 0, count: bytes), presentationTime: time.mediaTime,
                        duration: MediaTime(value: 1, timescale: 100), hostTime: time)),
                of: SampleTrack(0, .audio))
        }
    }

    @Test func `Often while a segment waits for samples, else by the bit rate`() throws {
        let gathering = SampleGathering()
        #expect(gathering.interval == nil)
        let timer = try #require(gathering.begin())
        #expect(timer.interval == SampleGathering.urgentInterval)
        note(gathering, bytes: 100, from: .zero)
        #expect(gathering.interval == SampleGathering.urgentInterval)
        gathering.isUrgent = false
        #expect(gathering.interval == GatheringPace.longest && timer.interval == GatheringPace.longest)
        note(gathering, bytes: 100_000, from: .seconds(3))
        #expect(gathering.interval == GatheringPace.shortest)
        gathering.isUrgent = true
        #expect(gathering.interval == SampleGathering.urgentInterval)
        gathering.end()
        #expect(gathering.interval == nil)
    }
}
