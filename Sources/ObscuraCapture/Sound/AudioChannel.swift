// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// One channel of the sound of a connection: how loud it is, and how loud it is made. Thread-safe.
public final class AudioChannel: Sendable {
    private struct State {
        var level = AudioLevel.silence
        var volume: Float = 1
        var isEnabled = true
    }

    private let state = Lock(State())

    init() {}

    /// How loud the channel is, by its ``volume``: of the last stretch of some 40 ms.
    public var level: AudioLevel { state.withLock { $0.level } }

    /// By what the samples are multiplied, before anybody gets them: 1 leaves them as they are, 0 is silence.
    /// Held to 0...1, so that nothing is clipped.
    public var volume: Float {
        get { state.withLock { $0.volume } }
        set { state.withLock { $0.volume = newValue.isNaN ? 1 : min(max(0, newValue), 1) } }
    }

    /// Whether anything is heard of the channel.
    public var isEnabled: Bool {
        get { state.withLock { $0.isEnabled } }
        set { state.withLock { $0.isEnabled = newValue } }
    }

    var gain: Float { state.withLock { $0.isEnabled ? $0.volume : 0 } }

    func show(_ level: AudioLevel) { state.withLock { $0.level = level } }
}

/// How loud a stretch of sound is, in dBFS: 0 is full scale, a square wave as loud as it can be.
public struct AudioLevel: Sendable, Hashable, Codable {
    /// The root of the mean of the squares. A sine that touches full scale has -3.01.
    public let average: Float
    /// The loudest sample.
    public let peak: Float

    /// As silent as can be told: -120 dBFS, below the last bit of 16.
    public static let silence = AudioLevel(average: floor, peak: floor)

    /// What counts as silence.
    static let floor: Float = -120
}
