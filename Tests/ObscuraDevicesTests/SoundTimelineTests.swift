// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import Testing

@testable import ObscuraDevices

@Suite("The numbers and times of sample frames")
struct SoundTimelineTests {
    private let begin = HostTime(nanoseconds: 5_000_000_000_000)
    private var timeline = SoundTimeline(sampleRate: 8000)

    /// Reads 80 frames that end at `time`, with stamps of 1 frame = 125 µs.
    private mutating func read(
        _ milliseconds: Int, waiting: Int = 80, stamp: Bool = true
    ) -> SoundTimeline.Placement {
        let time = begin + .milliseconds(milliseconds)
        return timeline.place(80, waiting: waiting, stamp: stamp ? time : nil, now: time)
    }

    @Test("A buffer's time is that of its first frame, however many wait behind it")
    mutating func firstFrame() {
        let first = read(30, waiting: 240)
        #expect(first.position == 0 && first.time == begin && first.gap == 0)
        #expect(!first.isTimeEstimated && !first.isDiscontinuity)
        let second = read(30, waiting: 160)
        #expect(second.position == 80)
        #expect(abs((second.time - begin).wholeNanoseconds - 10_000_000) < 1000)
    }

    @Test("An overrun makes the numbers jump by the time that is lost, and the time stays right")
    mutating func overrun() {
        for count in 1...500 { _ = read(10 * count) }
        timeline.beginStream(.afterLoss)
        // 5 s are read; the card starts again at 5.7 s, and is first seen 10 ms later.
        let next = read(5710)
        #expect(next.gap == 5600)
        #expect(next.position == 500 * 80 + 5600)
        #expect(abs((next.time - begin).wholeNanoseconds - 5_700_000_000) < 1000)
        #expect(!next.isDiscontinuity)
        let after = read(5720)
        #expect(after.gap == 0 && after.position == next.position + 80)
    }

    @Test("One late stamp is no loss, however many buffers are read with it")
    mutating func sharedStamp() {
        for count in 1...100 { _ = read(10 * count) }
        // The sound of 50 ms, with a stamp that is 200 ms late.
        for waiting in [400, 320, 240, 160, 80] {
            let next = read(1250, waiting: waiting)
            #expect(next.gap == 0 && !next.isDiscontinuity)
        }
        let after = read(1060)
        #expect(after.position == 105 * 80 && after.gap == 0)
        #expect(abs((after.time - begin).wholeNanoseconds - 1_050_000_000) < 1000)
    }

    @Test("What is lost is counted at the rate that the card has, not at the one on its label")
    mutating func lossAtTrueRate() {
        // 1,000 parts in a million too quick: 80 frames take 9.99 ms.
        var time = begin
        var timeline = timeline
        for _ in 0..<6000 {
            time = time + .nanoseconds(9_990_010)
            _ = timeline.place(80, waiting: 80, stamp: time, now: time)
        }
        #expect(abs(timeline.drift - 1000) < 1)
        timeline.beginStream(.afterLoss)
        time = time + .seconds(100) + .nanoseconds(9_990_010)
        #expect(abs(Int(timeline.place(80, waiting: 80, stamp: time, now: time).gap) - 800_800) < 5)
    }

    @Test("An overrun right after an overrun is one gap")
    mutating func doubleOverrun() {
        _ = read(10)
        timeline.beginStream(.afterLoss)
        timeline.beginStream(.afterLoss)
        #expect(read(120).gap == 800)
        timeline.beginStream(.afterLoss)
        #expect(read(130).gap == 0)
    }

    @Test("After another beginning the numbers go on, and it is said that the sound does not")
    mutating func anew() {
        _ = read(10)
        timeline.beginStream(.anew)
        timeline.beginStream(.afterLoss)
        let next = read(60_000)
        #expect(next.position == 80 && next.gap == 0 && next.isDiscontinuity)
        #expect(next.time == begin + .milliseconds(59_990))
        #expect(!read(60_010).isDiscontinuity)
    }

    @Test("Frames that the card loses without a word are seen by the clock")
    mutating func silentLoss() throws {
        for count in 1...500 { _ = read(10 * count) }
        let places = (501...510).map { read(10 * $0 + 300) }
        #expect(places.reduce(0) { $0 + $1.gap } == 2400)
        let last = try #require(places.last)
        #expect(last.position == 509 * 80 + 2400)
        #expect(abs((last.time - begin).wholeNanoseconds - 5_390_000_000) < 1_000_000)
        #expect(places.allSatisfy { !$0.isDiscontinuity })
    }

    @Test("A card that reports an absurd number of waiting frames ends nothing", arguments: [Int.max, .max / 2, .min])
    func absurdWaiting(waiting: Int) {
        for stamp in [begin, HostTime(nanoseconds: .max)] {
            var timeline = timeline
            for count in 0...10 {
                if count == 5 { timeline.beginStream(.afterLoss) }
                let now = begin + .milliseconds(10 * count)
                let place = timeline.place(80, waiting: waiting, stamp: stamp, now: now)
                #expect(now - place.time <= .seconds(11) && place.gap <= 10 * 8000)
            }
        }
    }

    @Test("Times never go back, whatever the stamps do")
    mutating func monotonic() {
        var last = begin + .seconds(-1)
        var numbers: [UInt64] = []
        for (index, time) in [10, 20, 30, -5000, -4990, -4980, -4970, -4960, -4950, 40, 50, 9000].enumerated() {
            if index == 9 { timeline.beginStream(.anew) }
            let place = read(time)
            #expect(place.time > last)
            last = place.time
            numbers.append(place.position)
        }
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test("Without a stamp, or with one of another clock, the time is that of the reading")
    mutating func estimated() {
        #expect(read(10, stamp: false).isTimeEstimated)
        let now = begin + .milliseconds(20)
        for stamp in [HostTime(nanoseconds: 0), now + .seconds(2), now + .seconds(-11)] {
            var timeline = timeline
            let place = timeline.place(80, waiting: 80, stamp: stamp, now: now)
            #expect(place.isTimeEstimated)
            #expect(abs((place.time - begin).wholeNanoseconds - 10_000_000) < 1_000_000)
        }
    }
}
