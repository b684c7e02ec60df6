// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// Which bit rate the slowest destination can take: a pure value.
///
/// Looked at twice a second. When what waits grows beyond half a second the rate goes down to 0.7, again after each
/// second in which it does not shrink: as a sender of TCP does, quickly down and slowly up. When for three seconds
/// next to nothing has waited, it goes up by a twelfth of the whole. A rate that was too much is remembered: near it
/// the steps up are small, so that it does not come to that again and again.
struct BitRateController: Sendable {
    /// How often ``look(at:queue:)`` is to be called.
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
    /// The last rate that was too much.
    private var ceiling: Int?

    /// - Parameters:
    ///   - highest: what was asked for, in bits a second.
    ///   - share: what it may come down to, as a part of that.
    init(highest: Int, share: Double) {
        self.highest = highest
        lowest = min(highest, max(100_000, Int(Double(highest) * share)))
        rate = highest
    }

    /// - Parameter queue: for how long the slowest destination is behind; nil while none is connected.
    /// - Returns: the rate to encode at from now on; nil if it stays.
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
            // Up to it in small steps, and once beyond it all is as at first.
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
