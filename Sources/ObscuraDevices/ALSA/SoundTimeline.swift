// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The positions and times of a source's sample frames across its streams, as a pure value.
///
/// The loss of an overrun is measured by time: positions advance by the frames of that time, at the measured rate.
/// After another interruption (the card was disconnected) they continue without a gap.
struct SoundTimeline: Sendable {
    /// The start of a stream.
    enum Beginning: Sendable, Hashable {
        /// The same device continues after lost frames.
        case afterLoss
        /// A new stream that does not continue the previous stream.
        case anew
    }

    /// The position and time of consecutive frames.
    struct Placement: Sendable, Hashable {
        /// The number of the first frame.
        var position: UInt64
        /// The capture time of the first frame.
        var time: HostTime
        /// The number of frames lost directly before.
        var gap: UInt64
        /// Whether the card reported no plausible time stamp.
        var isTimeEstimated: Bool
        /// Whether the frames do not continue the former ones.
        var isDiscontinuity: Bool
    }

    private var clock: SoundClock
    /// The number of the next frame.
    private var next: UInt64 = 0
    private var beginning: Beginning? = .anew
    private var lastTime: HostTime?

    /// Limits of a plausible stamp, relative to the current time.
    private static let past = Duration.seconds(10)
    private static let future = Duration.seconds(1)
    /// The largest plausible number of waiting frames, of 10 s as well: plug-ins may report any.
    private let waitingLimit: Int

    /// Creates a timeline.
    ///
    /// - Parameter sampleRate: the nominal rate, in hertz.
    init(sampleRate: Int) {
        waitingLimit = 10 * min(max(1, sampleRate), 1_000_000)
        clock = SoundClock(sampleRate: sampleRate)
    }

    /// The deviation from the nominal rate in parts per million; positive for a fast card.
    var drift: Double { clock.drift }

    /// The same once it has been measured for some seconds; nil before.
    var measuredDrift: Double? { clock.measuredDrift }

    /// Begins a new stream.
    mutating func beginStream(_ beginning: Beginning) {
        // A stream that ended before its first frame does not count.
        if self.beginning != .anew { self.beginning = beginning }
    }

    /// Returns the placement of the next frames.
    ///
    /// - Parameters:
    ///   - count: the number of frames.
    ///   - waiting: the number of captured frames not yet read at `stamp`, including these.
    ///   - stamp: the card's time stamp; nil if it has none.
    ///   - now: the time of the query.
    ///   - lost: the number of frames lost before these, if the source counts them; nil to measure a loss by time.
    mutating func place(
        _ count: Int, waiting: Int, stamp: HostTime?, now: HostTime, lost: UInt64? = nil
    ) -> Placement {
        let plausible = stamp.flatMap { stamp in
            stamp.nanoseconds > 0 && now - stamp <= Self.past && stamp - now <= Self.future ? stamp : nil
        }
        let time = plausible ?? now
        let ahead = UInt64(min(max(0, waiting), waitingLimit))
        var gap: UInt64 = 0
        var isDiscontinuity = false
        switch beginning {
        case .anew:
            isDiscontinuity = next > 0
            clock.restart()
        case .afterLoss:
            let first = time + .nanoseconds(-Int64(Double(ahead) / clock.sampleRate * 1_000_000_000))
            if let lost {
                gap = lost
            } else if let expected = clock.time(of: next) {
                gap = frames(in: first - expected)
            }
            clock.restart()
        case nil: break
        }
        beginning = nil
        if case .stepped(let step) = clock.note(position: next + gap + ahead, at: time) {
            // The card lost frames without reporting it, or its stamps went back.
            gap += frames(in: step)
            isDiscontinuity = isDiscontinuity || step < .zero
            clock.restart()
            _ = clock.note(position: next + gap + ahead, at: time)
        }
        next += gap
        let computed = clock.time(of: next) ?? time
        let monotonic = lastTime.map { max(computed, $0 + .nanoseconds(1)) } ?? computed
        lastTime = monotonic
        defer { next += UInt64(max(0, count)) }
        return Placement(
            position: next, time: monotonic, gap: gap, isTimeEstimated: plausible == nil,
            isDiscontinuity: isDiscontinuity)
    }

    /// Returns the attachments of a buffer with a placement.
    func attachments(of place: Placement, dequeued: HostTime) -> AudioBuffer.Attachments {
        var attachments = AudioBuffer.Attachments()
        attachments.gap = place.gap
        attachments.isDiscontinuity = place.isDiscontinuity
        attachments.isTimeEstimated = place.isTimeEstimated
        attachments.dequeueTime = dequeued
        attachments.clockDrift = place.isTimeEstimated ? nil : measuredDrift
        return attachments
    }

    /// Returns the number of frames of a duration, at the measured rate.
    private func frames(in duration: Duration) -> UInt64 {
        let count = Double(duration.wholeNanoseconds) / 1_000_000_000 * clock.sampleRate
        return count > 0 ? UInt64(count.rounded()) : 0
    }
}
