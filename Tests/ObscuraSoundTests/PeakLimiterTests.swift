// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import TestSupport
import Testing

@testable import ObscuraMovies

@Suite struct PeakLimiterTests {
    /// A tone, interleaved on so many channels.
    private func tone(_ amplitude: Float, count: Int, channels: Int = 2, frequency: Double = 440) -> [Float] {
        let step = 2 * Double.pi * frequency / 48_000
        return (0..<count).flatMap { frame -> [Float] in
            let sample = amplitude * Float(sin(step * Double(frame)))
            return [Float](repeating: sample, count: channels)
        }
    }

    @Test func `Audio within full scale passes unchanged`() {
        for amplitude in [0, 0.5, 1] as [Float] {
            var limiter = PeakLimiter(sampleRate: 48_000, channelCount: 2)
            let input = tone(amplitude, count: 4800)
            var output: [Float] = []
            for start in stride(from: 0, to: input.count, by: 960) {
                output += limiter.limit(Array(input[start..<start + 960]))
            }
            #expect(output.count == input.count)
            #expect(Array(output.dropFirst(limiter.delay * 2)) == Array(input.dropLast(limiter.delay * 2)))
            #expect(output.prefix(limiter.delay * 2).allSatisfy { $0 == 0 })
        }
    }

    @Test func `No peak exceeds full scale, whatever comes`() {
        var dice = Dice(seed: 5)
        var limiter = PeakLimiter(sampleRate: 8_000, channelCount: 1)
        for _ in 0..<200 {
            let loudness = Float.random(in: 0...8, using: &dice)
            let block = (0..<80).map { _ in Float.random(in: -loudness...loudness, using: &dice) }
            #expect(limiter.limit(block).allSatisfy { abs($0) <= 1 })
        }
        // After it, quiet audio is soon itself again.
        let quiet = tone(0.5, count: 16_000, channels: 1)
        let output = limiter.limit(quiet)
        #expect(Array(output.suffix(1000)) == Array(quiet.dropLast(limiter.delay).suffix(1000)))
    }

    @Test func `The gain changes without steps, and is the same for both channels`() throws {
        var limiter = PeakLimiter(sampleRate: 48_000, channelCount: 2)
        // One loud channel for 50 ms; the other one is constant.
        let input = (0..<14_400).flatMap { frame in
            [(4_800..<7_200).contains(frame) ? 2 as Float : 0.5, 0.5 as Float]
        }
        let output = limiter.limit(input)
        let other = stride(from: 1, to: output.count, by: 2).map { output[$0] }.dropFirst(limiter.delay)
        #expect(other.allSatisfy { $0 >= 0.2499 && $0 <= 0.5 })
        let steps = zip(other, other.dropFirst()).map { abs($0 - $1) }
        // Half of it within the look-ahead of 240 frames.
        #expect(try #require(steps.max()) < 0.5 / 2 / 200)
        #expect(output.allSatisfy { $0 <= 1 })
    }
    @Test func `Samples that are not finite numbers are silent, and change no others`() {
        var limiter = PeakLimiter(sampleRate: 48_000, channelCount: 2)
        var input = tone(0.5, count: 4800)
        (input[1000], input[1500]) = (.infinity, .nan)
        let output = limiter.limit(input)
        (input[1000], input[1500]) = (0, 0)
        #expect(Array(output.dropFirst(limiter.delay * 2)) == Array(input.dropLast(limiter.delay * 2)))
    }
}
