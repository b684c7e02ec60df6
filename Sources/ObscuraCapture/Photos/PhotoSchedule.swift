// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The choice of frames that become photos: the first one and, in a burst, those nearest to their moments, by
/// frame times. A pure value.
struct PhotoSchedule: Sendable {
    /// The properties of a frame that determine the choice.
    struct Moment: Sendable {
        let hostTime: HostTime
        let time: MediaTime
        let epoch: UInt64
    }

    /// The choice of the first frame.
    enum Begin: Sendable {
        /// The frame on screen at this moment: the newest frame captured at or before the moment. If all known frames
        /// were captured later, the oldest known frame.
        case onScreen(HostTime)
        /// A frame captured at or after `after`, on a timeline (epoch) other than `leaving`. The first `letting` frames
        /// that meet these conditions are skipped while the camera adapts its exposure. If `after` is nil, the capture
        /// time does not matter.
        case fresh(after: HostTime?, leaving: UInt64?, letting: Int)
    }

    /// The number of photos still to be taken.
    private(set) var remaining: Int
    private var begin: Begin
    private let isPast: Bool
    private var limit: RateLimit
    private var hasBegun = false

    /// The moment of the first photo; nil for as soon as possible.
    var moment: HostTime? {
        if case .onScreen(let moment) = begin { moment } else { nil }
    }

    /// Creates a schedule.
    ///
    /// - Parameters:
    ///   - count: the number of photos, at least 1.
    ///   - interval: the time from one photo to the next; zero takes every frame.
    ///   - now: the present time: for an earlier moment no new frame is awaited, the known ones are used.
    init(_ begin: Begin, count: Int = 1, interval: MediaTime = .zero, now: HostTime = .now) {
        self.begin = begin
        remaining = count
        limit = RateLimit(interval: interval)
        if case .onScreen(let moment) = begin { isPast = moment <= now } else { isPast = false }
    }

    /// Returns the indexes of the frames to take.
    ///
    /// - Parameters:
    ///   - moments: the frames that are known, in order.
    ///   - new: the number of frames, at the end, that are new to this schedule. At its beginning all are.
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
