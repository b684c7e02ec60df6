// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraDevices

@Suite("The clock of a sound card")
struct SoundClockTests {
    private static let begin = HostTime(nanoseconds: 5_000_000_000_000)

    /// A card that is too quick by so many parts in a million, seen every 10 ms.
    private struct Card {
        var clock = SoundClock(sampleRate: 48_000)
        let drift: Double
        var position: UInt64 = 0
        var dice = Dice(seed: 7)
        /// By how much its time has been moved.
        var shift = Duration.zero

        init(drift: Double) { self.drift = drift }

        /// When the frame was really taken.
        func truth(_ position: UInt64) -> HostTime {
            let seconds = Double(position) / (48_000 * (1 + drift / 1_000_000))
            return SoundClockTests.begin + .nanoseconds(Int64(seconds * 1_000_000_000)) + shift
        }

        /// Sees it for so long, each stamp up to `jitter` too late.
        mutating func run(seconds: Int, jitter: Duration = .zero) -> [SoundClock.Outcome] {
            (0..<seconds * 100).map { _ in
                position += 480
                let late = Int64.random(in: 0...jitter.wholeNanoseconds, using: &dice)
                return clock.note(position: position, at: truth(position) + .nanoseconds(late))
            }
        }

        /// How far the clock is from the truth, in milliseconds.
        func error(at position: UInt64) -> Double {
            guard let time = clock.time(of: position) else { return .infinity }
            return Double((time - truth(position)).wholeNanoseconds) / 1_000_000
        }
    }

    @Test("Before the first stamp no time is known; the first one is believed")
    func first() {
        var clock = SoundClock(sampleRate: 8000)
        #expect(clock.time(of: 0) == nil)
        #expect(clock.note(position: 800, at: Self.begin) == .steady)
        #expect(clock.time(of: 800) == Self.begin)
        #expect(clock.time(of: 0) == Self.begin + .milliseconds(-100))
        #expect(clock.time(of: 1600) == Self.begin + .milliseconds(100))
    }

    @Test("Exact stamps of an exact card give exact times")
    func exact() {
        var card = Card(drift: 0)
        #expect(card.run(seconds: 60).allSatisfy { $0 == .steady })
        #expect(abs(card.clock.drift) < 0.01)
        #expect(abs(card.error(at: card.position)) < 0.0001)
    }

    @Test("A drift is found within ten seconds, and followed to the end", arguments: [100.0, -100, 500, -2000])
    func drift(parts: Double) {
        var card = Card(drift: parts)
        _ = card.run(seconds: 10)
        #expect(abs(card.clock.drift - parts) < 0.1 * abs(parts), "\(card.clock.drift)")
        _ = card.run(seconds: 590)
        #expect(abs(card.clock.drift - parts) < 0.5, "\(card.clock.drift)")
        #expect(abs(card.error(at: card.position)) < 0.01)
    }

    @Test("Stamps that tremble by 5 ms move the times by less than a quarter of one, and the rate by 20 ppm")
    func jitter() {
        var card = Card(drift: 100)
        _ = card.run(seconds: 60, jitter: .milliseconds(5))
        var (worst, fastest, slowest) = (0.0, 0.0, 1e9)
        var last = card.clock.time(of: card.position)
        for _ in 0..<54_000 {
            card.position += 480
            let late = Duration.nanoseconds(Int64.random(in: 0...5_000_000, using: &card.dice))
            _ = card.clock.note(position: card.position, at: card.truth(card.position) + late)
            // On average a stamp is 2.5 ms late.
            worst = max(worst, abs(card.error(at: card.position) - 2.5))
            let time = card.clock.time(of: card.position)
            if let time, let last {
                fastest = max(fastest, Double((time - last).wholeNanoseconds))
                slowest = min(slowest, Double((time - last).wholeNanoseconds))
            }
            last = time
        }
        #expect(worst < 0.25, "\(worst) ms")
        #expect(abs(card.clock.drift - 100) < 20, "\(card.clock.drift)")
        // From buffer to buffer, 10 ms are 10 ms.
        #expect(slowest > 9_980_000 && fastest < 10_020_000, "\(slowest) \(fastest)")
    }

    @Test("A single late wake-up, of whatever length, moves nothing", arguments: [20, 90, 400, 5000])
    func lateStamp(milliseconds: Int) {
        var card = Card(drift: 50)
        _ = card.run(seconds: 30, jitter: .milliseconds(1))
        let before = card.error(at: card.position)
        card.position += 480
        let outcome = card.clock.note(
            position: card.position, at: card.truth(card.position) + .milliseconds(milliseconds))
        #expect(outcome == .steady)
        #expect(abs(card.error(at: card.position) - before) < 0.05)
        #expect(card.run(seconds: 10, jitter: .milliseconds(1)).allSatisfy { $0 == .steady })
        #expect(abs(card.clock.drift - 50) < 20, "\(card.clock.drift)")
    }

    @Test("Stamps that have moved for good are believed after the fifth, once", arguments: [-3000, -200, 200, 60_000])
    func step(milliseconds: Int) {
        var card = Card(drift: 0)
        _ = card.run(seconds: 30)
        card.shift = .milliseconds(milliseconds)
        let outcomes = card.run(seconds: 1)
        #expect(outcomes.prefix(4).allSatisfy { $0 == .steady })
        guard case .stepped(let by) = outcomes[4] else {
            Issue.record("the step was not seen: \(outcomes[4])")
            return
        }
        #expect(abs((by - card.shift).wholeNanoseconds) < 100_000)
        #expect(outcomes.dropFirst(5).allSatisfy { $0 == .steady })
        #expect(abs(card.error(at: card.position)) < 0.1)
    }

    @Test("After an interruption the rate is still known")
    func restart() {
        var card = Card(drift: 300)
        _ = card.run(seconds: 60)
        card.clock.restart()
        #expect(card.clock.time(of: card.position) == nil)
        #expect(abs(card.clock.drift - 300) < 5)
        card.shift = .seconds(100)
        #expect(card.run(seconds: 2).allSatisfy { $0 == .steady })
        #expect(abs(card.error(at: card.position)) < 0.01)
    }

    @Test("A position that does not advance, or goes back, changes nothing")
    func sameAgain() {
        var card = Card(drift: 0)
        _ = card.run(seconds: 5)
        let time = card.clock.time(of: card.position)
        #expect(card.clock.note(position: card.position, at: Self.begin + .seconds(99)) == .steady)
        #expect(card.clock.note(position: 3, at: Self.begin + .seconds(99)) == .steady)
        #expect(card.clock.time(of: card.position) == time)
    }
}
