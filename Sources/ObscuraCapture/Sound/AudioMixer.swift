// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// The mixer of a connection: applies the volume of each channel to the sound, and measures the levels. Runs on the
/// source's thread.
final class AudioMixer: Sendable {
    private struct State {
        var channels: [AudioChannel] = []
        var meter = AudioLevelMeter(channelCount: 0, sampleRate: 1)
    }

    private let state = Lock(State())

    var channels: [AudioChannel] { state.withLock { $0.channels } }

    /// Returns the sound with the volumes applied.
    func mix(_ sound: AudioBuffer) -> AudioBuffer {
        let channels = state.withLock { state in
            // Channels keep their volume when the source changes.
            while state.channels.count < sound.format.channelCount { state.channels.append(AudioChannel()) }
            state.channels.removeLast(state.channels.count - sound.format.channelCount)
            return state.channels
        }
        let gains = channels.map(\.gain)
        let heard = gains.allSatisfy { $0 == 1 } ? sound : sound.amplified(by: gains)
        let levels = state.withLock { state in
            if !state.meter.measures(sound.format) {
                state.meter = AudioLevelMeter(
                    channelCount: sound.format.channelCount, sampleRate: sound.format.sampleRate)
            }
            return state.meter.add(heard)
        }
        if let levels {
            for (channel, level) in zip(channels, levels) { channel.show(level) }
        }
        return heard
    }
}

extension AudioBuffer {
    /// Returns the sound with each channel multiplied by its gain, 0...1.
    func amplified(by gains: [Float]) -> AudioBuffer {
        let channelCount = format.channelCount
        let channel = { [isInterleaved = format.isInterleaved, frameCount] (index: Int) in
            isInterleaved ? index % channelCount : index / max(1, frameCount)
        }
        let samples: Samples =
            switch samples {
            case .int16(let samples):
                .int16(samples.enumerated().map { Int16((Float($1) * gains[channel($0)]).rounded()) })
            case .int32(let samples):
                // A Float has less precision than the sample.
                .int32(samples.enumerated().map { Int32((Double($1) * Double(gains[channel($0)])).rounded()) })
            case .float32(let samples):
                .float32(samples.enumerated().map { $1 * gains[channel($0)] })
            }
        return AudioBuffer(
            format: format, samples: samples, presentationTime: presentationTime, hostTime: hostTime,
            position: position, attachments: attachments)
    }
}
