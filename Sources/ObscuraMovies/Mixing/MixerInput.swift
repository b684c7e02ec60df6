// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraCapture
internal import ObscuraMedia

/// The sink of one device of a mix: keeps its sound until the mixer takes it.
final class MixerInput: CaptureSink {
    /// Whether the device delivers sound.
    enum Condition: Sendable {
        case running
        case interrupted(InterruptionReason)
        case ended(ObscuraError?)
    }

    /// `Sendable` is safe because the track is used only under the lock.
    private struct State: @unchecked Sendable {
        let track: MixerTrack
        var condition = Condition.running
        /// The host time of position 0 of the mix; nil before its begin, when sound is not wanted.
        var begin: HostTime?
    }

    private let source: AudioMixerSource
    private let channelCount: Int
    private let state: Lock<State>
    /// Video is not taken; a driver may ask for the pool.
    let pool = PixelBufferPool(capacity: 1)

    init(_ source: AudioMixerSource, format: AudioFormat) {
        self.source = source
        channelCount = format.channelCount
        state = Lock(State(track: MixerTrack(format)))
    }

    var condition: Condition { state.withLock { $0.condition } }

    func begin(at time: HostTime) {
        state.withLock { $0.begin = time }
        source.state.withLock { ($0.missing, $0.clockDrift) = (0, nil) }
    }

    /// Takes the next block and adds it to the mix.
    func take(at position: Int64, into mix: inout [Float]) {
        let gains = source.gains(channelCount)
        let missing = state.withLock { $0.track.take(at: position, into: &mix, gains) }
        if missing > 0 { source.state.withLock { $0.missing += UInt64(missing) } }
    }

    // MARK: CaptureSink

    func receive(_ sound: AudioBuffer) {
        let drift = sound.attachments.clockDrift
        source.state.withLock { $0.clockDrift = drift ?? $0.clockDrift }
        state.withLock { state in
            guard let begin = state.begin else { return }
            // Sound in a format that cannot be converted is missing in the mix, which the source counts.
            try? state.track.add(sound, begin: begin)
        }
    }

    func receive(_ frame: VideoFrame, buffersLeft: Int?) {}
    func receive(_ frame: EncodedFrame) {}
    func loseFrame(sequence: UInt64?, gap: UInt64) {}
    var wantsAudio: Bool { true }
    var demand: MediaDemand { [.audio] }

    func interrupted(_ reason: InterruptionReason) {
        state.withLock { $0.condition = .interrupted(reason) }
    }

    func resumed() {
        state.withLock { $0.condition = .running }
    }

    func finish(throwing error: ObscuraError?) {
        state.withLock { $0.condition = .ended(error) }
    }
}
