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
    private let leader: MediaType
    /// How long it may become; nil for any length.
    private let limit: MediaTime?
    /// How long the stretches before are, together.
    private var before = MediaTime.zero
    private var start = MediaTime.zero
    /// The end of what has come of the leader in this stretch.
    private var leaderEnd = MediaTime.zero
    private var closing: (time: MediaTime, purpose: Closing, passed: Set<MediaType>)?

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

    /// The end of what has come of the leader, on the timeline of what comes.
    var latest: MediaTime { leaderEnd }

    /// A frame or a buffer has come.
    mutating func arrive(_ track: MediaType, at time: MediaTime, lasting duration: MediaTime?) -> [Action] {
        switch phase {
        case .paused, .ended: return []
        case .waiting:
            guard track == leader else { return [.hold] }
            phase = .recording
            start = time
            leaderEnd = time + (duration ?? .zero)
            return [.begin(time), .append] + checkLimit()
        case .recording:
            if track == leader { leaderEnd = time + (duration ?? .zero) }
            return [.append] + checkLimit()
        case .closing:
            guard let closing else { return [] }
            if time < closing.time {
                if track == leader { leaderEnd = time + (duration ?? .zero) }
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
    mutating func resume() -> [Action] {
        let actions = giveUpWaiting()
        if phase == .paused { phase = .waiting }
        return actions
    }

    /// A track has come to its end. Without pictures, or without the leader, the recording has no more to wait for.
    mutating func end(_ track: MediaType, for reason: RecordingResult.Reason) -> [Action] {
        tracks.remove(track)
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
            let last = leaderEnd
            // What the other track still has goes on up to where this one ended.
            return close(at: last, for: .finish(reason)) + endIfPassed()
        }
    }

    /// Ends it at once, for something that has gone wrong.
    mutating func fail(_ reason: RecordingResult.Reason) -> [Action] {
        guard phase != .ended else { return [] }
        phase = .ended
        return [.finish(reason)]
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
