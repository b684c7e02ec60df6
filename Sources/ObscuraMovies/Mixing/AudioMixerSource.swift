// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraCapture
internal import ObscuraMedia

/// A microphone, or another live device with sound, whose sound is mixed with that of others; see `CaptureDevice.mixing(_:format:)`.
///
/// Thread-safe. A change of a gain is applied within 10 ms, without a click.
public final class AudioMixerSource: Sendable {
    struct State {
        var gain = 1.0
        var channelGains: [Double] = []
        var clockDrift: Double?
        var missing: UInt64 = 0
    }

    /// The device.
    public let device: CaptureDevice
    let state: Lock<State>

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - device: a live device with sound.
    ///   - gain: see ``gain``.
    ///   - channelGains: see ``channelGains``.
    public init(_ device: CaptureDevice, gain: Double = 1, channelGains: [Double] = []) {
        self.device = device
        state = Lock(State(gain: Self.valid(gain), channelGains: channelGains.map(Self.valid)))
    }

    /// The factor of the samples of all channels: 0 is silence, 2 is 6 dB louder. At most 100.
    public var gain: Double {
        get { state.withLock { $0.gain } }
        set { state.withLock { $0.gain = Self.valid(newValue) } }
    }

    /// The factors of the channels of the mix, beside ``gain``; 1 for channels without one. `[1, 0]` is on the left only.
    public var channelGains: [Double] {
        get { state.withLock { $0.channelGains } }
        set { state.withLock { $0.channelGains = newValue.map(Self.valid) } }
    }

    /// The measured deviation of the device's clock, which is corrected, in parts per million; nil if unknown.
    public var clockDrift: Double? { state.withLock { $0.clockDrift } }

    /// The number of sample frames of the mix, since it has begun to run, for which the device delivered no sound in time.
    public var missingFrameCount: UInt64 { state.withLock { $0.missing } }

    /// The gains of so many channels.
    func gains(_ count: Int) -> [Float] {
        state.withLock { state in
            (0..<count).map { Float(state.gain * ($0 < state.channelGains.count ? state.channelGains[$0] : 1)) }
        }
    }

    private static func valid(_ gain: Double) -> Double { gain.isNaN ? 1 : min(max(0, gain), 100) }
}
