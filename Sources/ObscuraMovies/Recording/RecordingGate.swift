// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture
internal import ObscuraMedia

/// The state machine that determines which frames and audio buffers belong to a recording: a pure value.
///
///     waiting ──first of the leader──► recording ──close(at:)──► closing ──all tracks have passed──► paused │ ended
///        ▲                                                                                              │
///        └──────────────────────────────────── resume() ────────────────────────────────────────────────┘
///
/// The leader is the first video, or the first audio of a recording without video. A segment begins with the leader's
/// first frame; earlier audio is held, since part of it may overlap that frame. A segment is closed at a time, and each track
/// continues up to that time, however late it is.
struct RecordingGate: Sendable {
    enum Phase: Sendable, Hashable {
        case waiting, recording, closing, paused, ended
    }

    /// The actions to perform, in this order.
    enum Action: Sendable, Hashable {
        /// Begin the segment at this time and append the audio that was kept for it.
        case begin(MediaTime)
        /// Append the sample.
        case append
        /// Keep the sample until the segment begins.
        case hold
        /// End the segment at this time.
        case end(MediaTime)
        case announcePause
        case announceResumption
        case finish(RecordingResult.Reason)
    }

    /// The purpose of closing a segment.
    enum Closing: Sendable, Hashable {
        case pause
        case finish(RecordingResult.Reason)

        /// The purpose of a request after the limit, which the samples received so far do not show.
        fileprivate var afterLimit: Closing {
            switch self {
            case .pause, .finish(.stopped), .finish(.sessionStopped): .finish(.maximumDuration)
            case .finish: self
            }
        }
    }

    private(set) var phase = Phase.waiting
    /// The tracks that may still deliver samples.
    private var tracks: Set<SampleTrack>
    private var leader: SampleTrack
    /// Maximum duration of the recording; nil for unlimited.
    private let limit: MediaTime?
    /// Whether all tracks come from the same movie, whose audio may be longer than its video.
    private let hasOneSource: Bool
    /// Total duration of the previous segments.
    private var before = MediaTime.zero
    private var start = MediaTime.zero
    /// The end of the leader's samples in this segment, on their own timeline.
    private(set) var leaderEnd = MediaTime.zero
    /// The end of the other tracks' samples.
    private var followerEnd = MediaTime.zero
    /// The other tracks that are ahead of the leader, at the end of a limited recording.
    private var atLimit: Set<SampleTrack> = []
    /// The end of the last pause, before which samples are skipped; nil before the first pause, and if the next sample
    /// ends the pause.
    private var resumption: MediaTime?
    private var closing: (time: MediaTime, purpose: Closing, passed: Set<SampleTrack>)?
    /// The end of the samples of all tracks in this segment.
    var end: MediaTime { max(leaderEnd, followerEnd) }
    /// Number of closed segments, so that a timeout for one segment does not end the next.
    private(set) var closings = 0
    /// Number of samples that arrived while a segment was being closed, which shows whether a late track is still
    /// delivering.
    private(set) var lateArrivals = 0

    init(tracks: Set<SampleTrack>, limit: MediaTime?, hasOneSource: Bool) {
        self.tracks = tracks
        leader = tracks.min() ?? SampleTrack(0, .video)
        self.limit = limit
        self.hasOneSource = hasOneSource
    }

    /// The recorded duration.
    var duration: MediaTime {
        switch phase {
        case .recording, .closing: before + max(.zero, min(leaderEnd, closing?.time ?? leaderEnd) - start)
        case .waiting, .paused, .ended: before
        }
    }

    /// Handles a frame or an audio buffer.
    ///
    /// - Parameters:
    ///   - decodeTime: its time in the order of arrival, if that differs: a segment of reordered frames ends in that order,
    ///     since a frame may need one that is shown after the end.
    ///   - isKey: whether a segment can begin with it.
    mutating func arrive(
        _ track: SampleTrack, at time: MediaTime, decodedAt decodeTime: MediaTime? = nil, lasting duration: MediaTime?,
        isKey: Bool = true
    ) -> [Action] {
        let order = decodeTime ?? time
        switch phase {
        case .paused, .ended: return []
        case .waiting:
            if let resumption, time < resumption { return [] }
            guard track == leader else { return track.isVideo ? [] : [.hold] }
            guard isKey else { return [] }
            phase = .recording
            start = time
            atLimit.removeAll()
            leaderEnd = time + (duration ?? .zero)
            return [.begin(time), .append] + checkLimit(order + (duration ?? .zero))
        case .recording:
            if let limitEnd, order >= limitEnd {
                // The frames before the end may have been dropped: this one is not recorded in their place.
                guard track != leader else { return endAtLimit(if: true) }
                atLimit.insert(track)
                return []
            }
            note(track, time + (duration ?? .zero))
            return [.append] + (track == leader ? checkLimit(order + (duration ?? .zero)) : [])
        case .closing:
            guard let closing else { return [] }
            if order < closing.time {
                lateArrivals += 1
                note(track, time + (duration ?? .zero))
                return [.append]
            }
            self.closing?.passed.insert(track)
            return endIfPassed()
        }
    }

    /// Ends the segment at `time`, or at the limit if that is earlier. The first request determines the time, but an end
    /// replaces a pause.
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
            let end = min(time, limitEnd ?? time)
            closing = (max(end, start), end < time ? purpose.afterLimit : purpose, atLimit)
            closings += 1
            return []
        }
    }

    /// Stops waiting for the tracks, after a timeout.
    mutating func giveUpWaiting() -> [Action] {
        guard phase == .closing else { return [] }
        closing?.passed = tracks
        return endIfPassed()
    }

    /// Begins a new segment with the next frame.
    ///
    /// - Parameter time: earlier samples are skipped; nil starts with the next sample.
    mutating func resume(at time: MediaTime? = nil) -> [Action] {
        let actions = giveUpWaiting()
        guard phase == .paused else { return actions }
        phase = .waiting
        resumption = time
        return actions + [.announceResumption]
    }

    /// Whether a track may still deliver samples.
    func expects(_ track: SampleTrack) -> Bool { tracks.contains(track) }

    /// Handles the end of a track. A lost camera or microphone ends the recording. In a movie the other tracks
    /// continue, and one becomes the leader; a recording with a separate microphone ends with the movie.
    mutating func end(_ track: SampleTrack, for reason: RecordingResult.Reason) -> [Action] {
        tracks.remove(track)
        let endsAll = tracks.isEmpty || reason != .sourceEnded || (track == leader && !hasOneSource)
        if track == leader, let other = tracks.min(), !endsAll, phase != .closing {
            leader = other
            leaderEnd = max(leaderEnd, followerEnd)
        }
        switch phase {
        case .closing:
            if endsAll, case .pause = closing?.purpose { closing?.purpose = .finish(reason) }
            return endIfPassed()
        case .ended: return []
        case .waiting, .paused:
            guard endsAll else { return [] }
            phase = .ended
            return [.finish(reason)]
        case .recording:
            guard endsAll else { return endAtLimit(if: atLimit.contains(leader)) }
            // The other tracks continue up to the end of this one; their samples received so far are kept.
            return close(at: end, for: .finish(reason)) + endIfPassed()
        }
    }

    /// Ends the recording immediately after a failure.
    mutating func fail(_ reason: RecordingResult.Reason) -> [Action] {
        guard phase != .ended else { return [] }
        before = duration
        phase = .ended
        return [.finish(reason)]
    }

    private mutating func note(_ track: SampleTrack, _ end: MediaTime) {
        if track == leader { leaderEnd = max(leaderEnd, end) } else { followerEnd = max(followerEnd, end) }
    }

    /// - Parameter decoded: the end of the last sample in the order of arrival.
    private mutating func checkLimit(_ decoded: MediaTime) -> [Action] {
        guard let limitEnd, phase == .recording else { return [] }
        return endAtLimit(if: leaderEnd >= limitEnd && decoded >= limitEnd)
    }

    /// The end of a limited recording, on the timeline of the samples of this segment.
    private var limitEnd: MediaTime? { limit.map { start + ($0 - before) } }

    /// Ends a limited recording if its leader has reached the limit.
    private mutating func endAtLimit(if isReached: Bool) -> [Action] {
        guard let limitEnd, isReached else { return [] }
        return close(at: limitEnd, for: .finish(.maximumDuration)) + passLeader()
    }

    /// Marks the leader as finished, because it has already reached the end.
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
