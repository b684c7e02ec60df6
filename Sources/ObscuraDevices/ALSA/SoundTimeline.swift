// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The numbers and the times of a source's sample frames, made of those of its streams, as a pure value.
///
/// What is lost in an overrun is measured by time: the numbers jump by what the card would have counted meanwhile,
/// at the rate that it really has. After another beginning (the card was unplugged) they go on without a jump.
struct SoundTimeline: Sendable {
    /// How a stream begins.
    enum Beginning: Sendable, Hashable {
        /// The same device goes on; what came meanwhile is lost.
        case afterLoss
        /// It does not follow what came before.
        case anew
    }

    /// Where a stretch of frames stands.
    struct Placement: Sendable, Hashable {
        /// The number of its first frame.
        var position: UInt64
        /// When its first frame was taken.
        var time: HostTime
        /// How many frames were lost just before it.
        var gap: UInt64
        /// Whether the card gave no stamp that can be believed.
        var isTimeEstimated: Bool
        /// Whether it does not follow what came before.
        var isDiscontinuity: Bool
    }

    private var clock: SoundClock
    /// The number of the next frame.
    private var next: UInt64 = 0
    private var beginning: Beginning? = .anew
    private var lastTime: HostTime?

    /// A stamp this much older or newer than now is a driver's mistake.
    private static let past = Duration.seconds(10)
    private static let future = Duration.seconds(1)

    /// - Parameter sampleRate: the nominal one.
    init(sampleRate: Int) {
        clock = SoundClock(sampleRate: sampleRate)
    }

    /// By how much the card is too quick, in parts per million.
    var drift: Double { clock.drift }

    /// A new stream begins.
    mutating func beginStream(_ beginning: Beginning) {
        // What was broken off before it gave anything stays as it was.
        if self.beginning != .anew { self.beginning = beginning }
    }

    /// The place of the next frames.
    ///
    /// - Parameters:
    ///   - count: how many they are.
    ///   - waiting: how many had been taken and not read at `stamp`, these among them.
    ///   - stamp: the card's; nil where it has none.
    ///   - now: when the card was asked.
    mutating func place(_ count: Int, waiting: Int, stamp: HostTime?, now: HostTime) -> Placement {
        let believed = stamp.flatMap { stamp in
            stamp.nanoseconds > 0 && now - stamp <= Self.past && stamp - now <= Self.future ? stamp : nil
        }
        let time = believed ?? now
        let ahead = UInt64(max(0, waiting))
        var gap: UInt64 = 0
        var isDiscontinuity = false
        switch beginning {
        case .anew:
            isDiscontinuity = next > 0
            clock.restart()
        case .afterLoss:
            let first = time + .nanoseconds(-Int64(Double(ahead) / clock.sampleRate * 1_000_000_000))
            if let expected = clock.time(of: next) { gap = frames(in: first - expected) }
            clock.restart()
        case nil: break
        }
        beginning = nil
        if case .stepped(let step) = clock.note(position: next + gap + ahead, at: time) {
            // The card has lost frames without a word, or its stamps went back.
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
            position: next, time: monotonic, gap: gap, isTimeEstimated: believed == nil,
            isDiscontinuity: isDiscontinuity)
    }

    /// How many frames the card takes in that time.
    private func frames(in duration: Duration) -> UInt64 {
        let count = Double(duration.wholeNanoseconds) / 1_000_000_000 * clock.sampleRate
        return count > 0 ? UInt64(count.rounded()) : 0
    }
}
