// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// Which frames become photos: the first one, and of a burst those that are nearest to their moments, by the
/// frames' own times. A pure value.
struct PhotoSchedule: Sendable {
    /// What counts of a frame.
    struct Moment: Sendable {
        let hostTime: HostTime
        let time: MediaTime
        let epoch: UInt64
    }

    /// Which frame is the first.
    enum Begin: Sendable {
        /// The one that was on the screen at this moment: the newest that was taken by then, else the oldest known.
        case onScreen(HostTime)
        /// One that was taken at or after a moment, and not on the timeline `leaving`; so many such frames are let
        /// pass before, in which the camera finds its exposure.
        case fresh(after: HostTime?, leaving: UInt64?, letting: Int)
    }

    /// How many photos are still to be taken.
    private(set) var remaining: Int
    private var begin: Begin
    private let isPast: Bool
    private var limit: RateLimit
    private var hasBegun = false

    /// The moment of the first photo; nil where it is to be as soon as can be.
    var moment: HostTime? {
        if case .onScreen(let moment) = begin { moment } else { nil }
    }

    /// - Parameters:
    ///   - count: at least 1.
    ///   - interval: from one photo to the next; zero takes every frame.
    ///   - now: a moment after it is not waited for: what is known then must do.
    init(_ begin: Begin, count: Int = 1, interval: MediaTime = .zero, now: HostTime = .now) {
        self.begin = begin
        remaining = count
        limit = RateLimit(interval: interval)
        if case .onScreen(let moment) = begin { isPast = moment <= now } else { isPast = false }
    }

    /// Which of the frames are to be taken.
    ///
    /// - Parameters:
    ///   - moments: the frames that are known, in order.
    ///   - new: so many of them, at the end, are new to this schedule. At its beginning all are.
    mutating func take(from moments: [Moment], new: Int) -> [Int] {
        var taken: [Int] = []
        var next = max(0, moments.count - new)
        if !hasBegun {
            guard let first = first(of: moments, from: next) else { return [] }
            hasBegun = true
            next = first
        }
        while next < moments.count, remaining > 0 {
            if limit.admits(moments[next].time) {
                taken.append(next)
                remaining -= 1
            }
            next += 1
        }
        return taken
    }

    private mutating func first(of moments: [Moment], from next: Int) -> Int? {
        switch begin {
        case .onScreen(let moment):
            guard let newest = moments.last, isPast || newest.hostTime > moment else { return nil }
            return moments.lastIndex { $0.hostTime <= moment } ?? moments.startIndex
        case .fresh(let after, let leaving, var letting):
            defer { begin = .fresh(after: after, leaving: leaving, letting: letting) }
            for index in next..<moments.count {
                let frame = moments[index]
                if frame.epoch == leaving { continue }
                if let after, frame.hostTime < after { continue }
                if letting == 0 { return index }
                letting -= 1
            }
            return nil
        }
    }
}
