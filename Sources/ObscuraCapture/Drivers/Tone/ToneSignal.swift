// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraMedia

/// What the built-in microphone hears: a pure function of time.
struct ToneSignal: Sendable, Hashable {
    /// In hertz.
    var frequency: Double
    /// The loudest that it gets, in dBFS.
    var level: Double
    /// Whether it beeps for a tenth of each second, and is silent between; if not, it never ends.
    var beeps: Bool

    /// How long a beep takes, and a flash of the built-in camera: the first 100 ms of each second.
    static let beep = Duration.milliseconds(100)

    /// The samples from number `position` on, with full scale 1.
    ///
    /// - Parameters:
    ///   - position: counted from where the whole seconds of time are counted.
    ///   - count: how many.
    func samples(from position: UInt64, count: Int, sampleRate: Int) -> [Float] {
        let rate = UInt64(sampleRate)
        let amplitude = pow(10, level / 20)
        let beepLength = UInt64(Self.beep.wholeNanoseconds) * rate / 1_000_000_000
        return (0..<count).map { index in
            // Each second begins with phase zero, so that no precision is lost after days.
            let place = (position &+ UInt64(index)) % rate
            if beeps, place >= beepLength { return 0 }
            let phase = 2 * Double.pi * frequency * Double(place) / Double(rate)
            return Float(amplitude * sin(phase))
        }
    }
}
