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
    /// The frames within the time for which a track is tried, and one for its end.
    private static let trial = 9

    /// A sender of one frame after another, and the reader of its packets.
    private struct Stream {
        var clock = StreamClock()
        /// The time of the sender's first packet.
        var first: Int64 = 7_000_000_000
        /// The rate of the sender's clock, in units of its seconds per second.
        var rate = 1.0
        /// When the previous packet was read.
        var read = StreamClockTests.start
        /// How long the reader has waited for packets.
        var waited = Duration.zero
        private(set) var hosts: [HostTime?] = []

        /// The time of a frame on the sender's clock.
        func time(_ number: Int) -> MediaTime {
            let nanoseconds = Double(number) * Double(StreamClockTests.frame.wholeNanoseconds) * rate
            return MediaTime(value: first + Int64(nanoseconds), timescale: 1_000_000_000)
        }

        /// When a frame was captured.
        func captured(_ number: Int) -> HostTime { StreamClockTests.start + StreamClockTests.frame * number }

        /// Reads the packet of a frame that takes this long; a reader that comes later does not wait for it, nor for a packet
        /// that is there and is read later, because the reader is busy.
        mutating func read(
            _ number: Int, delay: Duration = .milliseconds(4), notBefore: HostTime? = nil, isThere: Bool = false
        ) {
            let before = read
            read = max(captured(number) + delay, read, notBefore ?? read)
            if !isThere { waited += read - before }
            clock.note(.pictures, at: time(number), arrival: read, waited: waited)
            hosts.append(clock.tellsTimes(of: .pictures) ? clock.hostTime(.pictures, at: time(number)) : read)
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
    func `A quiet stream is live after a moment, and each step is the sender's`() throws {
        var stream = Stream()
        for number in 0..<300 { stream.read(number) }
        #expect(stream.hosts.firstIndex { $0 != nil } == 8)
        #expect(stream.hosts[8...].allSatisfy { $0 != nil })
        #expect(stream.unevenness(last: 292) <= .nanoseconds(2))
        #expect(stream.hosts.last == stream.captured(299) + .milliseconds(4))
    }

    @Test("Packets that were sent before the reader came are a backlog", arguments: [0.1, 5, 20, 28])
    func backlog(milliseconds: Double) throws {
        var stream = Stream()
        // The 27 packets that were sent before are read faster than in real time.
        let begin = stream.captured(27)
        for number in 0..<300 {
            stream.read(number, notBefore: begin + .microseconds(Int64(Double(number) * milliseconds * 1000)))
        }
        let live = try #require(stream.hosts.firstIndex { $0 != nil })
        #expect(stream.hosts[live...].allSatisfy { $0 != nil })
        let late = try #require(stream.hosts[live]) - stream.captured(live)
        #expect(late >= .milliseconds(4) && late < .milliseconds(30), "\(late)")
        #expect(stream.unevenness(last: 300 - live) <= .milliseconds(1))
        #expect(stream.clock.restarts == StreamClock.Restarts())
        #expect(stream.clock.hostTime(.pictures, at: stream.time(20)) == nil)
    }

    @Test
    func `A backlog that comes in pieces, with waits between them, is a backlog`() throws {
        var stream = Stream()
        // Two seconds of packets, of which each round trip of 50 ms brings 10.
        for number in 0..<200 {
            stream.read(number, notBefore: stream.captured(60) + .milliseconds(50 * (number / 10)))
        }
        let live = try #require(stream.hosts.firstIndex { $0 != nil })
        let late = try #require(stream.hosts[live]) - stream.captured(live)
        #expect(late >= .milliseconds(4) && late < .milliseconds(30), "\(late)")
    }

    @Test
    func `A backlog that a busy machine first reads no faster than in real time is a backlog`() throws {
        var stream = Stream()
        // The 30 packets that were sent before are there at once. The first 12 of them are read at the sender's rate.
        let begin = stream.captured(30)
        for number in 0..<300 {
            stream.read(number, notBefore: begin + (number < 12 ? Self.frame * number : .zero), isThere: number < 30)
        }
        let live = try #require(stream.hosts.firstIndex { $0 != nil })
        let late = try #require(stream.hosts[live]) - stream.captured(live)
        #expect(late >= .milliseconds(4) && late < .milliseconds(30), "\(late)")
        #expect(stream.hosts[live...].allSatisfy { $0 != nil })
        #expect(stream.clock.restarts == StreamClock.Restarts())
    }

    @Test(arguments: [0.996, 0.9999, 1, 1.0001, 1.003])
    func `With jitter and clocks that drift apart, steps stay within a millisecond for ten minutes`(rate: Double) throws
    {
        var dice = Dice(seed: 21)
        var stream = Stream()
        stream.rate = rate
        for number in 0..<18_000 {
            stream.read(number, delay: .microseconds(Int.random(in: 0...80_000, using: &dice)))
            guard number > 1200, let host = stream.hosts[number] else { continue }
            // The error is that of the packet with the shortest delay in the last seconds, and the drift since then.
            let error = host - stream.captured(number)
            #expect(error > .milliseconds(rate < 0.999 ? -280 : -7), "frame \(number)")
            #expect(error < .milliseconds(rate > 1.001 ? 30 : 7), "frame \(number)")
        }
        #expect(stream.unevenness(last: 17_900) <= .milliseconds(1))
        #expect(stream.hosts.count { $0 == nil } < 100)
        #expect(stream.clock.restarts == StreamClock.Restarts())
    }

    @Test
    func `Jitter moves the times little, even if few packets are read at the moment they arrive`() throws {
        var dice = Dice(seed: 22)
        var stream = Stream()
        var exact = 0
        for number in 0..<18_000 {
            let delay = Duration.microseconds(Int.random(in: 0...80_000, using: &dice))
            // As when the stream is read in batches: most packets have been there for a while.
            let kept = Duration.microseconds(Int.random(in: 0...100_000, using: &dice))
            exact = number < 30 || number - exact >= 15 ? number : exact
            stream.read(number, delay: exact == number ? delay : delay + kept)
        }
        let errors = stream.hosts.enumerated().dropFirst(1800).compactMap { number, host in
            host.map { $0 - stream.captured(number) }
        }
        let (least, most) = (try #require(errors.min()), try #require(errors.max()))
        #expect(most - least < .milliseconds(22), "\(least) to \(most)")
    }

    @Test("Steps are even, however many packets are read before a decoder returns their frames", arguments: [1, 3, 16])
    func decoding(atOnce count: Int) throws {
        var stream = Stream()
        stream.rate = 1.003
        var hosts: [HostTime] = []
        // The packets of half a second are lost.
        let numbers = Array(0..<600) + Array(615..<1200)
        for (index, number) in numbers.enumerated() {
            stream.read(number)
            guard index % count == count - 1 else { continue }
            hosts += numbers[(index + 1 - count)...index].compactMap {
                stream.clock.hostTime(.pictures, at: stream.time($0))
            }
        }
        #expect(hosts.count > 1150)
        let steps = zip(hosts, hosts.dropFirst()).map { $1 - $0 }
        let even = Self.frame * 1.003
        // The clock is followed by 1/256 of each step, and that of 16 frames is the one over the lost packets.
        let differences = steps.map { $0 < .milliseconds(100) ? $0 - even : $0 - even * 16 }
        #expect(steps.count { $0 > .milliseconds(100) } == 1)
        #expect(differences.filter { abs($0.wholeNanoseconds) > 131_000 }.count <= 1, "\(differences)")
    }

    @Test
    func `A sender whose clock is far too slow is followed in jumps`() throws {
        var stream = Stream()
        stream.rate = 0.9
        for number in 0..<9_000 { stream.read(number) }
        #expect(stream.clock.restarts.pictures > 10)
        // Never more behind than the difference of a new timeline, and what passes in a window.
        let known = stream.hosts.enumerated().compactMap { number, host in host.map { stream.captured(number) - $0 } }
        #expect(known.allSatisfy { $0 < .seconds(3) })
        #expect(known.count > 8_000)
    }

    @Test
    func `After a stall the packets that were held back keep their times`() throws {
        var stream = Stream()
        for number in 0..<200 { stream.read(number) }
        let begin = stream.captured(320)
        for number in 200..<600 { stream.read(number, notBefore: begin) }
        #expect(stream.hosts.dropFirst(Self.trial).allSatisfy { $0 != nil })
        #expect(stream.unevenness(last: 590) <= .microseconds(100))
        #expect(stream.clock.restarts == StreamClock.Restarts())
    }

    @Test
    func `A sender that paused its timeline is followed within two windows`() throws {
        var stream = Stream()
        for number in 0..<200 { stream.read(number) }
        // The packets come half a minute later, but their times go on without a gap.
        for number in 200..<1100 { stream.read(number, delay: .seconds(30)) }
        #expect(stream.clock.restarts.pictures == 1)
        #expect(stream.hosts.last == stream.captured(1099) + .seconds(30))
    }

    @Test(arguments: [Int64(3_600_000_000_000), 0])
    func `A sender that begins a new timeline is followed there`(first: Int64) throws {
        var stream = Stream()
        for number in 0..<100 { stream.read(number) }
        let old = stream.time(99)
        stream.first = first
        for number in 100..<200 { stream.read(number) }
        #expect(stream.clock.restarts.pictures == 1)
        #expect(stream.clock.hostTime(.pictures, at: old) == nil)
        #expect(stream.hosts[(100 + Self.trial)...].allSatisfy { $0 != nil })
        #expect(stream.hosts.last == stream.captured(199) + .milliseconds(4))
    }

    @Test
    func `One packet with a wrong time does no lasting harm`() throws {
        for wrong in [3_600_000_000_000, -3_600_000_000_000] as [Int64] {
            for place in [3, 50] {
                var stream = Stream()
                for number in 0..<100 {
                    if number == place {
                        stream.clock.note(
                            .pictures, at: MediaTime(value: wrong, timescale: 1_000_000_000), arrival: stream.read,
                            waited: stream.waited)
                    }
                    stream.read(number)
                }
                #expect(stream.hosts.last == stream.captured(99) + .milliseconds(4), "\(wrong) at \(place)")
                // If only its presentation time is wrong, no other packet is affected.
                stream = Stream()
                for number in 0..<100 {
                    if number == place {
                        let time = stream.time(number) + MediaTime(value: wrong / 60, timescale: 1_000_000_000)
                        stream.clock.note(
                            .pictures, at: time, decodeTime: stream.time(number), arrival: stream.read,
                            waited: stream.waited)
                        #expect(wrong < 0 || stream.clock.hostTime(.pictures, at: time) == nil)
                    }
                    stream.read(number)
                }
                #expect(stream.hosts[Self.trial...].allSatisfy { $0 != nil }, "\(wrong) at \(place)")
                #expect(stream.unevenness(last: 90) <= .nanoseconds(2))
                #expect(stream.clock.restarts == StreamClock.Restarts())
            }
        }
    }

    /// Notes frames, and sound of 20 ms, whose times are this much ahead of those of the frames, with these delays.
    private func tracks(soundAhead: Duration, frameDelay: Duration, soundDelay: Duration) -> StreamClock {
        var clock = StreamClock()
        let packets =
            (0..<300).map { (TrackKind.pictures, Self.frame * $0, Duration.zero, frameDelay) }
            + (0..<500).map { (TrackKind.sound, Duration.milliseconds(20 * $0), soundAhead, soundDelay) }
        for (kind, time, ahead, delay) in packets.sorted(by: { $0.1 + $0.3 < $1.1 + $1.3 }) {
            clock.note(kind, at: MediaTime(time + ahead), arrival: Self.start + time + delay, waited: time)
        }
        return clock
    }

    /// Reads frames, and sound of 20 ms, with these delays at their times, and returns the numbers and the times of the
    /// frames that have one, and how often the tracks began again.
    private func frames(
        delay: (Duration) -> Duration = { _ in .milliseconds(50) },
        soundFrom begin: Duration = .zero, to end: Duration = .seconds(10), soundDelay: (Duration) -> Duration
    ) -> (found: [(number: Int, host: HostTime)], restarts: StreamClock.Restarts) {
        let sound = (0..<500).map { Duration.milliseconds(20 * $0) }.filter { $0 >= begin && $0 < end }
        // No packet overtakes another one of its track.
        func packets(
            _ kind: TrackKind, _ times: [Duration], _ delay: (Duration) -> Duration
        )
            -> [(kind: TrackKind, number: Int, time: Duration, arrival: Duration)]
        {
            var last = Duration.zero
            return times.enumerated().map { number, time in
                last = max(last, time + delay(time))
                return (kind, number, time, last)
            }
        }
        let all = packets(.pictures, (0..<300).map { Self.frame * $0 }, delay) + packets(.sound, sound, soundDelay)
        var clock = StreamClock()
        let found = all.sorted { $0.arrival < $1.arrival }.compactMap {
            kind, number, time, arrival -> (number: Int, host: HostTime)? in
            clock.note(kind, at: MediaTime(time), arrival: Self.start + arrival, waited: arrival)
            guard kind == .pictures else { return nil }
            return clock.hostTime(kind, at: MediaTime(time)).map { (number, $0) }
        }
        return (found, clock.restarts)
    }

    /// The largest difference of a step from the sender's.
    private func unevenness(_ frames: [(number: Int, host: HostTime)]) -> Duration {
        zip(frames, frames.dropFirst()).map { one, next in
            let difference = next.host - one.host - Self.frame * (next.number - one.number)
            return max(difference, .zero - difference)
        }.max() ?? .zero
    }

    @Test func `A track is not live before the other one that is tried, whose times still change`() throws {
        let (found, _) = frames { time in
            .milliseconds(time < .seconds(0.2) ? 90 : time < .seconds(0.4) ? 60 : 20)
        }
        #expect(unevenness(found) < .milliseconds(1), "\(unevenness(found))")
        let (first, last) = (try #require(found.first), try #require(found.last))
        #expect((9...30).contains(first.number) && found.count == 300 - first.number, "\(first)")
        #expect(last.host == Self.start + Self.frame * 299 + .milliseconds(20))
    }

    @Test func `A track does not wait for one that began later, or that ended`() throws {
        for (found, restarts) in [
            frames(soundFrom: .seconds(3)) { _ in .milliseconds(60) },
            frames(soundFrom: .seconds(3), to: .seconds(3.1)) { _ in .milliseconds(20) },
        ] {
            #expect(unevenness(found) < .milliseconds(1) && found.first?.number == 8 && found.count == 292)
            #expect(restarts == StreamClock.Restarts())
        }
        // The sound ends before it is live: the frames wait for two seconds.
        let (found, _) = frames(to: .seconds(0.1)) { _ in .milliseconds(20) }
        let first = try #require(found.first)
        #expect((59...61).contains(first.number) && found.count == 300 - first.number, "\(first)")
        #expect(unevenness(found) < .milliseconds(1))
    }

    @Test func `Sound with a shorter delay that begins later moves the frames slowly`() throws {
        let (found, restarts) = frames(soundFrom: .seconds(3)) { _ in .milliseconds(20) }
        #expect(unevenness(found) < .milliseconds(1) && found.first?.number == 8 && found.count == 292)
        #expect(restarts == StreamClock.Restarts())
        let last = try #require(found.last).host - (Self.start + Self.frame * 299)
        #expect(last > .milliseconds(22) && last < .milliseconds(25), "\(last)")
    }

    @Test func `Times that are far from those of sound that begins later begin again`() throws {
        let (found, restarts) = frames(delay: { _ in .milliseconds(700) }, soundFrom: .seconds(3)) { _ in
            .milliseconds(20)
        }
        #expect(restarts.pictures == 1 && restarts.sound == 0)
        #expect(found.last?.host == Self.start + Self.frame * 299 + .milliseconds(20))
    }

    @Test func `A track that is timed again leaves the times of the other one even`() throws {
        // Only the delay of the sound changes by more than half a second.
        let (found, restarts) = frames(delay: { .milliseconds($0 < .seconds(3) ? 500 : 40) }) {
            .milliseconds($0 < .seconds(3) ? 700 : 40)
        }
        #expect(restarts.pictures == 0 && restarts.sound > 0)
        #expect(unevenness(found) < .milliseconds(1))
        let (first, last) = (try #require(found.first), try #require(found.last))
        #expect(found.count == 300 - first.number)
        let late = last.host - (Self.start + Self.frame * 299)
        #expect(late > .milliseconds(470) && late < .milliseconds(480), "\(late)")
    }

    @Test
    func `Both tracks have one origin, that of the shorter delay`() throws {
        let clock = tracks(soundAhead: .zero, frameDelay: .milliseconds(4), soundDelay: .milliseconds(900))
        let frame = clock.hostTime(.pictures, at: MediaTime(Self.frame * 299))
        let sound = clock.hostTime(.sound, at: MediaTime(.milliseconds(9960)))
        #expect(frame == Self.start + Self.frame * 299 + .milliseconds(4))
        #expect(sound == Self.start + .milliseconds(9960) + .milliseconds(4))
        #expect(clock.restarts == StreamClock.Restarts())
    }

    @Test
    func `Tracks with timelines that are far apart are each live`() throws {
        let clock = tracks(soundAhead: .seconds(3600), frameDelay: .milliseconds(4), soundDelay: .milliseconds(30))
        let frame = clock.hostTime(.pictures, at: MediaTime(Self.frame * 299))
        let sound = clock.hostTime(.sound, at: MediaTime(.milliseconds(9960) + .seconds(3600)))
        #expect(frame == Self.start + Self.frame * 299 + .milliseconds(4))
        #expect(sound == Self.start + .milliseconds(9960) + .milliseconds(30))
        #expect(clock.restarts == StreamClock.Restarts())
    }

    @Test(arguments: 0..<3)
    func `Frames that are sent before frames they are shown after have no time in the future`(first: Int) throws {
        var clock = StreamClock()
        var hosts: [HostTime?] = []
        // I P B B P B B: a frame that others refer to is sent first, and two frames later than it was captured.
        for number in first..<300 {
            let shown = number % 3 == 0 ? number + 2 : number - 1
            let arrival = Self.start + Self.frame * (number + 2) + .milliseconds(4)
            clock.note(
                .pictures, at: MediaTime(Self.frame * shown), decodeTime: MediaTime(Self.frame * (number - 1)),
                arrival: arrival, waited: arrival - Self.start)
            let host = clock.hostTime(.pictures, at: MediaTime(Self.frame * shown))
            if let host { #expect(host <= arrival) }
            hosts.append(host)
        }
        // Also those that are shown before the one with which the track became live.
        let live = try #require(hosts.firstIndex { $0 != nil })
        #expect(hosts[live...].allSatisfy { $0 != nil })
        let last = clock.hostTime(.pictures, at: MediaTime(Self.frame * 298))
        #expect(last == Self.start + Self.frame * 298 + .milliseconds(4))
    }

    @Test
    func `A sender that never sends in real time is read by the times of arrival after ten seconds`() {
        var stream = Stream()
        // Frames of a film, twice as fast.
        for number in 0..<1200 { stream.read(number, delay: .zero - Self.frame / 2 * number) }
        #expect(!stream.clock.tellsTimes(of: .pictures))
        let first = stream.hosts.firstIndex { $0 != nil } ?? 0
        #expect((600...620).contains(first))
        #expect(stream.hosts[first...].allSatisfy { $0 != nil })
    }

    @Test
    func `A track whose packets have no times tells none, whatever the other one does`() {
        var stream = Stream()
        for number in 0..<30 { stream.read(number) }
        #expect(stream.clock.tellsTimes(of: .pictures) && !stream.clock.tellsTimes(of: .sound))
        #expect(stream.clock.hostTime(.sound, at: stream.time(29)) == nil)
    }

    @Test
    func `Packets without a time before the first one with a time are a backlog`() {
        var stream = Stream()
        stream.clock.note(.pictures, at: nil, arrival: stream.read, waited: stream.waited)
        #expect(stream.clock.isBacklog(.pictures, at: .zero))
        for number in 0..<30 { stream.read(number) }
        #expect(!stream.clock.isBacklog(.pictures, at: stream.time(29)))
        #expect(stream.hosts.firstIndex { $0 != nil } == 8)
        // Later ones continue the timeline.
        stream.clock.note(.pictures, at: nil, arrival: stream.read, waited: stream.waited)
        #expect(!stream.clock.isBacklog(.pictures, at: stream.time(29)))
    }

    @Test
    func `A stream without any times is no backlog for longer than a second`() {
        var stream = Stream()
        for number in 0..<100 {
            stream.clock.note(.pictures, at: nil, arrival: stream.read, waited: stream.waited)
            #expect(stream.clock.isBacklog(.pictures, at: .zero) == (number < 30))
        }
        for number in 0..<30 { stream.read(number) }
        #expect(stream.hosts.last == stream.captured(29) + .milliseconds(4))
    }

    @Test
    func `Times at the limits of their type are not used`() {
        var stream = Stream()
        for number in 0..<10 { stream.read(number) }
        for value in [Int64.min, .min + 1, .max - 1, .max] {
            for timescale: Int32 in [1, 90_000, 1_000_000_000] {
                let time = MediaTime(value: value, timescale: timescale)
                stream.clock.note(.pictures, at: time, decodeTime: time, arrival: stream.read, waited: stream.waited)
                stream.clock.note(
                    .pictures, at: stream.time(9), decodeTime: time, arrival: stream.read, waited: stream.waited)
                #expect(stream.clock.hostTime(.pictures, at: time) == nil)
            }
        }
        #expect(stream.clock.restarts == StreamClock.Restarts())
        #expect(stream.clock.hostTime(.pictures, at: stream.time(9)) == stream.captured(9) + .milliseconds(4))
    }
}
