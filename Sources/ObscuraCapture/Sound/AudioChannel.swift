// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// One audio channel of a connection: its level and its volume. Thread-safe.
public final class AudioChannel: Sendable {
    private struct State {
        var level = AudioLevel.silence
        var volume: Float = 1
        var isEnabled = true
    }

    private let state = Lock(State())

    init() {}

    /// The level of the channel with ``volume`` applied, measured over about the last 40 ms.
    public var level: AudioLevel { state.withLock { $0.level } }

    /// The factor by which the samples are multiplied before delivery: 1 leaves them unchanged, 0 is
    /// silence. Clamped to 0...1, so that nothing is clipped.
    public var volume: Float {
        get { state.withLock { $0.volume } }
        set { state.withLock { $0.volume = newValue.isNaN ? 1 : min(max(0, newValue), 1) } }
    }

    /// Whether the channel is audible. If false, the channel is delivered as silence.
    public var isEnabled: Bool {
        get { state.withLock { $0.isEnabled } }
        set { state.withLock { $0.isEnabled = newValue } }
    }

    var gain: Float { state.withLock { $0.isEnabled ? $0.volume : 0 } }

    func show(_ level: AudioLevel) { state.withLock { $0.level = level } }
}

/// A level of sound, in dBFS: 0 is full scale, the level of a square wave at maximum amplitude.
public struct AudioLevel: Sendable, Hashable, Codable {
    /// The root mean square, in dBFS. The level of a full-scale sine is -3.01 dBFS.
    public let average: Float
    /// The level of the loudest sample, in dBFS.
    public let peak: Float
    /// The peak mark of a level meter, in dBFS. The value holds the highest ``peak`` for 1.5 s, and then falls by 20 dB
    /// in 1.7 s (IEC 60268-10, type I) until a peak is higher than the value.
    public let peakHold: Float

    /// The lowest level: -120 dBFS, below the lowest bit of 16-bit audio.
    public static let silence = AudioLevel(average: floor, peak: floor, peakHold: floor)

    /// The level that counts as silence.
    static let floor: Float = -120
}
