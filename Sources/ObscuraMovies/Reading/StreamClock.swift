// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The clock of a live stream: maps the stream's own times to CLOCK_MONOTONIC, so that frames have the times of their
/// capture instead of those at which packets arrive. See ``TrackClock`` for the estimate.
///
/// Video and audio have one origin, the earlier one, because the track with the longer delay was captured at the same
/// time. Tracks whose origins are far apart have timelines of their own.
struct StreamClock {
    /// The largest difference between the origins of two tracks with one timeline, in nanoseconds.
    private static let longestDifference: Int64 = 2_000_000_000

    private var pictures = TrackClock()
    private var sound = TrackClock()
    /// The number of times that the sender's timeline was found to begin again.
    private(set) var restartCount = 0

    /// Whether a track tells times of capture. If false, its packets have no times, or are not sent in real time; the time
    /// of arrival is then the only one.
    func tellsTimes(of kind: TrackKind) -> Bool {
        (kind == .pictures ? pictures : sound).hasTimes && pictures.phase != .unusable && sound.phase != .unusable
    }

    /// Whether a frame or audio is dropped because it is older than the live position, or of an earlier timeline of the
    /// sender.
    func isBacklog(_ kind: TrackKind, at time: MediaTime) -> Bool {
        tellsTimes(of: kind) && hostTime(kind, at: time) == nil
    }

    /// Notes a packet.
    ///
    /// - Parameters:
    ///   - time: presentation time; nil if the packet has none.
    ///   - decodeTime: the time in the order of the packets; nil if it equals `time`.
    ///   - arrival: the time at which the packet was read.
    ///   - waited: the time that the reader has spent waiting for packets since it began.
    mutating func note(
        _ kind: TrackKind, at time: MediaTime?, decodeTime: MediaTime? = nil, arrival: HostTime, waited: Duration
    ) {
        guard let time else {
            switch kind {
            case .pictures: pictures.noteUntimed()
            case .sound: sound.noteUntimed()
            }
            return
        }
        let (decoding, arrival, waited) = (
            (decodeTime ?? time).nanoseconds, arrival.nanoseconds, waited.wholeNanoseconds
        )
        let isContinued =
            switch kind {
            case .pictures: pictures.note(time.nanoseconds, decoding: decoding, arrival: arrival, waited: waited)
            case .sound: sound.note(time.nanoseconds, decoding: decoding, arrival: arrival, waited: waited)
            }
        guard !isContinued else { return }
        restartCount += 1
        switch kind {
        case .pictures: Self.retime(&sound, ifMovedBy: pictures)
        case .sound: Self.retime(&pictures, ifMovedBy: sound)
        }
    }

    /// A track whose origin becomes earlier would move the times of the other one. Both are timed again.
    private static func retime(_ track: inout TrackClock, ifMovedBy other: TrackClock) {
        guard let own = track.origin, let others = other.origin, others < own, own - others < longestDifference else {
            return
        }
        track = TrackClock()
        track.noteUntimed()
    }

    /// Returns the host time at which a frame or audio of the stream was captured; nil if it belongs to a backlog, or to
    /// an earlier timeline of the sender.
    func hostTime(_ kind: TrackKind, at time: MediaTime) -> HostTime? {
        let (track, other) = kind == .pictures ? (pictures, sound) : (sound, pictures)
        guard tellsTimes(of: kind), let own = track.origin, case .live(let start) = track.phase else { return nil }
        let nanoseconds = time.nanoseconds
        // Times that a decoder calculates may be a little later than those of its packets.
        guard nanoseconds >= start, nanoseconds <= track.latest + Self.longestDifference else { return nil }
        guard let others = other.origin, abs(others - own) < Self.longestDifference else {
            return HostTime(nanoseconds: nanoseconds + own)
        }
        guard !track.waits(for: other) else { return nil }
        return HostTime(nanoseconds: nanoseconds + (other.isLive ? min(own, others) : own))
    }
}
