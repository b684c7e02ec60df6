// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraCapture
internal import ObscuraMedia

/// An input of a mix: a microphone, or another live device with sound; see `CaptureDevice.mixing(_:format:)`.
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

    /// The factor by which the samples of all channels are multiplied: 0 is silence, 2 is 6 dB louder. At most 100.
    public var gain: Double {
        get { state.withLock { $0.gain } }
        set { state.withLock { $0.gain = Self.valid(newValue) } }
    }

    /// One factor for each channel of the mix, multiplied by ``gain``. A channel without a factor has the factor 1. In
    /// a stereo mix, `[1, 0]` plays the device only on the left channel.
    public var channelGains: [Double] {
        get { state.withLock { $0.channelGains } }
        set { state.withLock { $0.channelGains = newValue.map(Self.valid) } }
    }

    /// The measured deviation of the device's clock, which is corrected, in parts per million; nil if unknown.
    public var clockDrift: Double? { state.withLock { $0.clockDrift } }

    /// The number of sample frames for which the device delivered no sound in time, since the mix started.
    public var missingFrameCount: UInt64 { state.withLock { $0.missing } }

    /// The gains of so many channels.
    func gains(_ count: Int) -> [Float] {
        state.withLock { state in
            (0..<count).map { Float(state.gain * ($0 < state.channelGains.count ? state.channelGains[$0] : 1)) }
        }
    }

    private static func valid(_ gain: Double) -> Double { gain.isNaN ? 1 : min(max(0, gain), 100) }
}
