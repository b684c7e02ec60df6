// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import Testing

@Suite struct AudioBufferTests {
    private func buffer(_ samples: AudioBuffer.Samples, isInterleaved: Bool) -> AudioBuffer {
        AudioBuffer(
            format: AudioFormat(channelCount: 3, isInterleaved: isInterleaved), samples: samples,
            presentationTime: .zero, hostTime: HostTime(nanoseconds: 0))
    }

    @Test(arguments: [true, false])
    func `A sample is found by its frame and channel`(isInterleaved: Bool) {
        // Frame 0 to 3, channel 0 to 2: the value is 10 * frame + channel.
        let values: [Int] =
            isInterleaved
            ? [0, 1, 2, 10, 11, 12, 20, 21, 22, 30, 31, 32] : [0, 10, 20, 30, 1, 11, 21, 31, 2, 12, 22, 32]
        let buffers = [
            buffer(.float32(values.map { Float($0) / 64 }), isInterleaved: isInterleaved),
            buffer(.int16(values.map { Int16($0) << 9 }), isInterleaved: isInterleaved),
            buffer(.int32(values.map { Int32($0) << 25 }), isInterleaved: isInterleaved),
        ]
        for buffer in buffers {
            #expect(buffer.frameCount == 4)
            for frame in 0..<4 {
                for channel in 0..<3 {
                    #expect(buffer[frame: frame, channel: channel] == Float(10 * frame + channel) / 64)
                }
            }
        }
    }

    @Test func `Samples after the last complete frame are dropped`() {
        let buffer = buffer(.int16([1, 2, 3, 4, 5]), isInterleaved: true)
        #expect(buffer.frameCount == 1 && buffer.samples == .int16([1, 2, 3]))
    }
}
