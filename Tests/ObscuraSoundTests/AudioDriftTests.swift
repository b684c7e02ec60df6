// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraFFmpeg
@testable import ObscuraMovies

/// The sound of a card whose clock drifts, for an hour: the movie has it at the right times, and without clicks.
@Suite struct AudioDriftTests {
    private static let rate = 48_000
    private static let period = 480
    private static let hour = isLongForm ? 3600 : 900

    /// A card that is too fast by so many parts in a million, whose periods come with wrong times, and which loses one
    /// period in the middle.
    private struct Card {
        let drift: Double
        /// How wrong its times are at most, in seconds.
        var jitter = 0.003
        var losesPeriod = true

        /// Gives its sound to a movie of so many seconds, and the movie's samples to `take`.
        func record(_ seconds: Int, _ sound: (Double) -> Double, _ take: ([Int16]) -> Void) throws -> Double? {
            let format = AudioFormat(sampleType: .int16, sampleRate: rate, channelCount: 1)
            let settings = AudioSettings(codec: .pcm, sampleRate: rate, channelCount: 1)
            let track = try AudioTrack(settings, subject: "drift")
            var dice = Dice(seed: 3)
            let periods = seconds * rate / period
            func hand(_ packets: [EncodedPacket]) {
                for packet in packets {
                    packet.bytes.withUnsafeBytes { take(Array($0.bindMemory(to: Int16.self))) }
                }
            }
            track.begin(at: .zero)
            for number in 0..<periods where !losesPeriod || number != periods / 2 {
                let begin = Double(number * period) / (Double(rate) * (1 + drift / 1_000_000))
                let samples = (0..<period).map { index -> Int16 in
                    let time = begin + Double(index) / (Double(rate) * (1 + drift / 1_000_000))
                    return Int16((sound(time) * 32_767).rounded())
                }
                // The first one tells where the movie begins.
                let error = number == 0 ? 0 : Double.random(in: -jitter...jitter, using: &dice)
                let time = MediaTime(value: Int64((max(0, begin + error) * 1e9).rounded()), timescale: 1_000_000_000)
                var attachments = AudioBuffer.Attachments()
                attachments.gap = losesPeriod && number == periods / 2 + 1 ? UInt64(period) : 0
                hand(
                    try track.append(
                        AudioBuffer(
                            format: format, samples: .int16(samples), presentationTime: time,
                            hostTime: HostTime(nanoseconds: time.nanoseconds), position: UInt64(number * period),
                            attachments: attachments), at: time))
            }
            hand(try track.endStretch(at: nil))
            hand(try track.finish())
            return track.drift
        }
    }

    @Test("Each beep stays within 5 ms of its second", arguments: [200.0, -200])
    func beeps(drift: Double) throws {
        var (position, quiet, beeps): (Int, Int, [Double]) = (0, .max, [])
        let found = try Card(drift: drift).record(
            Self.hour,
            { time in
                // A beep of 30 ms at each second, from 0.1 s on.
                let place = (time - 0.1).truncatingRemainder(dividingBy: 1)
                return place >= 0 && place < 0.03 ? 0.5 * sin(2 * .pi * 2000 * place) : 0
            },
            { samples in
                for sample in samples {
                    if abs(Int(sample)) > 3000 {
                        if quiet > Self.rate / 2 { beeps.append(Double(position) / Double(Self.rate)) }
                        quiet = 0
                    } else {
                        quiet = quiet == .max ? quiet : quiet + 1
                    }
                    position += 1
                }
            })
        #expect(abs(beeps.count - Self.hour) <= 1)
        let errors = beeps.enumerated().map { $1 - 0.1 - Double($0) }
        let worst = errors.map(abs).max() ?? 1
        #expect(worst < 0.005, "\(worst)")
        #expect(abs((found ?? 0) - drift) < 15, "\(String(describing: found))")
    }

    @Test("A tone has no clicks, neither from the correction nor around a lost period", arguments: [200.0, -200, 3000])
    func clicks(drift: Double) throws {
        let spectrum = Spectrum(size: 2048)
        var (worst, samples): (Double, [Float]) = (0, [])
        // The whole time of the loop's beginning, and a lost period after it.
        _ = try Card(drift: drift).record(60, { 0.5 * sin(2 * .pi * 1000 * $0) }) { more in
            samples += more.map { Float($0) / 32_768 }
            while samples.count >= spectrum.size {
                worst = max(worst, spectrum.share(of: samples[..<spectrum.size], outside: 0...4000, Self.rate))
                samples.removeFirst(spectrum.size / 2)
            }
        }
        #expect(20 * log10(worst) < -60, "\(20 * log10(worst)) dB")
    }

    /// The samples of a movie of a tone of 440 Hz, in the buffers that `buffers` makes of it.
    private func movie(
        _ settings: AudioSettings = AudioSettings(codec: .pcm, sampleRate: rate, channelCount: 1), isLive: Bool = false,
        _ append: (AudioTrack, ([EncodedPacket]) -> Void) throws -> Void
    ) throws -> (samples: [Int16], drift: Double?) {
        let track = try AudioTrack(settings, subject: "drift", isLive: isLive)
        var samples: [Int16] = []
        func take(_ packets: [EncodedPacket]) {
            for packet in packets { packet.bytes.withUnsafeBytes { samples += $0.bindMemory(to: Int16.self) } }
        }
        track.begin(at: .zero)
        try append(track, take)
        take(try track.endStretch(at: nil))
        take(try track.finish())
        return (samples, track.drift)
    }

    /// Part of a tone of 440 Hz that begins at time 0.
    private func tone(_ range: Range<Int>, rate: Int = rate, position: Int? = nil) -> AudioBuffer {
        let samples = range.map { Int16((16_000 * sin(2 * .pi * 440 * Double($0) / Double(rate))).rounded()) }
        let time = MediaTime(value: Int64(range.lowerBound), timescale: Int32(rate))
        return AudioBuffer(
            format: AudioFormat(sampleType: .int16, sampleRate: rate, channelCount: 1), samples: .int16(samples),
            presentationTime: time, hostTime: HostTime(nanoseconds: time.nanoseconds),
            position: UInt64(position ?? range.lowerBound))
    }

    @Test(arguments: [false, true])
    func `A buffer that a full queue dropped is silence, and the rest is in its place`(isLive: Bool) throws {
        let (samples, drift) = try movie(isLive: isLive) { track, take in
            for number in 0..<2000 where number != 700 {
                let buffer = tone(number * 480..<(number + 1) * 480)
                take(try track.append(buffer, at: buffer.presentationTime))
            }
        }
        let whole = (0..<960_000).map { Int16((16_000 * sin(2 * .pi * 440 * Double($0) / 48_000)).rounded()) }
        #expect(samples.count == 960_000 && samples[336_000..<336_480].allSatisfy { $0 == 0 })
        #expect(samples[..<335_760] == whole[..<335_760] && samples[336_720...] == whole[336_720...])
        // Faded, instead of a step.
        #expect(zip(samples, samples.dropFirst()).allSatisfy { abs(Int($0) - Int($1)) < 1000 })
        #expect(abs(drift ?? 1) < 0.001)
    }

    @Test func `A segment begins where it should, although the one before was longer than its place`() throws {
        let (samples, drift) = try movie { track, take in
            for number in 0..<10 {
                let buffer = tone(number * 4800..<(number + 1) * 4800)
                take(try track.append(buffer, at: buffer.presentationTime))
            }
            let place = MediaTime(value: 44_160, timescale: 48_000)
            take(try track.endStretch(at: place))
            track.begin(at: place)
            for number in 0..<110 {
                let buffer = tone(number * 4800..<(number + 1) * 4800, position: 1_000_000 + number * 4800)
                take(try track.append(buffer, at: place + buffer.presentationTime))
            }
        }
        // What could not be cut off replaces the beginning; then each sample is in its place.
        #expect(samples.count == 44_160 + 528_000)
        #expect((50_000..<500_000).allSatisfy { samples[$0 + 44_160] == tone(for: $0) })
        #expect(abs(drift ?? 1) < 0.001)
    }

    private func tone(for index: Int) -> Int16 {
        Int16((16_000 * sin(2 * .pi * 440 * Double(index) / 48_000)).rounded())
    }

    @Test func `Audio of another rate, without positions, has no drift`() throws {
        let (samples, drift) = try movie { track, take in
            for number in 0..<600 {
                let buffer = tone(number * 1024..<(number + 1) * 1024, rate: 44_100, position: 0)
                take(try track.append(buffer, at: buffer.presentationTime))
            }
        }
        #expect(samples.count == (600 * 1024 * 480 + 220) / 441)
        #expect(abs(drift ?? 1000) < 5)
    }

    @Test func `Audio that is timed by its arrival in bursts stays whole`() throws {
        // Four buffers at a time, 85 ms in one moment.
        let (samples, drift) = try movie { track, take in
            for number in 0..<2000 {
                var buffer = tone(number * 1024..<(number + 1) * 1024)
                buffer.attachments.isTimeEstimated = true
                take(try track.append(buffer, at: tone(number / 4 * 4096..<number / 4 * 4096 + 1).presentationTime))
            }
        }
        #expect(abs(samples.count - 2000 * 1024) < 4096)
        // Not a piece of silence in it.
        let loud = stride(from: 480, to: samples.count - 480, by: 480).allSatisfy { begin in
            samples[begin..<begin + 480].contains { abs(Int($0)) > 12_000 }
        }
        #expect(loud && drift == nil)
    }

    @Test func `Sound whose times go back continues exact to the sample`() throws {
        // 0.53 s, and not whole periods: the first one that is used ends 10 ms after the sound before it.
        let back = 25_432
        let (samples, _) = try movie { track, take in
            for number in 0..<400 {
                let buffer = tone(number * 480..<(number + 1) * 480)
                let place = number < 100 ? number * 480 : number * 480 - back
                take(try track.append(buffer, at: MediaTime(value: Int64(place), timescale: 48_000)))
            }
        }
        #expect(samples.count == 400 * 480 - back)
        #expect((0..<48_000).allSatisfy { samples[$0] == tone(for: $0) })
        #expect((48_000..<samples.count).allSatisfy { samples[$0] == tone(for: $0 + back) })
    }

    @Test func `Times out of any range are skipped`() throws {
        let (samples, _) = try movie { track, take in
            let buffer = tone(0..<480)
            take(try track.append(buffer, at: .zero))
            for time in [MediaTime(value: .min, timescale: 1), MediaTime(value: .min + 1, timescale: 1_000_000_000)] {
                take(try track.append(buffer, at: time))
            }
            take(try track.append(buffer, at: buffer.presentationTime + buffer.duration))
        }
        #expect(samples.count == 960)
    }

    @Test func `Audio that keeps to its times is not changed`() throws {
        var (heard, given): ([Int16], [Int16]) = ([], [])
        let drift = try Card(drift: 0, jitter: 0.0019, losesPeriod: false).record(
            20, { 0.5 * sin(2 * .pi * 440 * $0) }, { heard += $0 })
        given = (0..<20 * Self.rate).map { index in
            let (number, offset) = (index / Self.period, index % Self.period)
            let time = Double(number * Self.period) / Double(Self.rate) + Double(offset) / Double(Self.rate)
            return Int16((0.5 * sin(2 * .pi * 440 * time) * 32_767).rounded())
        }
        #expect(heard == given)
        #expect(abs(drift ?? 1000) < 200)
    }
}
