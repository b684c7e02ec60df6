// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraMovies

/// The sound of one source of a mix: in its place, without clicks.
@Suite struct MixerTrackTests {
    private static let rate = 48_000
    private static let block = 480
    private static let mix = AudioFormat(sampleRate: rate, channelCount: 1)
    private static let begin = HostTime(nanoseconds: 1_000_000_000_000)

    /// A card whose clock is fast by so many parts in a million, and whose times are wrong by up to `jitter` seconds.
    private struct Card {
        var format = AudioFormat(sampleType: .int16, sampleRate: rate, channelCount: 1)
        var drift = 0.0
        var jitter = 0.0
        /// The periods that are not delivered.
        var lost: Set<Int> = []
        var sound: (Double) -> Double

        /// The period of 10 ms with this number, with the time at which it is complete, in seconds of the mix.
        func period(_ number: Int, _ dice: inout Dice) -> (buffer: AudioBuffer, at: Double) {
            let count = format.sampleRate / 100
            let length = Double(count) / (Double(format.sampleRate) * (1 + drift / 1e6))
            let start = Double(number) * length
            let samples = (0..<count).flatMap { index in
                let value = Int16((sound(start + length * Double(index) / Double(count)) * 32_767).rounded())
                return [Int16](repeating: value, count: format.channelCount)
            }
            let error = jitter == 0 ? 0 : Double.random(in: -jitter...jitter, using: &dice)
            var notes = AudioBuffer.Attachments()
            notes.gap = lost.contains(number - 1) ? UInt64(count) : 0
            let time = begin + .nanoseconds(Int64((start + error) * 1e9))
            return (
                AudioBuffer(
                    format: format, samples: .int16(samples), presentationTime: time.mediaTime, hostTime: time,
                    position: UInt64(number * count), attachments: notes), start + length
            )
        }
    }

    /// Mixes the cards for some seconds, each with its gain, and returns the mix and the number of missing frames.
    private func mixed(
        _ cards: [Card], seconds: Int, to format: AudioFormat = mix, gains: (Int) -> [[Float]]
    ) throws -> (samples: [Float], missing: [Int]) {
        let tracks = cards.map { _ in MixerTrack(format) }
        var dice = Dice(seed: 9)
        var next = [Int](repeating: 0, count: cards.count)
        var missing = next
        var samples: [Float] = []
        for number in 0..<seconds * 100 {
            // The mixer waits for 60 ms.
            let now = Double(number + 1) * 0.01 + 0.06
            for (index, card) in cards.enumerated() {
                while true {
                    let (buffer, at) = card.period(next[index], &dice)
                    guard at <= now else { break }
                    if !card.lost.contains(next[index]) { try tracks[index].add(buffer, begin: Self.begin) }
                    next[index] += 1
                }
            }
            var block = [Float](repeating: 0, count: Self.block * format.channelCount)
            for (index, track) in tracks.enumerated() {
                missing[index] += track.take(
                    at: Int64(number * Self.block), into: &block, gains(number)[index])
            }
            samples += block
        }
        return (samples, missing)
    }

    private static func tone(_ frequency: Double, _ amplitude: Double = 0.25) -> (Double) -> Double {
        { amplitude * sin(2 * .pi * frequency * $0) }
    }

    @Test func `Sources that keep to their times are added sample for sample, with their gains`() throws {
        let format = AudioFormat(sampleRate: Self.rate, channelCount: 2)
        let cards = [Card(sound: Self.tone(440)), Card(sound: Self.tone(1000))]
        let (samples, missing) = try mixed(cards, seconds: 1, to: format) { _ in [[0.5, 0], [1, 2]] }
        #expect(missing == [0, 0])
        for frame in stride(from: 480, to: 48_000, by: 7) {
            let time = Double(frame) / 48_000
            let (first, second) = (Self.quantized(cards[0].sound(time)), Self.quantized(cards[1].sound(time)))
            #expect(abs(samples[2 * frame] - (0.5 * first + second)) < 1e-6)
            #expect(abs(samples[2 * frame + 1] - 2 * second) < 1e-6)
        }
    }

    private static func quantized(_ value: Double) -> Float { Float((value * 32_767).rounded()) / 32_768 }

    @Test func `Cards that drift apart stay together, within 5 ms`() throws {
        // Each card beeps at its own pitch at each second.
        func beep(_ frequency: Double) -> (Double) -> Double {
            { time in
                let place = (time - 0.1).truncatingRemainder(dividingBy: 1)
                return place >= 0 && place < 0.03 ? 0.4 * sin(2 * .pi * frequency * place) : 0
            }
        }
        let seconds = isLongForm ? 3600 : 300
        for drift in [200.0, -200] {
            let card = Card(drift: drift, jitter: 0.003, lost: [seconds * 50], sound: beep(2000))
            let (samples, _) = try mixed([card], seconds: seconds) { _ in [[1]] }
            var (beeps, quiet): ([Double], Int) = ([], .max)
            for (position, sample) in samples.enumerated() {
                if abs(sample) > 0.1 {
                    if quiet > Self.rate / 2 { beeps.append(Double(position) / Double(Self.rate)) }
                    quiet = 0
                } else if quiet < .max {
                    quiet += 1
                }
            }
            #expect(abs(beeps.count - seconds) <= 1)
            let worst = beeps.map { abs(($0 - 0.1) - ($0 - 0.1).rounded()) }.max() ?? 1
            #expect(worst < 0.005, "\(drift): \(worst)")
        }
    }

    @Test func `Corrections, lost periods and changes of the gain make no clicks`() throws {
        let spectrum = Spectrum(size: 2048)
        let cards = [
            Card(
                format: AudioFormat(sampleType: .int16, sampleRate: 44_100, channelCount: 2), drift: 150, jitter: 0.002,
                lost: [900, 901], sound: Self.tone(1000, 0.4))
        ]
        let (samples, missing) = try mixed(cards, seconds: 20) { number in [[number / 300 % 2 == 0 ? 1 : 0.3]] }
        #expect(missing[0] > 480 && missing[0] < 4_800)
        var worst = 0.0
        // Not the first fade.
        for start in stride(from: 4_800, to: samples.count - 2_048, by: 512) {
            worst = max(worst, spectrum.share(of: samples[start..<start + 2_048], outside: 0...4_000, Self.rate))
        }
        #expect(20 * log10(worst) < -60, "\(20 * log10(worst)) dB")
    }

    @Test func `Sound whose times go back continues exact to the sample`() throws {
        let (track, back) = (MixerTrack(Self.mix), 25_432)
        var samples: [Float] = []
        for number in 0..<300 {
            let place = number < 100 ? number * 480 : number * 480 - back
            let time = Self.begin + MediaTime(value: Int64(place), timescale: 48_000).duration
            let values = (0..<480).map { Float(number * 480 + $0) / 100_000 }
            try track.add(
                AudioBuffer(
                    format: Self.mix, samples: .float32(values), presentationTime: time.mediaTime, hostTime: time,
                    position: UInt64(number * 480)), begin: Self.begin)
            // More sound waits than the times go back.
            if number >= 70 {
                var block = [Float](repeating: 0, count: Self.block)
                _ = track.take(at: Int64(samples.count), into: &block, [1])
                samples += block
            }
        }
        // After the fade at the beginning.
        #expect((480..<48_000).allSatisfy { samples[$0] == Float($0) / 100_000 })
        #expect((48_000..<samples.count).allSatisfy { samples[$0] == Float($0 + back) / 100_000 })
    }

    @Test func `Sound that comes too late, too early or never is silence, which is counted`() throws {
        let track = MixerTrack(Self.mix)
        func take(_ number: Int) -> ([Float], Int) {
            var block = [Float](repeating: 0, count: Self.block)
            let missing = track.take(at: Int64(number * Self.block), into: &block, [1])
            return (block, missing)
        }
        func give(at seconds: Double, frames: Int = 480, position: UInt64 = 0) throws {
            let time = Self.begin + .nanoseconds(Int64(seconds * 1e9))
            try track.add(
                AudioBuffer(
                    format: Self.mix, samples: .float32([Float](repeating: 0.5, count: frames)),
                    presentationTime: time.mediaTime, hostTime: time, position: position), begin: Self.begin)
        }
        #expect(take(0) == ([Float](repeating: 0, count: 480), 480))
        // The first half is late.
        try give(at: 0.005)
        let (half, missing) = take(1)
        #expect(missing == 240 && half[120] > 0 && half[479] == 0)
        // In the future.
        try give(at: 0.045, position: 480)
        #expect(take(2).1 == 480 && take(3).1 == 480)
        #expect(take(4).1 == 240)
        // Times that no clock has.
        for seconds in [-1e9, 9e9] { try give(at: seconds, position: 5_000) }
        try give(at: 0.06, position: 20_000)
        #expect(take(5).1 == 240 && take(6).1 == 0)
        // A device that delivers much at once is limited to two seconds.
        let other = MixerTrack(Self.mix)
        let time = Self.begin
        for number in 0..<1000 {
            try other.add(
                AudioBuffer(
                    format: Self.mix, samples: .float32([Float](repeating: 0.1, count: 480)),
                    presentationTime: time.mediaTime, hostTime: time + .milliseconds(10 * number),
                    position: UInt64(number * 480)), begin: Self.begin)
        }
        var block = [Float](repeating: 0, count: Self.block)
        #expect(other.take(at: 0, into: &block, [1]) == 480)
        #expect(other.take(at: Int64(998 * 480), into: &block, [1]) == 0)
    }
}
