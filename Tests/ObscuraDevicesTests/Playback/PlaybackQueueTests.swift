// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import Testing

@testable import ObscuraDevices

/// Which audio is played and which is dropped, as a pure value.
@Suite struct PlaybackQueueTests {
    /// Buffers of 10 ms at 1000 Hz, whose samples count up.
    private func sound(_ number: Int, frames: Int = 10, format: AudioFormat? = nil) -> AudioBuffer {
        let format = format ?? AudioFormat(sampleRate: 1000, channelCount: 1)
        let samples = (0..<frames * format.channelCount).map { Float(number * 10 + $0) }
        return AudioBuffer(
            format: format, samples: .float32(samples), presentationTime: .zero, hostTime: HostTime(nanoseconds: 0))
    }

    private func samples(_ parts: [PlaybackQueue.Part]) -> [Int] {
        parts.flatMap { part in part.frames.map { Int(part.buffer[frame: $0, channel: 0]) } }
    }

    /// A queue that plays: 40 ms were taken.
    private func playing() -> PlaybackQueue {
        var queue = PlaybackQueue(latency: .milliseconds(40))
        for number in 0..<4 { queue.append(sound(number)) }
        _ = queue.take(upTo: 40)
        return queue
    }

    @Test func `playback begins when audio of the latency waits`() {
        var queue = PlaybackQueue(latency: .milliseconds(40))
        for number in 0..<3 {
            queue.append(sound(number))
            #expect(!queue.isReady && queue.take(upTo: 100).isEmpty)
        }
        queue.append(sound(3))
        #expect(queue.isReady && queue.duration == .milliseconds(40))
        #expect(queue.take(upTo: 0).isEmpty)
        #expect(samples(queue.take(upTo: 100)) == Array(0..<40))
        // From now on each buffer is played as it arrives.
        #expect(!queue.isReady)
        queue.append(sound(4))
        #expect(samples(queue.take(upTo: 100)) == Array(40..<50))
        #expect(queue.droppedFrames == 0 && queue.underruns == 0)
    }

    @Test func `audio is taken in the parts for which there is room`() {
        var queue = PlaybackQueue(latency: .milliseconds(40))
        for number in 0..<4 { queue.append(sound(number)) }
        var taken: [Int] = []
        for room in [3, 1, 13, 9, 7, 100] { taken += samples(queue.take(upTo: room)) }
        #expect(taken == Array(0..<40) && queue.frameCount == 0)
    }

    @Test func `late audio is dropped until the latency is as before, and counted`() {
        var queue = playing()
        for number in 4..<12 { queue.append(sound(number)) }
        #expect(queue.frameCount == 80 && queue.droppedFrames == 0)
        _ = queue.take(upTo: 5)
        queue.append(sound(12))
        // More than twice the latency: the newest buffer remains, beside what is in the device.
        #expect(queue.frameCount == 10 && queue.droppedFrames == 75)
        #expect(samples(queue.take(upTo: 100)) == Array(120..<130))
    }

    @Test func `before playback the newest audio of the latency is kept`() {
        var queue = PlaybackQueue(latency: .milliseconds(40))
        for number in 0..<9 { queue.append(sound(number)) }
        #expect(queue.frameCount == 40 && queue.droppedFrames == 50)
        #expect(samples(queue.take(upTo: 100)) == Array(50..<90))
    }

    @Test func `the memory is bounded, whatever arrives`() {
        var queue = PlaybackQueue(latency: .milliseconds(40))
        var given = 0
        for number in 0..<1000 {
            let frames = 1 + number * 7 % 60
            given += frames
            queue.append(sound(number, frames: frames))
            #expect(queue.frameCount <= 40 + 60)
        }
        #expect(Int(queue.droppedFrames) + queue.frameCount == given)
    }

    @Test func `a buffer longer than the latency is played whole`() {
        var queue = PlaybackQueue(latency: .milliseconds(40))
        for number in 0..<3 {
            queue.append(sound(number, frames: 500))
            #expect(queue.take(upTo: number == 0 ? 470 : 500).count == (number == 0 ? 1 : 2))
            #expect(queue.frameCount == 30)
        }
        #expect(queue.droppedFrames == 0)
    }

    @Test func `after an underrun playback begins anew`() {
        var queue = playing()
        queue.underrun()
        #expect(queue.underruns == 1)
        queue.append(sound(4))
        #expect(!queue.isReady)
        for number in 5..<8 { queue.append(sound(number)) }
        #expect(samples(queue.take(upTo: 100)) == Array(40..<80))
    }

    @Test func `the end of the source plays the rest, and is no underrun`() {
        var queue = PlaybackQueue(latency: .milliseconds(40))
        queue.append(sound(0))
        queue.end()
        #expect(queue.isReady && samples(queue.take(upTo: 100)) == Array(0..<10))
        queue.underrun()
        #expect(queue.hasEnded && queue.underruns == 0)
        // The source may begin again.
        queue.append(sound(1))
        #expect(!queue.hasEnded && !queue.isReady)
    }

    @Test func `audio of another shape drops that before it`() {
        var queue = playing()
        queue.append(sound(4))
        let stereo = AudioFormat(sampleRate: 1000, channelCount: 2)
        queue.append(sound(5, format: stereo))
        #expect(queue.droppedFrames == 10 && queue.frameCount == 10 && queue.format == stereo && !queue.isReady)
        // Another sample type is the same shape.
        let whole = AudioBuffer(
            format: stereo, samples: .int16([1, 2]), presentationTime: .zero, hostTime: HostTime(nanoseconds: 0))
        queue.append(whole)
        #expect(queue.droppedFrames == 10 && queue.frameCount == 11)
    }

    @Test func `while the source must convert, other audio is dropped`() {
        var queue = playing()
        queue.append(sound(4))
        let fast = AudioFormat(sampleRate: 2000, channelCount: 1)
        queue.require(fast)
        #expect(queue.droppedFrames == 10 && queue.frameCount == 0)
        queue.append(sound(5))
        #expect(queue.droppedFrames == 20 && queue.frameCount == 0)
        queue.append(sound(6, format: fast))
        #expect(queue.droppedFrames == 20 && queue.duration == .milliseconds(5))
        queue.clear()
        #expect(queue.droppedFrames == 30 && queue.frameCount == 0 && queue.requiredFormat == nil)
        queue.append(sound(7))
        #expect(queue.frameCount == 10)
    }

    @Test func `an empty buffer changes nothing`() {
        var queue = PlaybackQueue(latency: .milliseconds(40))
        queue.append(sound(0, frames: 0))
        #expect(queue.format == nil && queue.frameCount == 0)
        queue.lose(-1)
        queue.lose(3)
        #expect(queue.droppedFrames == 3)
    }
}
