// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The capture times of a sound card's sample frames on CLOCK_MONOTONIC, as a pure value.
///
/// A card has its own clock, so its 48,000 frames take slightly more or less than a second, and its time stamps jitter.
/// This is a second-order delay-locked loop over pairs of frame count and time: F. Adriaensen, "Using a DLL to filter
/// time", Linux Audio Conference 2005. Its bandwidth starts wide and narrows like that of a least-squares line through
/// all stamps, down to ``bandwidth``: the rate converges within seconds and is stable afterwards.
///
/// Two additions: the influence of a stamp is limited relative to the usual error of stamps, so that a late wake-up
/// does not shift the clock. If several stamps in a row are off by more than ``stepLimit``, the time has stepped, and
/// the loop restarts there.
struct SoundClock: Sendable {
    /// The result of a stamp.
    enum Outcome: Sendable, Hashable {
        case steady
        /// The card's time stamps have permanently shifted by this duration.
        case stepped(by: Duration)
    }

    /// The final bandwidth of the loop, in hertz.
    private static let bandwidth = 0.02
    /// The error above which a stamp suggests a step, in seconds.
    private static let stepLimit = 0.1
    /// The number of such stamps in a row that confirms a step.
    private static let stepCount = 5
    /// The rate deviates from the nominal one by at most one part in this number.
    private static let deviationLimit = 200.0
    /// Minimum of the usual error for limiting a stamp's influence, in seconds.
    private static let leastSpread = 0.0002

    /// The time after which the measured rate is of use, in seconds.
    private static let shortestMeasurement = 3.0

    private let nominalPeriod: Double
    /// The measured duration of a frame, in seconds.
    private var period: Double
    /// The origin of the loop's times in seconds.
    private var origin: HostTime?
    /// The last frame of the loop, and its time.
    private var anchor: (position: UInt64, time: Double)?
    /// The total duration of the measurement, in seconds.
    private var observed = 0.0
    /// The number of stamps since the start of the stream.
    private var count = 0.0
    /// The usual error of a stamp, in seconds.
    private var spread = 0.001
    /// The number of stamps in a row beyond ``stepLimit``.
    private var suspects = 0
    /// The position of the last such stamp, which several buffers may share.
    private var lastSuspect: UInt64?

    /// Creates a clock.
    ///
    /// - Parameter sampleRate: the nominal rate, in hertz, more than 0.
    init(sampleRate: Int) {
        nominalPeriod = 1 / Double(max(1, sampleRate))
        period = nominalPeriod
    }

    /// The measured rate, in frames per second of CLOCK_MONOTONIC.
    var sampleRate: Double { 1 / period }

    /// The deviation from the nominal rate in parts per million; positive for a fast card.
    var drift: Double { (nominalPeriod / period - 1) * 1_000_000 }

    /// The same once it has been measured for some seconds; nil before.
    var measuredDrift: Double? { observed >= Self.shortestMeasurement ? drift : nil }

    /// Restarts after an interruption: the next stamp sets the time. Keeps the measured rate.
    mutating func restart() {
        anchor = nil
        count = 0
        suspects = 0
        lastSuspect = nil
    }

    /// Notes that `position` frames were captured at `time`. Ignores positions that do not increase.
    mutating func note(position: UInt64, at time: HostTime) -> Outcome {
        let origin = origin ?? time
        self.origin = origin
        let stamp = Self.seconds(time - origin)
        guard let anchor else {
            self.anchor = (position, stamp)
            return .steady
        }
        guard position > anchor.position else { return .steady }
        let frames = Double(position - anchor.position)
        let expected = anchor.time + frames * period
        let error = stamp - expected
        guard abs(error) <= Self.stepLimit else {
            guard position != lastSuspect else { return .steady }
            lastSuspect = position
            suspects += 1
            guard suspects >= Self.stepCount else { return .steady }
            restart()
            self.anchor = (position, stamp)
            return .stepped(by: .nanoseconds(Int64(error * 1_000_000_000)))
        }
        suspects = 0
        lastSuspect = nil
        follow(error, to: position, expected: expected, frames: frames)
        return .steady
    }

    /// Returns the capture time of the frame with this number; nil before the first stamp.
    func time(of position: UInt64) -> HostTime? {
        guard let anchor, let origin else { return nil }
        let frames =
            position >= anchor.position
            ? Double(position - anchor.position) : -Double(anchor.position - position)
        return origin + .nanoseconds(Int64((anchor.time + frames * period) * 1_000_000_000))
    }

    /// Makes one step of the loop.
    private mutating func follow(_ error: Double, to position: UInt64, expected: Double, frames: Double) {
        let limit = 4 * max(spread, Self.leastSpread)
        let limited = min(max(error, -limit), limit)
        spread += (abs(limited) - spread) / 16
        let interval = frames * nominalPeriod
        observed += interval
        count += 1
        // With 0.45 / t the gains are those of a line through all stamps of the time t.
        let bandwidth = max(Self.bandwidth, 0.45 / (observed + 1))
        let omega = min(2 * Double.pi * bandwidth * interval, 0.5)
        // Initially the time is the mean of the first stamps.
        let gain = max(omega * 2.0.squareRoot(), 1 / (count + 1))
        anchor = (position, expected + gain * limited)
        let slack = nominalPeriod / Self.deviationLimit
        period = min(
            max(period + omega * omega * limited / frames, nominalPeriod - slack), nominalPeriod + slack)
    }

    private static func seconds(_ duration: Duration) -> Double {
        Double(duration.wholeNanoseconds) / 1_000_000_000
    }
}
