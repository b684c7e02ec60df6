// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraMedia

/// The signal of the test-tone microphone: a pure function of time.
struct ToneSignal: Sendable, Hashable {
    /// The frequency, in hertz.
    var frequency: Double
    /// The peak level, in dBFS.
    var level: Double
    /// Whether the signal is a beep of 100 ms in each second, instead of a continuous tone.
    var beeps: Bool

    /// The duration of a beep, and of a flash of the test-pattern camera: the first 100 ms of each second.
    static let beep = Duration.milliseconds(100)

    /// Returns the samples from number `position` on, with full scale 1.
    ///
    /// - Parameters:
    ///   - position: the number of the first sample, counted from the start of a whole second.
    ///   - count: the number of samples.
    func samples(from position: UInt64, count: Int, sampleRate: Int) -> [Float] {
        let rate = UInt64(sampleRate)
        let amplitude = pow(10, level / 20)
        let beepLength = UInt64(Self.beep.wholeNanoseconds) * rate / 1_000_000_000
        return (0..<count).map { index in
            // Each second begins at phase zero, so that precision is kept for days.
            let place = (position &+ UInt64(index)) % rate
            if beeps, place >= beepLength { return 0 }
            let phase = 2 * Double.pi * frequency * Double(place) / Double(rate)
            return Float(amplitude * sin(phase))
        }
    }
}
