// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The clock of a live stream: maps the stream's own times to CLOCK_MONOTONIC, so that frames have the times of their
/// capture instead of those at which packets arrive. See ``TrackClock`` for the estimate.
///
/// Video and audio have one origin, the earlier one, because the track with the longer delay was captured at the same
/// time. If a track begins or is timed again beside the other one, both move to the new origin together and slowly, so that
/// they stay in step. Tracks whose origins are far apart have timelines of their own.
struct StreamClock {
    /// The largest difference between the origins of two tracks with one timeline, in nanoseconds.
    private static let longestDifference: Int64 = 2_000_000_000

    private var pictures = TrackClock()
    private var sound = TrackClock()
    private(set) var restarts = Restarts()

    /// How often the times of each track were found to begin again, or moved at once.
    struct Restarts: Hashable {
        var pictures = 0
        var sound = 0
    }

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
        let note = { (track: inout TrackClock, other: TrackClock) -> Int in
            guard let time else {
                track.noteUntimed()
                return 0
            }
            let isContinued = track.note(
                time.nanoseconds, decoding: (decodeTime ?? time).nanoseconds, arrival: arrival.nanoseconds,
                waited: waited.wholeNanoseconds)
            return (isContinued ? 0 : 1) + (Self.settle(&track, beside: other) ? 0 : 1)
        }
        switch kind {
        case .pictures: restarts.pictures += note(&pictures, sound)
        case .sound: restarts.sound += note(&sound, pictures)
        }
    }

    /// Moves the origin that a track uses toward the one of the stream. Returns false if it moved at once.
    private static func settle(_ track: inout TrackClock, beside other: TrackClock) -> Bool {
        guard track.isLive, let own = track.origin, !track.waits(for: other) else { return true }
        guard other.isLive, let others = other.origin, abs(others - own) < longestDifference else {
            return track.use(own, with: nil)
        }
        let target = min(own, others)
        return track.use(target, with: other.used ?? target)
    }

    /// Returns the host time at which a frame or audio of the stream was captured; nil if it belongs to a backlog, or to
    /// an earlier timeline of the sender.
    func hostTime(_ kind: TrackKind, at time: MediaTime) -> HostTime? {
        let track = kind == .pictures ? pictures : sound
        let nanoseconds = time.nanoseconds
        guard tellsTimes(of: kind), let origin = track.used(at: nanoseconds), case .live(let start) = track.phase
        else { return nil }
        // Times that a decoder calculates may be a little later than those of its packets.
        guard nanoseconds >= start, nanoseconds <= track.latest + Self.longestDifference else { return nil }
        return HostTime(nanoseconds: nanoseconds + origin)
    }

    /// Whether a track is on trial.
    ///
    /// - Parameter arrival: that of the last packet.
    func isOnTrial(at arrival: HostTime) -> Bool {
        pictures.isOnTrial(at: arrival.nanoseconds) || sound.isOnTrial(at: arrival.nanoseconds)
    }
}
