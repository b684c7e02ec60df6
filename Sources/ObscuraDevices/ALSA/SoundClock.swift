// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// When the sample frames of a sound card were taken, on CLOCK_MONOTONIC, as a pure value.
///
/// A card counts by a crystal of its own, so its 48,000 frames take a little more or less than a second; and the
/// stamps that come with its counts tremble. This is a delay-locked loop of second order over the pairs (frames
/// taken, time): F. Adriaensen, "Using a DLL to filter time", Linux Audio Conference 2005. Its bandwidth begins wide
/// and narrows as a least-squares line through all stamps would, down to ``bandwidth``, so the rate is found within
/// seconds and is steady afterwards.
///
/// Two things are added. A stamp that is far from where it should be, measured by how far stamps usually are, pulls
/// only as much as one that is less far: a late wake-up moves nothing. And if several in a row are off by more than
/// ``stepLimit``, it is the truth that has moved, and the loop begins anew there.
struct SoundClock: Sendable {
    /// What a stamp came to.
    enum Outcome: Sendable, Hashable {
        case steady
        /// The stamps have moved for good, by so much.
        case stepped(by: Duration)
    }

    /// The loop's last bandwidth, in hertz.
    private static let bandwidth = 0.02
    /// How far off stamps must be to count as moved, in seconds.
    private static let stepLimit = 0.1
    /// After how many such stamps in a row it is believed.
    private static let stepCount = 5
    /// No card is further off its nominal rate than one part in so many.
    private static let worstRate = 200.0
    /// How far stamps are off at least, in seconds, before they are held.
    private static let leastSpread = 0.0002

    private let nominalPeriod: Double
    /// The true length of a frame, in seconds.
    private var period: Double
    /// All times of the loop are seconds after this.
    private var origin: HostTime?
    /// The frame at which the loop stands, and when it was taken.
    private var anchor: (position: UInt64, time: Double)?
    /// For how long the rate has been looked at, in seconds.
    private var observed = 0.0
    /// How many stamps there were since the stream began.
    private var count = 0.0
    /// How far off a stamp usually is, in seconds.
    private var spread = 0.001
    /// How many stamps in a row were too far off.
    private var suspects = 0

    /// - Parameter sampleRate: the nominal one, more than 0.
    init(sampleRate: Int) {
        nominalPeriod = 1 / Double(max(1, sampleRate))
        period = nominalPeriod
    }

    /// The rate as it really is, in frames for each second of CLOCK_MONOTONIC.
    var sampleRate: Double { 1 / period }

    /// By how much the card is too quick, in parts per million.
    var drift: Double { (nominalPeriod / period - 1) * 1_000_000 }

    /// The stream was broken off: the next stamp says where it goes on. The rate stays known.
    mutating func restart() {
        anchor = nil
        count = 0
        suspects = 0
    }

    /// At `time`, `position` frames had been taken. Positions do not go back.
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
            suspects += 1
            guard suspects >= Self.stepCount else { return .steady }
            restart()
            self.anchor = (position, stamp)
            return .stepped(by: .nanoseconds(Int64(error * 1_000_000_000)))
        }
        suspects = 0
        follow(error, to: position, expected: expected, frames: frames)
        return .steady
    }

    /// When the frame with this number was taken; nil before the first stamp.
    func time(of position: UInt64) -> HostTime? {
        guard let anchor, let origin else { return nil }
        let frames =
            position >= anchor.position
            ? Double(position - anchor.position) : -Double(anchor.position - position)
        return origin + .nanoseconds(Int64((anchor.time + frames * period) * 1_000_000_000))
    }

    /// One step of the loop.
    private mutating func follow(_ error: Double, to position: UInt64, expected: Double, frames: Double) {
        let limit = 4 * max(spread, Self.leastSpread)
        let held = min(max(error, -limit), limit)
        spread += (abs(held) - spread) / 16
        let interval = frames * nominalPeriod
        observed += interval
        count += 1
        // 0.45 / t makes the gains those of a line through all that was seen in the time t.
        let bandwidth = max(Self.bandwidth, 0.45 / (observed + 1))
        let omega = min(2 * Double.pi * bandwidth * interval, 0.5)
        // At the beginning the place is the mean of the first stamps.
        let gain = max(omega * 2.0.squareRoot(), 1 / (count + 1))
        anchor = (position, expected + gain * held)
        let slack = nominalPeriod / Self.worstRate
        period = min(
            max(period + omega * omega * held / frames, nominalPeriod - slack), nominalPeriod + slack)
    }

    private static func seconds(_ duration: Duration) -> Double {
        Double(duration.wholeNanoseconds) / 1_000_000_000
    }
}
