// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The clock of a live stream: maps the stream's own times to CLOCK_MONOTONIC.
///
/// No packet arrives before it was captured, so the host time of stream time zero is at most `arrival − time` of each
/// packet. The lowest of these values belongs to the packet with the shortest way, and is the ``offset`` of all tracks.
/// Packets that come later than that, because of jitter or a burst, do not change the steps between the frames.
///
/// The clock of the sender and CLOCK_MONOTONIC drift apart. The offset follows them slowly, so that steps change by
/// less than a millisecond: at once when a packet comes earlier than the offset allows, and toward the lowest value of
/// the last seconds when all packets come later.
///
/// A new connection begins with a backlog: packets that a server sent, or FFmpeg collected, before the first was read.
/// These packets are read without waiting. The stream is live from the first packet on that was waited for.
struct StreamClock {
    /// The packets of a backlog: the time by which they advanced the stream, and the time spent waiting for them.
    private struct Advance {
        var stream: Int64 = 0
        var waited: Int64 = 0
    }

    /// The newest packets.
    private struct Position {
        /// The latest decoding time of all packets.
        var decoding: Int64
        /// The latest presentation time of all packets.
        var presentation: Int64
    }

    private static let second: Int64 = 1_000_000_000
    /// The shortest advance of the stream that tells whether packets were waited for, in nanoseconds.
    private static let shortestAdvance = second / 50
    /// The longest backlog, in time of the stream and in time spent reading it. A source without an end to its backlog
    /// sends faster than in real time.
    private static let longestBacklog = 10 * second
    /// The length of the windows whose lowest value the offset follows.
    private static let window = 10 * second
    /// A packet that is this much earlier than the offset allows, or than the packets before it, belongs to a new
    /// timeline of the sender.
    private static let longestStep = 2 * second
    /// The offset falls by at most 1/64, and rises by at most 1/1024, of the time by which the stream advances.
    private static let (fallTime, riseTime): (Int64, Int64) = (64, 1024)
    private static let usable = (Int64.min / 4)...(Int64.max / 4)

    /// The presentation time of the first live packet; nil while packets of a backlog arrive.
    private(set) var liveStart: MediaTime?
    /// The number of times that the sender's timeline was found to start again.
    private(set) var restartCount = 0
    /// The host time of stream time zero, in nanoseconds; nil before the first packet.
    private var offset: Int64?
    private var position: Position?
    private var advance = Advance()
    private var backlog = Advance()
    /// The lowest value of the current window, and of the one before.
    private var lowest: (current: Int64, previous: Int64)?
    private var windowEnd: Int64 = 0

    /// Whether no packet was noted.
    var isEmpty: Bool { position == nil }
    /// Whether packets of a backlog arrive.
    var isCatchingUp: Bool { liveStart == nil }

    /// Notes a packet.
    ///
    /// - Parameters:
    ///   - time: presentation time.
    ///   - decodeTime: the time in the order of the packets; nil if it equals `time`.
    ///   - arrival: the time at which the packet was read.
    ///   - waited: the time for which reading the packet blocked.
    mutating func note(_ time: MediaTime, decodeTime: MediaTime? = nil, arrival: HostTime, waited: Duration) {
        let (shown, decoded) = (time.nanoseconds, (decodeTime ?? time).nanoseconds)
        // Times from outside may be close to the limits of their type.
        guard Self.usable.contains(shown), Self.usable.contains(decoded) else { return }
        let value = arrival.nanoseconds - shown
        let step = max(0, decoded - (position?.decoding ?? decoded))
        if let position, let offset, !isCatchingUp,
            value < offset - Self.longestStep || decoded < position.decoding - Self.longestStep
        {
            restart()
        }
        guard let position, let offset else {
            offset = value
            position = Position(decoding: decoded, presentation: shown)
            return
        }
        self.position = Position(
            decoding: max(position.decoding, decoded), presentation: max(position.presentation, shown))
        if isCatchingUp {
            self.offset = min(offset, value)
            catchUp(by: step, after: waited.wholeNanoseconds, from: position)
        } else {
            follow(value, at: arrival.nanoseconds, step: step)
        }
    }

    /// Returns the host time at which a frame or audio of the stream was captured; nil if it belongs to a backlog or to
    /// an earlier timeline of the sender.
    func hostTime(of time: MediaTime) -> HostTime? {
        guard let offset, let position, let liveStart, time >= liveStart,
            // Times that a decoder calculates may be a little later than those of its packets.
            time.nanoseconds <= position.presentation + Self.longestStep
        else { return nil }
        return HostTime(nanoseconds: time.nanoseconds + offset)
    }

    private mutating func restart() {
        let count = restartCount + 1
        self = StreamClock()
        restartCount = count
    }

    /// Ends the backlog at the first packets that were waited for at least half as long as they advance the stream.
    private mutating func catchUp(by step: Int64, after waited: Int64, from start: Position) {
        advance.stream += step
        advance.waited += waited
        backlog.stream += step
        backlog.waited += waited
        let isTooLong = backlog.stream > Self.longestBacklog || backlog.waited > Self.longestBacklog
        guard advance.stream >= Self.shortestAdvance || isTooLong else { return }
        if advance.waited * 2 >= advance.stream || isTooLong {
            liveStart = MediaTime(value: start.decoding, timescale: Int32(Self.second))
        }
        advance = Advance()
    }

    /// Changes the offset by a small part of the time by which the packet advances the stream.
    private mutating func follow(_ value: Int64, at arrival: Int64, step: Int64) {
        guard let offset else { return }
        var lowest = lowest ?? (value, offset)
        if arrival >= windowEnd {
            lowest = (value, windowEnd == 0 ? offset : lowest.current)
            windowEnd = arrival + Self.window
        }
        lowest.current = min(lowest.current, value)
        self.lowest = lowest
        let wanted = min(lowest.current, lowest.previous) - offset
        self.offset = offset + max(-(step / Self.fallTime), min(wanted, step / Self.riseTime))
    }
}
