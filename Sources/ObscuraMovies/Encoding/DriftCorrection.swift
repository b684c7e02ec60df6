// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The part by which audio is made longer or shorter, so that it keeps to its times although its clock drifts, as a pure
/// value.
///
/// A sound card, a camera or a server has its own clock, so its 48,000 sample frames take slightly more or less than a
/// second. This is a loop of second order: it follows a constant drift without a remaining error. It begins when the
/// error exceeds ``threshold``, so audio that keeps to its times is not changed at all.
struct DriftCorrection: Sendable {
    /// The error at which the correction begins, in seconds: more than the rounding of times to milliseconds.
    static let threshold = 0.002
    /// The same for estimated times, which are off by as much as packets are late.
    static let estimatedThreshold = 0.02
    /// The largest correction. It is less than a tenth of a semitone, and more than usable clocks drift.
    static let limit = 0.005

    /// How fast the loop is.
    private struct Pace {
        /// The time over which errors are averaged, in seconds. Otherwise the jitter of times would be heard.
        let averaging: Double
        /// The natural frequency of the loop, in radians per second; the loop is critically damped.
        let frequency: Double

        static let usual = Pace(averaging: 0.25, frequency: 0.5)
        static let estimated = Pace(averaging: 5, frequency: 0.05)
    }

    /// The longest step of the loop, in seconds: with longer ones it would not be stable.
    private static let longestStep = 0.5

    /// The largest error that is corrected, in seconds. A larger one is a gap, or audio is cut.
    private static let longestError = 0.03
    /// The same for estimated times, such as those of arrival, which come in bursts.
    private static let longestEstimatedError = 1.0

    /// Returns the largest error of a buffer that is corrected by resampling, in seconds.
    static func longestError(of notes: AudioBuffer.Attachments) -> Double {
        if notes.gap > 0 || notes.isDiscontinuity { return threshold }
        return notes.isTimeEstimated ? longestEstimatedError : longestError
    }

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
    ///   - isEstimated: whether its time is estimated, as from its arrival.
    mutating func correct(_ error: Double, over duration: Double, isEstimated: Bool = false) -> Double {
        let pace = isEstimated ? Pace.estimated : .usual
        let step = min(duration, Self.longestStep)
        self.error += (error - self.error) * min(1, step / pace.averaging)
        isActive = isActive || abs(self.error) > (isEstimated ? Self.estimatedThreshold : Self.threshold)
        guard isActive else { return 0 }
        drift = Self.limited(drift + pace.frequency * pace.frequency * self.error * step)
        return Self.limited(drift + 2 * pace.frequency * self.error)
    }

    /// Continues after a gap, where the audio is in its place. The drift remains.
    mutating func restart() {
        error = 0
    }

    private static func limited(_ part: Double) -> Double { min(max(part, -limit), limit) }
}
