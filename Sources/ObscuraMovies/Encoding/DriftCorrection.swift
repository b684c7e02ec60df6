// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The part by which audio is made longer or shorter, so that it keeps to its times although its clock drifts, as a pure
/// value.
///
/// A sound card, a camera or a server has its own clock, so its 48,000 sample frames take slightly more or less than a
/// second. This is a loop of second order: it follows a constant drift without a remaining error. It begins when the
/// error exceeds ``threshold``, so audio that keeps to its times is not changed at all.
struct DriftCorrection: Sendable {
    /// The error at which the correction begins, in seconds: more than the rounding of times to milliseconds.
    static let threshold = 0.002
    /// The largest correction. It is less than a tenth of a semitone, and more than usable clocks drift.
    static let limit = 0.005
    /// The time over which errors are averaged, in seconds. Otherwise the jitter of times would be heard.
    private static let averaging = 0.25
    /// The natural frequency of the loop, in radians per second; the loop is critically damped.
    private static let frequency = 0.5

    /// Whether the error has exceeded the threshold.
    private(set) var isActive = false
    /// The averaged error, in seconds.
    private var error = 0.0
    /// The correction without an error: the drift that was found.
    private var drift = 0.0

    /// Returns the part by which a buffer is made longer; negative to make it shorter.
    ///
    /// - Parameters:
    ///   - error: the time by which the buffer is due after the end of the audio before it, in seconds.
    ///   - duration: of the buffer, in seconds.
    mutating func correct(_ error: Double, over duration: Double) -> Double {
        self.error += (error - self.error) * min(1, duration / Self.averaging)
        isActive = isActive || abs(self.error) > Self.threshold
        guard isActive else { return 0 }
        drift = Self.limited(drift + Self.frequency * Self.frequency * self.error * duration)
        return Self.limited(drift + 2 * Self.frequency * self.error)
    }

    /// Continues after a gap, where the audio is in its place. The drift remains.
    mutating func restart() {
        error = 0
    }

    private static func limited(_ part: Double) -> Double { min(max(part, -limit), limit) }
}
