// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraMedia
import Testing

@testable import ObscuraCapture

@Suite struct AudioLevelTests {
    private func sound(_ samples: AudioBuffer.Samples, _ format: AudioFormat) -> AudioBuffer {
        AudioBuffer(format: format, samples: samples, presentationTime: .zero, hostTime: HostTime(nanoseconds: 0))
    }

    private func sine(_ amplitude: Double, count: Int, rate: Int = 48_000) -> [Float] {
        (0..<count).map { Float(amplitude * sin(2 * .pi * 1000 * Double($0) / Double(rate))) }
    }

    @Test("A sine of -6 dBFS has that peak and 3.01 dB less on average, in each type of sample", arguments: [0, 1, 2])
    func sine(_ type: Int) throws {
        let format = AudioFormat(channelCount: 1)
        let wave = sine(pow(10, -6.0 / 20), count: 1920)
        let samples: AudioBuffer.Samples =
            switch type {
            case 0: .float32(wave)
            case 1: .int16(wave.map { Int16(($0 * 32_768).rounded()) })
            default: .int32(wave.map { Int32((Double($0) * 2_147_483_648).rounded()) })
            }
        var meter = AudioLevelMeter(channelCount: 1, sampleRate: 48_000)
        let reading = meter.add(sound(samples, format))
        let level = try #require(reading?.first)
        #expect(abs(level.peak + 6) < 0.01)
        #expect(abs(level.average + 9.01) < 0.01)
    }

    @Test("There are 25 readings a second, whatever the size of the buffers")
    func readings() {
        let format = AudioFormat(channelCount: 1)
        for length in [1, 77, 480, 1024, 4096, 48_000] {
            var meter = AudioLevelMeter(channelCount: 1, sampleRate: 48_000)
            var heard = 0
            for _ in 0..<(96_000 / length)
            where meter.add(sound(.float32(.init(repeating: 0.5, count: length)), format)) != nil {
                heard += 1
            }
            // A buffer that is longer than a reading shows the last one of it.
            let expected = length <= 1920 ? 96_000 / length * length / 1920 : 96_000 / length
            #expect(heard == expected, "\(length)")
        }
    }

    @Test("Each channel has its own level, interleaved or planar")
    func channels() throws {
        var format = AudioFormat(channelCount: 2)
        let interleaved: [Float] = (0..<3840).map { $0 % 2 == 0 ? 0.5 : 0.25 }
        var meter = AudioLevelMeter(channelCount: 2, sampleRate: 48_000)
        let reading = meter.add(sound(.float32(interleaved), format))
        let levels = try #require(reading)
        format.isInterleaved = false
        let planar = [Float](repeating: 0.5, count: 1920) + [Float](repeating: 0.25, count: 1920)
        var other = AudioLevelMeter(channelCount: 2, sampleRate: 48_000)
        #expect(other.add(sound(.float32(planar), format)) == levels)
        #expect(abs(levels[0].peak + 6.02) < 0.01 && abs(levels[1].peak + 12.04) < 0.01)
    }

    @Test("A peak is held for 1.5 s, and then falls by 20 dB in 1.7 s")
    func peakHold() throws {
        var meter = AudioLevelMeter(channelCount: 1, sampleRate: 1000)
        let format = AudioFormat(sampleRate: 1000, channelCount: 1)
        func reading(_ value: Float) throws -> AudioLevel {
            let levels = meter.add(sound(.float32(.init(repeating: value, count: 40)), format))
            return try #require(levels?.first)
        }
        #expect(try reading(0.5).peakHold == reading(0.5).peak)
        // 1.5 s are 37.5 readings, and a reading lets it fall by 0.47 dB.
        let held = try (0..<80).map { _ in try reading(0.01).peakHold }
        #expect(held[..<37].allSatisfy { abs($0 + 6.02) < 0.01 })
        #expect(abs(held[37] + 6.49) < 0.01 && abs(held[79] + 6.02 + 43 * 0.4706) < 0.02)
        // A higher peak is held in its place; silence in the end.
        #expect(abs(try reading(0.25).peakHold + 12.04) < 0.01)
        #expect(try (0..<400).map { _ in try reading(0).peakHold }.last == -120)
    }

    @Test("Silence and what is no number read as silence")
    func silence() throws {
        var meter = AudioLevelMeter(channelCount: 1, sampleRate: 25)
        let format = AudioFormat(sampleRate: 25, channelCount: 1)
        #expect(meter.add(sound(.float32([0]), format)) == [.silence])
        #expect(meter.add(sound(.float32([.nan]), format)) == [.silence])
        #expect(meter.add(sound(.float32([.infinity]), format)) == [.silence])
        #expect(meter.add(sound(.int16([.min]), format))?.first?.peak == 0)
    }

    @Test("Volume is heard and seen on its channel alone, and is held to what cannot clip")
    func volume() throws {
        let mixer = AudioMixer()
        let format = AudioFormat(sampleRate: 25, channelCount: 2)
        let first = mixer.mix(sound(.int16([1000, 1000]), format))
        #expect(first.samples == .int16([1000, 1000]))
        #expect(mixer.channels.count == 2)
        mixer.channels[1].volume = 0.5
        #expect(mixer.mix(sound(.int16([1000, 1000]), format)).samples == .int16([1000, 500]))
        #expect(abs(mixer.channels[0].level.peak - mixer.channels[1].level.peak - 6.02) < 0.01)
        mixer.channels[0].isEnabled = false
        #expect(mixer.mix(sound(.int32([.min, .min]), format)).samples == .int32([0, .min / 2]))
        mixer.channels[1].volume = 7
        #expect(mixer.channels[1].volume == 1)
        mixer.channels[1].volume = .nan
        #expect(mixer.channels[1].volume == 1)
    }
}
