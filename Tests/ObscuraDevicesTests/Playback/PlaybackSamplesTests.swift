// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import Testing

@testable import ObscuraDevices

/// Samples in the memory of a playback device.
@Suite struct PlaybackSamplesTests {
    private func bytes(
        _ samples: AudioBuffer.Samples, _ layout: ALSASampleLayout, channels: Int = 1, isInterleaved: Bool = true,
        gains: (from: Float, to: Float) = (1, 1), frames: Range<Int>? = nil
    ) -> [UInt8] {
        let format = AudioFormat(sampleRate: 8000, channelCount: channels, isInterleaved: isInterleaved)
        let buffer = AudioBuffer(
            format: format, samples: samples, presentationTime: .zero, hostTime: HostTime(nanoseconds: 0))
        return PlaybackSamples.bytes(
            of: PlaybackQueue.Part(buffer: buffer, frames: frames ?? 0..<buffer.frameCount), as: layout, gains: gains)
    }

    @Test(arguments: ALSASampleLayout.allCases)
    func `each layout has the sample in its own scale`(layout: ALSASampleLayout) {
        let expected: [UInt8] =
            switch layout {
            case .float32: [0, 0, 0, 0x3f, 0, 0, 0x80, 0xbf, 0, 0, 0, 0]
            case .int32: [0, 0, 0, 0x40, 0, 0, 0, 0x80, 0, 0, 0, 0]
            case .int24: [0, 0, 0x40, 0, 0, 0, 0x80, 0xff, 0, 0, 0, 0]
            case .packed24: [0, 0, 0x40, 0, 0, 0x80, 0, 0, 0]
            case .int16: [0, 0x40, 0, 0x80, 0, 0]
            case .uint8: [192, 0, 128]
            }
        #expect(bytes(.float32([0.5, -1, 0]), layout) == expected)
        #expect(expected.count == 3 * layout.byteCount)
    }

    @Test func `integers of 16 bits come out as they went in`() {
        let samples: [Int16] = [0, 1, -1, 12345, -12345, .max, .min]
        let expected = samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        #expect(bytes(.int16(samples), .int16) == expected)
    }

    @Test func `samples beyond full scale are clipped, and invalid ones are silence`() {
        let loud: [Float] = [2, -2, .infinity, -.infinity, .nan]
        #expect(bytes(.float32(loud), .int16) == [0xff, 0x7f, 0, 0x80, 0xff, 0x7f, 0, 0x80, 0, 0])
        #expect(bytes(.float32(loud), .uint8) == [255, 0, 255, 0, 128])
        #expect(bytes(.float32([1]), .int32) == [0xff, 0xff, 0xff, 0x7f])
    }

    @Test func `channels are interleaved`() {
        let samples: AudioBuffer.Samples = .int16([1, 2, 3, 4, 5, 6])
        #expect(bytes(samples, .int16, channels: 2) == [1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0])
        #expect(
            bytes(samples, .int16, channels: 2, isInterleaved: false) == [1, 0, 4, 0, 2, 0, 5, 0, 3, 0, 6, 0])
        #expect(bytes(samples, .int16, channels: 2, frames: 1..<2) == [3, 0, 4, 0])
    }

    @Test func `the volume changes evenly`() {
        let even: AudioBuffer.Samples = .int16([Int16](repeating: 1000, count: 4))
        #expect(bytes(even, .int16, gains: (0.5, 0.5)) == [244, 1, 244, 1, 244, 1, 244, 1])
        // 0, 250, 500, 750.
        #expect(bytes(even, .int16, gains: (0, 1)) == [0, 0, 250, 0, 244, 1, 238, 2])
        #expect(bytes(even, .uint8, gains: (0, 0)) == [128, 128, 128, 128])
    }
}
