// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraMovies

/// Senders with known clocks, whose packets come by ways with known delays.
@Suite("The clock of a live stream")
struct StreamClockTests {
    private static let frame = Duration.nanoseconds(33_333_333)
    private static let start = HostTime(nanoseconds: 5_000_000_000_000)

    /// A sender of one frame after another, and the reader of its packets.
    private struct Stream {
        var clock = StreamClock()
        /// The time of the sender's first packet.
        var first: Int64 = 7_000_000_000
        /// The rate of the sender's clock, in units of its seconds per second.
        var rate = 1.0
        /// When the previous packet was read.
        var read = StreamClockTests.start
        private(set) var hosts: [HostTime?] = []

        /// The time of a frame on the sender's clock.
        func time(_ number: Int) -> MediaTime {
            let nanoseconds = Double(number) * Double(StreamClockTests.frame.wholeNanoseconds) * rate
            return MediaTime(value: first + Int64(nanoseconds), timescale: 1_000_000_000)
        }

        /// When a frame was captured.
        func captured(_ number: Int) -> HostTime { StreamClockTests.start + StreamClockTests.frame * number }

        /// Reads the packet of a frame that takes this long; a reader that comes later does not wait for it.
        mutating func read(_ number: Int, delay: Duration, notBefore: HostTime? = nil) {
            let arrival = max(captured(number) + delay, read, notBefore ?? read)
            clock.note(time(number), arrival: arrival, waited: arrival - read)
            read = arrival
            hosts.append(clock.hostTime(of: time(number)))
        }

        /// The largest difference of a step between two frames from the sender's step, among the last frames.
        func unevenness(last count: Int) -> Duration {
            let known = hosts.suffix(count).compactMap(\.self)
            return zip(known, known.dropFirst()).map { one, next in
                let difference = next - one - StreamClockTests.frame
                return max(difference, .zero - difference)
            }.max() ?? .zero
        }
    }

    @Test
    func `A quiet stream is live from its first packet on, and each step is the sender's`() throws {
        var stream = Stream()
        for number in 0..<300 { stream.read(number, delay: .milliseconds(4)) }
        #expect(stream.hosts.dropFirst().allSatisfy { $0 != nil })
        #expect(stream.clock.liveStart == stream.time(0))
        #expect(stream.unevenness(last: 299) <= .nanoseconds(2))
        #expect(stream.hosts.last == stream.captured(299) + .milliseconds(4))
    }

    @Test
    func `Packets that were sent before the reader came are a backlog`() throws {
        var stream = Stream()
        // Of 40 frames 27 were sent before the first read, which then takes a tenth of a millisecond each.
        let begin = stream.captured(27)
        for number in 0..<27 { stream.read(number, delay: .zero, notBefore: begin + .microseconds(100 * number)) }
        #expect(stream.clock.isCatchingUp)
        #expect(stream.hosts.allSatisfy { $0 == nil })
        for number in 27..<40 { stream.read(number, delay: .milliseconds(4)) }
        let live = try #require(stream.hosts.firstIndex { $0 != nil })
        #expect((27...28).contains(live))
        #expect(stream.hosts[live...].allSatisfy { $0 != nil })
        #expect(stream.hosts[live] == stream.captured(live) + .milliseconds(4))
        #expect(stream.clock.hostTime(of: stream.time(20)) == nil)
    }

    @Test
    func `A backlog that the network delivers faster than in real time is left out, too`() throws {
        var stream = Stream()
        // A frame each 10 ms, until the reader has caught up.
        for number in 0..<90 {
            stream.read(number, delay: .zero, notBefore: stream.captured(40) + .milliseconds(10 * number))
        }
        let live = try #require(stream.hosts.firstIndex { $0 != nil })
        #expect((56...60).contains(live))
        let late = try #require(stream.hosts[live]) - stream.captured(live)
        #expect(late >= .zero && late < .milliseconds(20))
    }

    @Test(arguments: [0.9999, 1, 1.0001])
    func `With jitter and clocks that drift apart, steps stay within a millisecond for ten minutes`(rate: Double) throws
    {
        var dice = Dice(seed: 21)
        var stream = Stream()
        stream.rate = rate
        for number in 0..<18_000 {
            stream.read(number, delay: .microseconds(Int.random(in: 0...80_000, using: &dice)))
            guard number > 600, let host = stream.hosts[number] else { continue }
            // The error is that of the packet with the shortest way in the last seconds.
            let error = host - stream.captured(number)
            #expect(error > .milliseconds(-3) && error < .milliseconds(5), "frame \(number)")
        }
        #expect(stream.unevenness(last: 17_990) <= .milliseconds(1))
        #expect(stream.hosts.count { $0 == nil } < 10)
        #expect(stream.clock.restartCount == 0)
    }

    @Test
    func `After a stall the packets that were held back keep their times`() throws {
        var stream = Stream()
        for number in 0..<200 { stream.read(number, delay: .milliseconds(4)) }
        let begin = stream.captured(320)
        for number in 200..<600 { stream.read(number, delay: .milliseconds(4), notBefore: begin) }
        #expect(stream.hosts.dropFirst().allSatisfy { $0 != nil })
        #expect(stream.unevenness(last: 599) <= .microseconds(100))
        #expect(stream.clock.restartCount == 0)
    }

    @Test(arguments: [Int64(3_600_000_000_000), 0])
    func `A sender that begins a new timeline is followed there`(first: Int64) throws {
        var stream = Stream()
        for number in 0..<100 { stream.read(number, delay: .milliseconds(4)) }
        let old = stream.time(99)
        stream.first = first
        for number in 100..<200 { stream.read(number, delay: .milliseconds(4)) }
        #expect(stream.clock.restartCount == 1)
        #expect(stream.clock.hostTime(of: old) == nil)
        #expect(stream.hosts[102...].allSatisfy { $0 != nil })
        #expect(stream.hosts.last == stream.captured(199) + .milliseconds(4))
    }

    @Test
    func `Both tracks have one clock, whichever comes by the shorter way`() throws {
        var clock = StreamClock()
        var read = Self.start
        // Sound of 20 ms comes 30 ms after the frames of the same time.
        let packets =
            (0..<300).map { (Self.frame * $0, Duration.milliseconds(4)) }
            + (0..<500).map { (Duration.milliseconds(20 * $0), Duration.milliseconds(34)) }
        for (time, delay) in packets.sorted(by: { $0.0 + $0.1 < $1.0 + $1.1 }) {
            let arrival = max(Self.start + time + delay, read)
            clock.note(MediaTime(time), arrival: arrival, waited: arrival - read)
            read = arrival
        }
        let (frame, sound) = (
            clock.hostTime(of: MediaTime(Self.frame * 299)), clock.hostTime(of: MediaTime(.milliseconds(9960)))
        )
        #expect(frame == Self.start + Self.frame * 299 + .milliseconds(4))
        #expect(sound == Self.start + .milliseconds(9960) + .milliseconds(4))
    }

    @Test
    func `Frames that are sent before frames they are shown after have no time in the future`() throws {
        var clock = StreamClock()
        var read = Self.start
        // I P B B P B B: a frame that others refer to is sent first, and two frames later than it was captured.
        for number in 0..<300 {
            let shown = number % 3 == 0 ? number + 2 : number - 1
            let arrival = Self.start + Self.frame * (number + 2) + .milliseconds(4)
            clock.note(
                MediaTime(Self.frame * shown), decodeTime: MediaTime(Self.frame * (number - 1)), arrival: arrival,
                waited: arrival - read)
            read = arrival
            if let host = clock.hostTime(of: MediaTime(Self.frame * shown)) { #expect(host <= arrival) }
        }
        #expect(clock.hostTime(of: MediaTime(Self.frame * 298)) == Self.start + Self.frame * 298 + .milliseconds(4))
    }

    @Test
    func `A source that always sends faster than in real time is read after ten seconds`() {
        var clock = StreamClock()
        var (delivered, first): (Int, Int?) = (0, nil)
        for number in 0..<900 {
            let time = MediaTime(Self.frame * number)
            clock.note(time, arrival: Self.start + .microseconds(100 * number), waited: .microseconds(50))
            guard clock.hostTime(of: time) != nil else { continue }
            first = first ?? number
            delivered += 1
        }
        #expect(first == 301)
        #expect(delivered > 100)
    }

    @Test
    func `Times at the limits of their type are left out`() {
        var stream = Stream()
        for number in 0..<10 { stream.read(number, delay: .milliseconds(4)) }
        for value in [Int64.min, .min + 1, .max - 1, .max] {
            for timescale: Int32 in [1, 90_000, 1_000_000_000] {
                let time = MediaTime(value: value, timescale: timescale)
                stream.clock.note(time, decodeTime: time, arrival: stream.read, waited: .zero)
                stream.clock.note(stream.time(9), decodeTime: time, arrival: stream.read, waited: .zero)
                #expect(stream.clock.hostTime(of: time) == nil)
            }
        }
        #expect(stream.clock.restartCount == 0)
        #expect(stream.clock.hostTime(of: stream.time(9)) == stream.captured(9) + .milliseconds(4))
    }
}
