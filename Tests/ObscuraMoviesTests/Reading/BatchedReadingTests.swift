// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import Testing

@testable import ObscuraMovies

/// Streams whose packets arrive at known times, read by a simulated reader.
@Suite struct BatchedReadingTests {
    /// The reading of a stream.
    private struct Reading {
        /// The number of times that the reader had to wait, or paused.
        var wakeUps = 0
        var pauses: [Duration] = []
        /// The longest time from the arrival of a packet until it was read.
        var longestDelay = Duration.zero
        /// The times at which packets were read that had just arrived.
        var exact: [HostTime] = []
    }

    /// - Parameters:
    ///   - interval: the time between two packets.
    ///   - work: the time that reading a packet takes.
    ///   - network: the delay of the packets.
    private func read(
        seconds: Int = 20, every interval: Duration, bytes: Int, work: Duration = .microseconds(100),
        network: Duration = .zero
    ) -> Reading {
        var (reading, batches) = (Reading(), BatchedReading())
        let start = HostTime(nanoseconds: 1_000_000_000_000)
        var now = start
        for number in 0..<Int(.seconds(seconds) / interval) {
            let captured = start + interval * number
            let arrival = captured + network
            let begin = now
            if arrival > now {
                now = arrival
                reading.wakeUps += 1
                reading.exact.append(now)
            }
            reading.longestDelay = max(reading.longestDelay, now - arrival)
            now = now + work
            guard let pause = batches.pause(after: bytes, waited: now - begin, captured: captured, now: now) else {
                continue
            }
            reading.pauses.append(pause)
            reading.wakeUps += 1
            now = now + pause
        }
        return reading
    }

    @Test func `A camera's packets are read in batches of a tenth of a second`() {
        let reading = read(every: .milliseconds(13), bytes: 6000)
        // 77 packets per second.
        #expect(reading.wakeUps < 20 * 16)
        #expect(reading.longestDelay < .milliseconds(170))
        #expect(!reading.pauses.isEmpty && reading.pauses.allSatisfy { $0 == .milliseconds(100) })
    }

    @Test func `Twice a second a packet has an exact time of arrival`() {
        for interval in [3, 13, 40, 70, 100, 130] {
            let reading = read(every: .milliseconds(interval), bytes: 1000)
            for (time, next) in zip(reading.exact, reading.exact.dropFirst()) {
                #expect(next - time < .milliseconds(750), "\(interval) ms")
            }
            #expect(reading.exact.count >= 30, "\(interval) ms")
        }
    }

    @Test func `The pauses are shorter if more bytes arrive`() {
        // 40 Mbit/s.
        let reading = read(every: .milliseconds(2), bytes: 10_000)
        #expect(!reading.pauses.isEmpty && reading.pauses.allSatisfy { $0 < .milliseconds(11) })
    }

    @Test func `A reader that has no time does not pause`() {
        #expect(read(every: .milliseconds(10), bytes: 1000, work: .milliseconds(11)).pauses.count < 20)
    }

    @Test func `A reader that falls behind catches up`() {
        // Reading takes most of the time.
        let reading = read(every: .milliseconds(10), bytes: 1000, work: .milliseconds(8))
        #expect(reading.longestDelay < .seconds(1))
    }

    @Test func `Packets with a long delay are read when they arrive`() {
        let reading = read(every: .milliseconds(13), bytes: 1000, network: .milliseconds(200))
        #expect(reading.pauses.isEmpty && reading.longestDelay == .zero)
    }
}
