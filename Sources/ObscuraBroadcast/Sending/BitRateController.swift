// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// A controller of the bit rate, which the slowest destination must be able to sustain: a pure value.
///
/// Evaluated twice a second. When the queue exceeds half a second, the rate is multiplied by 0.7, again after each
/// second in which the queue does not shrink: like TCP congestion control, fast down and slowly up. When the queue has
/// been almost empty for three seconds, the rate increases by a twelfth of the highest rate. The last rate that was too
/// high is remembered; near it the steps are smaller, to avoid repeated overload.
struct BitRateController: Sendable {
    /// Interval between calls of ``look(at:queue:)``.
    static let interval = Duration.milliseconds(500)
    private static let muchWaits = Duration.milliseconds(500)
    private static let littleWaits = Duration.milliseconds(100)
    private static let pauseAfterDescent = Duration.seconds(1)
    private static let calmBeforeAscent = Duration.seconds(3)

    let highest: Int
    let lowest: Int
    private(set) var rate: Int
    private var lastChange: HostTime?
    private var calmSince: HostTime?
    private var lastQueue = Duration.zero
    /// The last rate that was too high.
    private var ceiling: Int?

    /// - Parameters:
    ///   - highest: the requested rate, in bits per second.
    ///   - share: the lowest allowed rate, as a fraction of that.
    init(highest: Int, share: Double) {
        self.highest = highest
        lowest = min(highest, max(100_000, Int(Double(highest) * share)))
        rate = highest
    }

    /// - Parameter queue: the duration that waits for the slowest destination; nil while none is connected.
    /// - Returns: the new bit rate for the encoder; nil if it does not change.
    mutating func look(at now: HostTime, queue: Duration?) -> Int? {
        guard let queue else {
            calmSince = nil
            return nil
        }
        defer { lastQueue = queue }
        if queue > Self.littleWaits { calmSince = nil } else { calmSince = calmSince ?? now }
        if queue > Self.muchWaits {
            guard queue >= lastQueue, isPast(Self.pauseAfterDescent, now) else { return nil }
            ceiling = rate
            return change(to: Int(Double(rate) * 0.7), now)
        }
        guard let calmSince, now - calmSince >= Self.calmBeforeAscent, isPast(Self.calmBeforeAscent, now) else {
            return nil
        }
        var step = highest / 12
        if let ceiling, rate + step >= ceiling {
            // Small steps up to the ceiling; beyond it, normal steps.
            step = max(1, highest / 48)
            if rate >= ceiling { self.ceiling = nil }
        }
        return change(to: rate + step, now)
    }

    private func isPast(_ pause: Duration, _ now: HostTime) -> Bool { lastChange.map { now - $0 >= pause } ?? true }

    private mutating func change(to wanted: Int, _ now: HostTime) -> Int? {
        let new = min(highest, max(lowest, wanted))
        guard new != rate else { return nil }
        rate = new
        lastChange = now
        return new
    }
}
