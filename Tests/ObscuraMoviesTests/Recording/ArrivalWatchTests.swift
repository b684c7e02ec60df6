// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraCapture
import ObscuraImaging
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraMovies

/// A recording tells when the camera delivers nothing.
@Suite(.hangLimit) struct ArrivalWatchTests {
    private func time(_ milliseconds: Int64) -> HostTime { HostTime(nanoseconds: milliseconds * 1_000_000) }

    @Test func `A gap is noticed once, and measured from frame to frame`() {
        var watch = ArrivalWatch(patience: .seconds(2))
        let recorded = MediaTime(value: 7, timescale: 1)
        func begins(at milliseconds: Int64) -> Bool { watch.beginsGap(at: time(milliseconds), recorded: recorded) }
        func arrive(at milliseconds: Int64) -> RecordingResult.Gap? {
            watch.arrive(at: time(milliseconds), noted: time(milliseconds))
        }
        // Without a first frame there is no gap.
        #expect(!begins(at: 9000))
        #expect(arrive(at: 10_000) == nil)
        #expect(watch.delay(at: time(10_500)) == .milliseconds(1500))
        #expect(!begins(at: 11_999))
        #expect(begins(at: 12_000))
        #expect(!begins(at: 13_000))
        #expect(arrive(at: 15_500) == RecordingResult.Gap(start: recorded, duration: .milliseconds(5500)))
        #expect(arrive(at: 15_533) == nil)
        // A gap that nobody looked at in time is none.
        #expect(arrive(at: 19_500) == nil)
        watch.forget()
        #expect(!begins(at: 60_000))
        #expect(arrive(at: 61_000) == nil)
    }

    @Test func `Frames that wait for the encoder or the disk are no gap`() {
        var watch = ArrivalWatch(patience: .seconds(2))
        func begins(at milliseconds: Int64) -> Bool { watch.beginsGap(at: time(milliseconds), recorded: .zero) }
        #expect(watch.arrive(at: time(10_000), noted: time(10_000)) == nil)
        watch.beginHandling()
        #expect(!begins(at: 13_000))
        #expect(watch.delay(at: time(13_000)) == .milliseconds(100))
        watch.endHandling(after: .seconds(4), at: time(14_000))
        #expect(!begins(at: 14_001))
        // The next one has waited for nearly as long.
        #expect(watch.arrive(at: time(10_033), noted: time(14_002)) == nil)
        #expect(!begins(at: 16_001))
        // Then the camera has stopped, while sound is still handled.
        for number in 0..<100 as Range<Int64> {
            watch.beginHandling()
            watch.endHandling(after: .microseconds(50), at: time(14_002 + 20 * number))
        }
        #expect(begins(at: 16_010))
        let gap = watch.arrive(at: time(18_033), noted: time(18_034))
        #expect(gap?.duration == .seconds(8))
    }

    @Test func `Frames that are gathered are no gap`() {
        var watch = ArrivalWatch(patience: .seconds(2))
        watch.gathering = .milliseconds(500)
        func begins(at milliseconds: Int64) -> Bool { watch.beginsGap(at: time(milliseconds), recorded: .zero) }
        // It had waited for its delivery for a moment, and the next one waits for 500 ms.
        #expect(watch.arrive(at: time(9_990), noted: time(10_000)) == nil)
        #expect(watch.delay(at: time(10_000)) == .milliseconds(2500))
        #expect(!begins(at: 12_400))
        #expect(watch.arrive(at: time(11_980), noted: time(12_450)) == nil)
        #expect(!begins(at: 14_900))
        #expect(begins(at: 14_950))
    }

    @Test func `A camera that pauses is told of, and the result lists the gap`() async throws {
        let picture = try PatternScene(size: PixelSize(width: 64, height: 48)).draw(sequence: 0, time: .zero)
        let jpeg = try JPEGEncoder().encode(picture)
        let frame = EncodedFrame(
            format: .mjpeg, data: jpeg, width: 64, height: 48, isKeyFrame: true, presentationTime: .zero, hostTime: .now
        )
        // Ten frames, a pause of 1.5 s, ten frames.
        let times = (0..<10).map { $0 * 20 } + (0..<10).map { 1680 + $0 * 20 }
        let driver = ReplayDriver(
            formats: [VideoFormat(pixelFormat: .mjpeg, width: 64, height: 48)],
            script: times.map { ReplayEvent(at: .milliseconds($0), .encoded(frame)) }
                + [ReplayEvent(at: .milliseconds(1900), .end)])
        let output = MovieFileOutput()
        output.arrivalPatience = .milliseconds(300)
        let session = CaptureSession()
        try await session.configure { configuration in
            try configuration.addInput(CaptureDeviceInput(device: CaptureDevice(driver: driver)))
            try configuration.addOutput(output)
        }
        var events = output.events.makeAsyncIterator()
        try await output.startRecording(to: Recordings.path("gap.mp4"))
        try await session.start()
        var (told, result): ([RecordingResult.Gap?], RecordingResult?) = ([], nil)
        while result == nil, let event = await events.next() {
            switch event {
            case .framesStopped: told.append(nil)
            case .framesResumed(let gap): told.append(gap)
            case .finished(let end): result = end
            default: break
            }
        }
        await session.stop()
        let gaps = try #require(result).gaps
        let resumed = told.compactMap(\.self)
        #expect(gaps.count >= 1 && told.count == 2 * resumed.count)
        #expect(resumed.filter { $0.duration >= output.arrivalPatience } == gaps)
        let gap = try #require(gaps.max { $0.duration < $1.duration })
        #expect(gap.duration > .milliseconds(1300), "\(gaps)")
        #expect(gap.start < MediaTime(value: 1, timescale: 1), "\(gaps)")
    }
}
