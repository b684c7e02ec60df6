// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture
internal import ObscuraMedia

/// The numbers and times of a run's frames, across the readers that serve it one after the other.
struct MovieTimeline {
    /// Beyond this a movie that has fallen behind (a process that was stopped, a slow machine) goes on from
    /// where it is, instead of hurrying after the clock.
    private static let patience: Duration = .seconds(1)

    /// When presentation time zero is due; nil until the first frame.
    private var origin: HostTime?
    /// What is added to the times and numbers of the present reader.
    private var timeShift = MediaTime.zero
    private var sequenceShift: UInt64 = 0
    private var last: (time: MediaTime, sequence: UInt64, host: HostTime)?
    private var join = Join.none

    /// How the present reader's first frame follows the last one of the reader before.
    private enum Join {
        case none
        /// The same movie: its frames up to this position have been delivered.
        case resumed(after: MediaTime)
        /// Another stretch of a live stream.
        case live
    }

    /// The next frames come from a new reader of the same movie, which begins at or before `position`.
    mutating func resume(after position: MediaTime) {
        if let last { timeShift = last.time - position }
        join = .resumed(after: position)
    }

    /// The next frames come from a new connection to a live stream, whose times begin anew.
    mutating func reconnect() {
        join = .live
    }

    /// The frame with the run's time and number; nil if it has been delivered before.
    mutating func place(_ frame: VideoFrame, now: HostTime) -> VideoFrame? {
        var frame = frame
        switch join {
        case .none: break
        case .resumed(let position):
            if frame.presentationTime <= position { return nil }
            follow(&frame)
        case .live:
            // The time that went by without frames is part of the timeline.
            if let last {
                timeShift = last.time + MediaTime(now - last.host) - frame.presentationTime
            }
            follow(&frame)
        }
        frame.presentationTime = frame.presentationTime + timeShift
        frame.sequence &+= sequenceShift
        return frame
    }

    /// When a frame at `time` is due.
    mutating func dueTime(of time: MediaTime, now: HostTime) -> HostTime {
        let due = (origin ?? now - time.duration) + time.duration
        if origin != nil, now - due <= Self.patience { return due }
        origin = now - time.duration
        return now
    }

    /// The frame has been handed on.
    mutating func note(_ frame: VideoFrame) {
        last = (frame.presentationTime, frame.sequence, frame.hostTime)
    }

    private mutating func follow(_ frame: inout VideoFrame) {
        join = .none
        frame.attachments.isDiscontinuity = true
        guard let last else { return }
        // The new reader's numbers begin with 0, and with the frames that it gives again.
        sequenceShift = last.sequence &+ 1 &- frame.sequence
    }
}

extension HostTime {
    /// The moment that lies `duration` earlier.
    static func - (lhs: HostTime, rhs: Duration) -> HostTime {
        lhs + (.zero - rhs)
    }
}
