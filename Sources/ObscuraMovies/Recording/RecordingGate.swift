// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture
internal import ObscuraMedia

/// What of the pictures and the sound goes into a recording: a pure value.
///
///     waiting ──first of the leader──► recording ──close(at:)──► closing ──all tracks have passed──► paused │ ended
///        ▲                                                                                              │
///        └──────────────────────────────────── resume() ────────────────────────────────────────────────┘
///
/// The leader is the picture, or the sound of a recording without pictures. A stretch begins with its first frame;
/// sound that came before is held, since a part of it may belong to that frame. It is closed at a time, and each
/// track goes on up to that time, however late it is.
struct RecordingGate: Sendable {
    enum Phase: Sendable, Hashable {
        case waiting, recording, closing, paused, ended
    }

    /// What is to be done, in this order.
    enum Action: Sendable, Hashable {
        /// The stretch begins; what was held is appended.
        case begin(MediaTime)
        /// What has come is appended.
        case append
        /// What has come is kept until the stretch begins.
        case hold
        /// The stretch ends.
        case end(MediaTime)
        case announcePause
        case finish(RecordingResult.Reason)
    }

    /// What a stretch is closed for.
    enum Closing: Sendable, Hashable {
        case pause
        case finish(RecordingResult.Reason)
    }

    private(set) var phase = Phase.waiting
    /// Tracks that may still give something.
    private var tracks: Set<MediaType>
    private var leader: MediaType
    /// How long it may become; nil for any length.
    private let limit: MediaTime?
    /// How long the stretches before are, together.
    private var before = MediaTime.zero
    private var start = MediaTime.zero
    /// The end of what has come of the leader in this stretch, on the timeline of what comes.
    private(set) var leaderEnd = MediaTime.zero
    /// The end of what has come of the other track.
    private var followerEnd = MediaTime.zero
    /// What is earlier belongs to a pause; nil before the first one.
    private var resumption: MediaTime?
    private var closing: (time: MediaTime, purpose: Closing, passed: Set<MediaType>)?
    /// The end of what has come of either track in this stretch.
    var end: MediaTime { max(leaderEnd, followerEnd) }
    /// How many stretches have been closed, so that who waits for one does not end the next.
    private(set) var closings = 0
    /// How much has come for stretches while they were being closed: whether a late track still gives something.
    private(set) var lateArrivals = 0

    init(tracks: Set<MediaType>, limit: MediaTime? = nil) {
        self.tracks = tracks
        leader = tracks.contains(.video) ? .video : .audio
        self.limit = limit
    }

    /// How much has been recorded.
    var duration: MediaTime {
        switch phase {
        case .recording, .closing: before + max(.zero, min(leaderEnd, closing?.time ?? leaderEnd) - start)
        case .waiting, .paused, .ended: before
        }
    }

    /// A frame or a buffer has come.
    mutating func arrive(_ track: MediaType, at time: MediaTime, lasting duration: MediaTime?) -> [Action] {
        switch phase {
        case .paused, .ended: return []
        case .waiting:
            if let resumption, time < resumption { return [] }
            guard track == leader else { return [.hold] }
            phase = .recording
            start = time
            leaderEnd = time + (duration ?? .zero)
            return [.begin(time), .append] + checkLimit()
        case .recording:
            note(track, time + (duration ?? .zero))
            return [.append] + checkLimit()
        case .closing:
            guard let closing else { return [] }
            if time < closing.time {
                lateArrivals += 1
                note(track, time + (duration ?? .zero))
                return [.append]
            }
            self.closing?.passed.insert(track)
            return endIfPassed()
        }
    }

    /// Ends the stretch at `time`. What was asked for first counts, but a pause gives way to an end.
    mutating func close(at time: MediaTime, for purpose: Closing) -> [Action] {
        switch (phase, purpose) {
        case (.ended, _), (.waiting, .pause), (.paused, .pause):
            if phase == .waiting {
                phase = .paused
                return [.announcePause]
            }
            return []
        case (.waiting, .finish(let reason)), (.paused, .finish(let reason)):
            phase = .ended
            return [.finish(reason)]
        case (.closing, .pause): return []
        case (.closing, .finish):
            if case .pause = closing?.purpose { closing?.purpose = purpose }
            return []
        case (.recording, _):
            phase = .closing
            closing = (max(time, start), purpose, [])
            closings += 1
            return []
        }
    }

    /// The time for which the tracks are waited has passed.
    mutating func giveUpWaiting() -> [Action] {
        guard phase == .closing else { return [] }
        closing?.passed = tracks
        return endIfPassed()
    }

    /// A new stretch begins with the next frame.
    ///
    /// - Parameter time: what is earlier is left out; nil begins with what comes.
    mutating func resume(at time: MediaTime? = nil) -> [Action] {
        let actions = giveUpWaiting()
        if phase == .paused {
            phase = .waiting
            resumption = time
        }
        return actions
    }

    /// Whether a track may still give something.
    func expects(_ track: MediaType) -> Bool { tracks.contains(track) }

    /// A track has come to its end. A camera or a microphone that is gone ends the recording; of a film the other track
    /// goes on, and leads.
    mutating func end(_ track: MediaType, for reason: RecordingResult.Reason) -> [Action] {
        tracks.remove(track)
        if track == leader, let other = tracks.first, reason == .sourceEnded, phase != .closing {
            leader = other
            leaderEnd = max(leaderEnd, followerEnd)
        }
        switch phase {
        case .closing:
            return endIfPassed()
        case .ended: return []
        case .waiting, .paused:
            guard tracks.isEmpty || reason != .sourceEnded else { return [] }
            phase = .ended
            return [.finish(reason)]
        case .recording:
            guard tracks.isEmpty || reason != .sourceEnded else { return [] }
            // What the other track still has goes on up to where this one ended; what it has given already stays.
            return close(at: end, for: .finish(reason)) + endIfPassed()
        }
    }

    /// Ends it at once, for something that has gone wrong.
    mutating func fail(_ reason: RecordingResult.Reason) -> [Action] {
        guard phase != .ended else { return [] }
        before = duration
        phase = .ended
        return [.finish(reason)]
    }

    private mutating func note(_ track: MediaType, _ end: MediaTime) {
        if track == leader { leaderEnd = max(leaderEnd, end) } else { followerEnd = max(followerEnd, end) }
    }

    private mutating func checkLimit() -> [Action] {
        guard let limit, phase == .recording else { return [] }
        let end = start + (limit - before)
        guard leaderEnd >= end else { return [] }
        return close(at: end, for: .finish(.maximumDuration)) + passLeader()
    }

    /// The leader has come up to the end already.
    private mutating func passLeader() -> [Action] {
        closing?.passed.insert(leader)
        return endIfPassed()
    }

    private mutating func endIfPassed() -> [Action] {
        guard phase == .closing, let closing, tracks.isSubset(of: closing.passed) else { return [] }
        before = before + (closing.time - start)
        self.closing = nil
        switch closing.purpose {
        case .pause:
            phase = .paused
            return [.end(closing.time), .announcePause]
        case .finish(let reason):
            phase = .ended
            return [.end(closing.time), .finish(reason)]
        }
    }
}
