// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The clock of one track of a live stream; see ``StreamClock``. Times are in nanoseconds.
///
/// The *origin* of a packet is `arrival − time`: the host time of stream time zero, if the packet had no delay. No packet
/// arrives before it was captured, so the lowest origin is that of the packet with the shortest delay.
///
/// While the packets of a backlog arrive, their origins fall, because they are received faster than in real time. The
/// track is live when the lowest origin falls no more, and the reader waits for packets: a busy machine may read a backlog
/// no faster than in real time, but does not wait for it. Afterwards the ``origin`` moves toward the lowest one of the last
/// seconds, so slowly that the steps between frames stay even, and upward more slowly still: a lower one is a better
/// estimate, but a higher one mostly means that no packet of these seconds came without a delay.
struct TrackClock {
    private static let second: Int64 = 1_000_000_000
    /// The time for which the lowest origin must not fall before the track is live.
    private static let trial = second / 4
    /// The part of the trial by which the origin may fall: jitter, and clocks that drift apart.
    private static let trialFall: Int64 = 10
    /// The part of the trial that the reader must spend waiting for packets.
    private static let trialWait: Int64 = 4
    /// The time after which a reader that never waits is live: it needs all of its time for decoding.
    private static let longestTrial = 2 * second
    /// The longest backlog. A sender with a longer one does not send in real time.
    private static let longestBacklog = 10 * second
    /// The length of a window; the origin follows the lowest one of two windows.
    private static let window = 10 * second
    /// The origin changes by at most 1/256 of the time by which the stream advances: 0.13 ms for 30 frames per second.
    private static let slowness: Int64 = 256
    /// A higher origin is approached at the speed that would reach it in this time.
    private static let approach = 40 * second
    /// Packets whose origin differs more than this from that of the track have another timeline.
    private static let longestDifference = second / 2
    /// The longest time between decoding and presentation of a packet. A longer one is a wrong time.
    private static let longestLead = 5 * second
    /// The longest step back between two packets of one timeline.
    private static let longestStepBack = 2 * second
    /// The number of packets without a time that are a backlog before the first one with a time.
    private static let mostUntimed = 30
    /// The number of changes of the used origin that are kept. Decoders hold fewer frames.
    private static let mostUses = 64
    /// Times outside of this range are not used, so that sums do not overflow.
    private static let usable = (Int64.min / 4)...(Int64.max / 4)

    /// The state of a track.
    enum Phase: Equatable {
        /// The packets of a backlog arrive.
        case catchingUp
        /// The packets arrive in real time, from this presentation time on.
        case live(from: Int64)
        /// The sender does not send in real time.
        case unusable
    }

    private(set) var phase = Phase.catchingUp
    /// The estimated host time of stream time zero; nil before the first packet.
    private(set) var origin: Int64?
    /// The origins that are used for the times of this track, each from a decoding time on; none until they are told. They
    /// are the same for both tracks, and follow the estimates as slowly as those move. Earlier ones are kept for frames
    /// that a decoder returns late: their times must not depend on how many packets were read meanwhile.
    private var uses: [(from: Int64, origin: Int64)] = []
    /// The latest presentation time of all packets.
    private(set) var latest = Int64.min
    /// The arrival of the last packet, and of the one with which the track became live.
    private var (arrival, liveSince) = (Int64.min, Int64.max)
    /// The latest decoding time of all packets.
    private var decoded = Int64.min
    /// The time by which the last packet advanced the stream.
    private var step: Int64 = 0
    /// The packets without a time before the first one with a time.
    private var untimed = 0
    /// The first arrival, and the current trial: its beginning, and until then the lowest origin and the time spent waiting.
    private var trialStart: (first: Int64, begin: Int64, lowest: Int64, waited: Int64)?
    /// The lowest origin of the current window, and of the one before.
    private var lowest: (current: Int64, previous: Int64)?
    private var windowEnd: Int64 = 0

    /// The origin that is used for the last packet; nil until times are told.
    var used: Int64? { uses.last?.origin }

    /// The origin that is used for a frame or audio of this time; nil until times are told.
    func used(at time: Int64) -> Int64? { (uses.last { $0.from <= time } ?? uses.first)?.origin }

    var isLive: Bool { if case .live = phase { true } else { false } }

    /// Whether packets have times, or are likely to have them soon.
    var hasTimes: Bool { origin != nil || (1...Self.mostUntimed).contains(untimed) }

    /// Whether the other track was on trial when this one became live, and still is: its origin falls, and would move the
    /// times of this one. A track that gets no more packets stays on trial, so this ends after its longest time.
    func waits(for other: TrackClock) -> Bool {
        guard isLive, other.phase == .catchingUp, let trial = other.trialStart else { return false }
        return trial.first <= liveSince && arrival - trial.first < Self.longestTrial
    }

    /// Whether it is on trial. A track that gets no more packets stays so, but only for a while by the arrival of the other's.
    func isOnTrial(at arrival: Int64) -> Bool {
        guard phase == .catchingUp, let trialStart else { return false }
        return arrival - trialStart.first < Self.longestBacklog
    }

    /// Moves the origin that is used toward this one.
    ///
    /// - Parameters:
    ///   - target: the origin of the stream.
    ///   - other: the origin that the other track uses for the same timeline; nil without one. A track that becomes live
    ///     uses it as well.
    /// - Returns: false if the times of the track moved at once, because they were far from the right ones.
    mutating func use(_ target: Int64, with other: Int64?) -> Bool {
        guard let used else {
            uses = [(decoded, other.map { Self.areNear($0, target) ? $0 : target } ?? target)]
            return true
        }
        if other != nil, !Self.areNear(used, target) {
            uses = [(decoded, target)]
            return false
        }
        let limit = step / Self.slowness
        let change = min(max(target - used, -limit), limit)
        guard change != 0 else { return true }
        if uses.count == Self.mostUses { uses.removeFirst() }
        uses.append((decoded, used + change))
        return true
    }

    private static func areNear(_ one: Int64, _ two: Int64) -> Bool { abs(one - two) <= longestDifference }

    /// Notes a packet without a time. FFmpeg returns the first frame of an RTSP stream in this way.
    mutating func noteUntimed() {
        guard origin == nil, untimed <= Self.mostUntimed else { return }
        untimed += 1
    }

    /// Notes a packet. Returns false if it does not continue the timeline, which then begins again with it.
    ///
    /// - Parameter waited: the time that the reader has spent waiting for packets since it began.
    mutating func note(_ time: Int64, decoding: Int64, arrival: Int64, waited: Int64) -> Bool {
        guard phase != .unusable, Self.usable.contains(time), Self.usable.contains(decoding),
            Self.usable.contains(arrival)
        else { return true }
        guard time - decoding <= Self.longestLead else {
            noteUntimed()
            return true
        }
        let found = arrival - time
        if origin != nil, decoding < decoded - Self.longestStepBack || isAhead(found) || isBehind(arrival) {
            self = TrackClock()
            _ = note(time, decoding: decoding, arrival: arrival, waited: waited)
            return false
        }
        self.arrival = arrival
        step = max(0, decoded == .min ? 0 : decoding - decoded)
        decoded = max(decoded, decoding)
        latest = max(latest, time)
        if case .live = phase {
            follow(found, at: arrival)
        } else {
            origin = min(origin ?? found, found)
            catchUp(min(time, decoding), found, at: arrival, waited)
        }
        return true
    }

    /// Whether a packet of a live track arrives much earlier than the origin allows.
    private func isAhead(_ found: Int64) -> Bool {
        guard case .live = phase, let origin else { return false }
        return found < origin - Self.longestDifference
    }

    /// Whether all packets of the last window arrived much later than the origin says: the sender paused its timeline, or
    /// its clock is too slow.
    private func isBehind(_ arrival: Int64) -> Bool {
        guard let origin, let lowest, arrival >= windowEnd else { return false }
        return lowest.current > origin + Self.longestDifference
    }

    /// - Parameter time: the earliest time of the frames that follow: some are shown before this one.
    private mutating func catchUp(_ time: Int64, _ found: Int64, at arrival: Int64, _ waited: Int64) {
        guard let origin, let trial = trialStart else {
            trialStart = (arrival, arrival, found, waited)
            return
        }
        let length = arrival - trial.begin
        guard length >= Self.trial else { return }
        let waits = waited - trial.waited >= length / Self.trialWait || arrival - trial.first >= Self.longestTrial
        if waits, trial.lowest - origin <= length / Self.trialFall {
            (phase, liveSince) = (.live(from: time), arrival)
        } else if arrival - trial.first > Self.longestBacklog {
            phase = .unusable
        } else {
            trialStart = (trial.first, arrival, origin, waited)
        }
    }

    /// Moves the origin by a small part of the time by which the packet advances the stream.
    private mutating func follow(_ found: Int64, at arrival: Int64) {
        guard let origin else { return }
        var lowest = lowest ?? (found, origin)
        if arrival >= windowEnd {
            lowest = (found, windowEnd == 0 ? origin : lowest.current)
            windowEnd = arrival + Self.window
        }
        lowest.current = min(lowest.current, found)
        self.lowest = lowest
        let (limit, change) = (step / Self.slowness, min(lowest.current, lowest.previous) - origin)
        let steps = Self.approach / max(1, min(step, Self.approach))
        self.origin = origin + (change > 0 ? min(change / steps, limit) : max(change, -limit))
    }
}
