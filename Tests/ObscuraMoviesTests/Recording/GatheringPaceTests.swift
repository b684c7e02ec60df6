// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import Testing

@testable import ObscuraMovies

/// For how long copied samples wait.
@Suite struct GatheringPaceTests {
    private let video = SampleTrack(0, .video)

    /// The interval after these seconds of samples with this number of bytes, 30 per second.
    private func interval(
        after seconds: Int, bytes: Int, from start: Duration = .zero, _ pace: inout GatheringPace
    ) -> Duration {
        for number in 0...seconds * 30 {
            pace.note(bytes, of: video, at: HostTime(nanoseconds: 0) + start + .seconds(1) * number / 30)
        }
        return pace.interval
    }

    @Test(
        "As long as a megabyte takes, within limits",
        arguments: [
            (0, Duration.milliseconds(500)), (1000, .milliseconds(500)), ((1 << 20) / 15, .milliseconds(500)),
            ((1 << 20) / 10, .milliseconds(333)), (1 << 18, .milliseconds(200)), (1 << 40, .milliseconds(200)),
        ])
    func lengths(bytes: Int, expected: Duration) {
        var pace = GatheringPace()
        let found = interval(after: 2, bytes: bytes, &pace)
        #expect(abs((found - expected).wholeNanoseconds) < 1_000_000)
    }

    @Test func `Short until a second has been measured`() {
        var pace = GatheringPace()
        for number in 0..<30 {
            pace.note(1000, of: video, at: HostTime(nanoseconds: 0) + .seconds(1) * number / 30)
            #expect(pace.interval == GatheringPace.shortest)
        }
    }

    @Test func `A bit rate that is not quite constant does not change it`() {
        var pace = GatheringPace()
        let first = interval(after: 2, bytes: 100_000, &pace)
        #expect(interval(after: 2, bytes: 90_000, from: .seconds(2), &pace) == first)
        #expect(interval(after: 2, bytes: 115_000, from: .seconds(4), &pace) == first)
        #expect(interval(after: 2, bytes: 75_000, from: .seconds(6), &pace) > first)
    }

    @Test func `The last second counts`() {
        var pace = GatheringPace()
        #expect(interval(after: 3, bytes: 1000, &pace) == GatheringPace.longest)
        #expect(interval(after: 1, bytes: 1 << 20, from: .seconds(3), &pace) == GatheringPace.shortest)
        #expect(interval(after: 1, bytes: 1000, from: .seconds(5), &pace) == GatheringPace.longest)
    }

    @Test func `Video and sound that are delivered one after the other are measured together`() {
        var pace = GatheringPace()
        let sound = SampleTrack(1, .audio)
        // Five deliveries per second: 6 frames, and then the sound of the same time, which began a little earlier.
        for delivery in 0..<15 {
            let begin = HostTime(nanoseconds: 0) + .milliseconds(200 * delivery)
            for number in 0..<6 { pace.note((1 << 20) / 15, of: video, at: begin + .milliseconds(33 * number)) }
            for number in 0..<10 { pace.note((1 << 20) / 25, of: sound, at: begin + .milliseconds(20 * number - 10)) }
        }
        // 2 MiB of video and 2 MiB of sound per second.
        #expect(abs((pace.interval - .milliseconds(250)).wholeNanoseconds) < 5_000_000)
    }

    @Test func `Times that go back begin a new measurement`() {
        var pace = GatheringPace()
        #expect(interval(after: 2, bytes: 1 << 20, from: .seconds(100), &pace) == GatheringPace.shortest)
        #expect(interval(after: 1, bytes: 1000, &pace) == GatheringPace.longest)
    }
}
