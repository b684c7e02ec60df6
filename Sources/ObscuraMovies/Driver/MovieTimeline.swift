// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture
internal import ObscuraMedia

/// The numbers and times of a run's pictures and sound, across the readers that serve it one after the other.
struct MovieTimeline {
    /// Beyond this a movie that has fallen behind (a process that was stopped, a slow machine) goes on from
    /// where it is, instead of hurrying after the clock.
    private static let patience: Duration = .seconds(1)

    /// When presentation time zero is due; nil until the first frame.
    private var origin: HostTime?
    /// What is added to the times of the present reader.
    private var timeShift = MediaTime.zero
    /// The last picture or sound that was handed on, and when.
    private var last: (time: MediaTime, host: HostTime)?
    private var pictures = Numbers()
    private var sound = Numbers()
    /// What the pictures that were handed on by the reader before reach up to.
    private var resumedAfter: MediaTime?
    /// Whether the present reader's first element is still to come, and gives the time at which it goes on.
    private var isReconnecting = false

    /// The numbers of one kind: a new reader's begin with 0, and with what it gives again.
    private struct Numbers {
        /// The number after the last one that was handed on; nil before the first.
        var next: UInt64?
        var shift: UInt64 = 0
        /// Whether the present reader's first is still to come.
        var isJoint = false

        /// Whether the element is the first one of another reader.
        mutating func join(_ number: UInt64) -> Bool {
            guard isJoint else { return false }
            isJoint = false
            if let next { shift = next &- number }
            return true
        }
    }

    /// The next elements come from a new reader of the same movie, which begins at or before this place.
    ///
    /// - Parameters:
    ///   - picture: the last picture that was handed on, as its reader timed it; nil if there was none.
    ///   - shift: what that reader added to the movie's own times.
    mutating func resume(after picture: MediaTime?, shift: MediaTime) {
        timeShift = timeShift + shift
        resumedAfter = picture
        (pictures.isJoint, sound.isJoint) = (true, true)
    }

    /// The next elements come from a new connection to a live stream, whose times begin anew.
    mutating func reconnect() {
        isReconnecting = true
        (pictures.isJoint, sound.isJoint) = (true, true)
    }

    /// The element with the run's time and number; nil if it has been delivered before.
    mutating func place(_ element: MovieReader.Element, now: HostTime) -> MovieReader.Element? {
        switch element {
        case .picture(let frame): place(frame, now: now).map { .picture($0) }
        case .sound(let sound): .sound(place(sound, now: now))
        }
    }

    /// The frame with the run's time and number; nil if it has been delivered before.
    mutating func place(_ frame: VideoFrame, now: HostTime) -> VideoFrame? {
        var frame = frame
        if let resumedAfter, frame.presentationTime <= resumedAfter { return nil }
        resumedAfter = nil
        follow(frame.presentationTime, now)
        if pictures.join(frame.sequence) { frame.attachments.isDiscontinuity = true }
        frame.presentationTime = frame.presentationTime + timeShift
        frame.sequence &+= pictures.shift
        return frame
    }

    /// The sound with the run's time and position.
    mutating func place(_ sound: AudioBuffer, now: HostTime) -> AudioBuffer {
        var sound = sound
        follow(sound.presentationTime, now)
        if self.sound.join(sound.position) { sound.attachments.isDiscontinuity = true }
        sound.presentationTime = sound.presentationTime + timeShift
        sound.position &+= self.sound.shift
        return sound
    }

    /// When what is at `time` is due.
    mutating func dueTime(of time: MediaTime, now: HostTime) -> HostTime {
        let due = (origin ?? now - time.duration) + time.duration
        if origin != nil, now - due <= Self.patience { return due }
        origin = now - time.duration
        return now
    }

    /// The frame has been handed on.
    mutating func note(_ frame: VideoFrame) {
        last = (frame.presentationTime, frame.hostTime)
        pictures.next = frame.sequence &+ 1
    }

    /// The sound has been handed on.
    mutating func note(_ sound: AudioBuffer) {
        last = (sound.presentationTime, sound.hostTime)
        self.sound.next = sound.position &+ UInt64(sound.frameCount)
    }

    /// The time that went by without a connection is part of the timeline.
    private mutating func follow(_ time: MediaTime, _ now: HostTime) {
        guard isReconnecting else { return }
        isReconnecting = false
        if let last { timeShift = last.time + MediaTime(now - last.host) - time }
    }
}

extension HostTime {
    /// The moment that lies `duration` earlier.
    static func - (lhs: HostTime, rhs: Duration) -> HostTime {
        lhs + (.zero - rhs)
    }
}
