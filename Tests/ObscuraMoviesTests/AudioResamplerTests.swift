// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraMedia
import ObscuraMovies
import TestSupport
import Testing

@testable import ObscuraFFmpeg

@Suite struct AudioResamplerTests {
    private static let formats = AudioFormat.SampleType.allCases.flatMap { type in
        [true, false].map { AudioFormat(sampleType: type, isInterleaved: $0) }
    }

    /// A tone of 997 Hz, in pieces of different lengths; the second channel is upside down.
    private func tone(
        _ format: AudioFormat, frames: Int, amplitude: Double = 0.5,
        start: MediaTime = MediaTime(value: 7, timescale: 1)
    ) -> [AudioBuffer] {
        var dice = Dice(seed: 5)
        var made: [AudioBuffer] = []
        var position = 0
        while position < frames {
            let count = min(frames - position, Int.random(in: 1...3000, using: &dice))
            func value(_ index: Int) -> Double {
                let frame = format.isInterleaved ? index / format.channelCount : index % count
                let channel = format.isInterleaved ? index % format.channelCount : index / count
                let angle = 2 * Double.pi * 997 * Double(position + frame) / Double(format.sampleRate)
                return amplitude * sin(angle) * (channel % 2 == 0 ? 1 : -1)
            }
            let range = 0..<count * format.channelCount
            let samples: AudioBuffer.Samples =
                switch format.sampleType {
                case .int16: .int16(range.map { Int16((value($0) * 32_767).rounded()) })
                case .int32: .int32(range.map { Int32((value($0) * 2_147_483_647).rounded()) })
                case .float32: .float32(range.map { Float(value($0)) })
                }
            let time = start + format.duration(ofFrames: position)
            made.append(
                AudioBuffer(
                    format: format, samples: samples, presentationTime: time,
                    hostTime: HostTime(nanoseconds: time.nanoseconds), position: UInt64(position)))
            position += count
        }
        return made
    }

    private func convert(_ buffers: [AudioBuffer], to target: AudioFormat) throws -> [AudioBuffer] {
        let resampler = try AudioResampler(from: try #require(buffers.first).format, to: target)
        return try buffers.flatMap { try resampler.convert($0) } + [try resampler.finish()].compactMap { $0 }
    }

    @Test("Every type and layout of samples becomes every other, sample for sample", arguments: formats)
    func types(source: AudioFormat) throws {
        let input = tone(source, frames: 9_000)
        for target in Self.formats {
            let output = try convert(input, to: target)
            #expect(output.reduce(0) { $0 + $1.frameCount } == 9_000)
            for (before, after) in zip(input, output) {
                #expect(after.format == target && after.presentationTime == before.presentationTime)
                #expect(after.position == before.position && after.hostTime == before.hostTime)
                for frame in 0..<after.frameCount {
                    for channel in 0..<2 {
                        let difference = abs(
                            before[frame: frame, channel: channel] - after[frame: frame, channel: channel])
                        #expect(difference <= 1.01 / 32_768)
                    }
                }
            }
        }
    }

    @Test(
        "Another rate keeps the tone, its level, its number of samples and its times",
        arguments: [(48_000, 44_100), (44_100, 48_000), (48_000, 16_000), (8_000, 48_000), (96_000, 48_000)])
    func rates(from: Int, to: Int) throws {
        for isInterleaved in [true, false] {
            let source = AudioFormat(sampleRate: from, isInterleaved: !isInterleaved)
            let target = AudioFormat(sampleRate: to, isInterleaved: isInterleaved)
            let output = try convert(tone(source, frames: from * 2 + 1), to: target)
            let count = output.reduce(0) { $0 + $1.frameCount }
            #expect(count == Int((Double(from * 2 + 1) * Double(to) / Double(from)).rounded()))
            var next = MediaTime(value: 7, timescale: 1)
            var position: UInt64 = 0
            var peak: Float = 0
            for buffer in output {
                #expect(buffer.presentationTime == next && buffer.position == position)
                #expect(abs(buffer.hostTime.nanoseconds - next.nanoseconds) <= 1)
                for frame in 0..<buffer.frameCount {
                    let moment = (next - MediaTime(value: 7, timescale: 1)).seconds + Double(frame) / Double(to)
                    // The ends of the tone are edges, where a filter rings.
                    guard moment > 0.05, moment < 1.95 else { continue }
                    let exact = Float(0.5 * sin(2 * Double.pi * 997 * moment))
                    #expect(abs(buffer[frame: frame, channel: 0] - exact) < 0.003)
                    #expect(abs(buffer[frame: frame, channel: 1] + exact) < 0.003)
                    peak = max(peak, abs(buffer[frame: frame, channel: 0]))
                }
                next = next + buffer.duration
                position += UInt64(buffer.frameCount)
            }
            #expect(abs(20 * log10(Double(peak)) + 6.02) < 0.1)
        }
    }

    @Test("One channel is as loud in two, two are one as their mean, and channels without places keep theirs")
    func channels() throws {
        func samples(_ source: Int, _ target: Int, _ values: [Float]) throws -> [Float] {
            let input = AudioBuffer(
                format: AudioFormat(channelCount: source), samples: .float32(values), presentationTime: .zero,
                hostTime: .now)
            let output = try #require(try convert([input], to: AudioFormat(channelCount: target)).first)
            return (0..<target).map { output[frame: 0, channel: $0] }
        }
        #expect(try samples(1, 2, [0.9]) == [0.9, 0.9])
        #expect(try samples(2, 1, [0.9, 0.1]) == [0.5])
        #expect(try samples(1, 6, [0.9]) == [0.9, 0.9, 0, 0, 0, 0])
        #expect(try samples(11, 2, (0..<11).map { Float($0) / 16 }) == [0, 1 / 16])
        // Six channels at full scale stay within it.
        #expect(try samples(6, 2, [1, 1, 1, 1, 1, 1]).allSatisfy { $0 > 0.5 && $0 <= 1.0001 })
    }

    @Test("After lost samples the rest of what came before comes out, and the time begins anew")
    func breaks() throws {
        let (source, target) = (AudioFormat(sampleRate: 48_000), AudioFormat(sampleRate: 44_100))
        let resampler = try AudioResampler(from: source, to: target)
        let silence = AudioBuffer.Samples.float32([Float](repeating: 0, count: 9_600))
        func buffer(_ seconds: Int64, position: UInt64, gap: UInt64 = 0) -> AudioBuffer {
            var attachments = AudioBuffer.Attachments()
            attachments.gap = gap
            return AudioBuffer(
                format: source, samples: silence, presentationTime: MediaTime(value: seconds, timescale: 1),
                hostTime: HostTime(nanoseconds: seconds * 1_000_000_000), position: position, attachments: attachments)
        }
        let first = try resampler.convert(buffer(0, position: 0))
        let second = try resampler.convert(buffer(3, position: 144_000, gap: 139_200))
        #expect(first.count == 1 && second.count == 2)
        #expect((first + second.prefix(1)).reduce(0) { $0 + $1.frameCount } == 4_410)
        #expect(second[0].presentationTime == first[0].duration)
        #expect(second[1].presentationTime == MediaTime(value: 3, timescale: 1))
        #expect(second[1].attachments.gap == 139_200 && second[0].attachments.gap == 0)
        #expect(second[1].position == 132_300)
        let rest = try #require(try resampler.finish())
        #expect(second[1].frameCount + rest.frameCount == 4_410)
        #expect(try resampler.finish() == nil)
    }

    @Test("Positions at the end of their range, as a trace may have them, are converted")
    func lastPositions() throws {
        let source = AudioFormat()
        let resampler = try AudioResampler(from: source, to: AudioFormat(sampleRate: 44_100))
        for position in [UInt64.max - 100, .max, 0] {
            _ = try resampler.convert(
                AudioBuffer(
                    format: source, samples: .float32([Float](repeating: 0, count: 2 * 480)), presentationTime: .zero,
                    hostTime: HostTime(nanoseconds: 0), position: position))
        }
        #expect(try resampler.finish() != nil)
    }

    @Test("Sound of another format than was said is refused")
    func otherFormat() throws {
        let resampler = try AudioResampler(from: AudioFormat(), to: AudioFormat(sampleRate: 44_100))
        let input = tone(AudioFormat(channelCount: 1), frames: 10)
        #expect(throws: ObscuraError.self) { try input.forEach { _ = try resampler.convert($0) } }
    }
}
