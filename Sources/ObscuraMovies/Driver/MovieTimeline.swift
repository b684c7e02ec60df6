// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture
internal import ObscuraMedia

/// The sequence numbers and times of a run's frames and audio, across its consecutive readers.
struct MovieTimeline {
    /// Maximum lag, for example of a suspended process or a slow machine. Beyond it playback continues from the current
    /// position instead of catching up.
    private static let patience: Duration = .seconds(1)

    /// The host time of presentation time zero; nil until the first frame.
    private var origin: HostTime?
    /// The offsets added to the times of the current reader.
    private var (pictureShift, soundShift) = (MediaTime.zero, MediaTime.zero)
    /// The last delivered frame or audio buffer, and its host time.
    private var last: (time: MediaTime, host: HostTime)?
    private var pictures = Numbers()
    private var sound = Numbers()
    private var encodedPictures = Numbers()
    private var encodedSound = Numbers()
    /// The decode times of the last compressed frame and packet that were delivered, until a new reader has passed them.
    private var passedPicture: MediaTime?
    private var passedSound: MediaTime?
    /// The end of the frames delivered by the previous reader.
    private var resumedAfter: MediaTime?
    /// Whether the first element of the current reader or of other times, which determines the offset, has not arrived yet.
    private var (awaitsPicture, awaitsSound) = (false, false)
    /// Whether the same connection goes on, so that no frame comes twice.
    private var isRetimed = false
    /// Whether compressed frames are left out until the next key frame, because one before them was.
    private var awaitsKey = false
    /// Whether the current reader continues a movie whose beginning was already delivered.
    private var isResuming = false

    /// The sequence numbers of one media type: those of a new reader start at 0 and include repeated elements.
    private struct Numbers {
        /// The number after the last delivered one; nil before the first.
        var next: UInt64?
        var shift: UInt64 = 0
        /// The elements that were lost since the last delivered one.
        var lost: UInt64 = 0
        /// Whether the current reader's first element has not arrived yet.
        var isJoint = false
        /// The latest host time of the delivered elements.
        private var latest: HostTime?
        /// What it was before a new connection, or before other times of the same one: the next element comes after it.
        private(set) var end: HostTime?

        /// Prepares for a new connection to a live stream, or other times of the same one.
        mutating func goOn() {
            isJoint = true
            end = latest
        }

        /// Prepares for a new reader of the same movie.
        mutating func resume() {
            isJoint = true
            end = nil
        }

        mutating func note(_ next: UInt64, _ host: HostTime) {
            self.next = next
            latest = max(latest ?? host, host)
        }

        mutating func takeLost() -> UInt64 {
            defer { lost = 0 }
            return lost
        }

        /// Whether the element is the first one of a new reader.
        ///
        /// - Parameter gap: the elements that are lost before it.
        mutating func join(_ number: UInt64, gap: UInt64 = 0) -> Bool {
            guard isJoint else { return false }
            isJoint = false
            if let next { shift = next &+ gap &- number }
            return true
        }
    }

    /// Prepares for a new reader of the same movie, which starts at or before this position.
    ///
    /// - Parameters:
    ///   - picture: the last delivered frame, with its reader's time; nil if there was none.
    ///   - shift: the offset that this reader added to the movie's own times.
    mutating func resume(after picture: MediaTime?, shift: MediaTime) {
        pictureShift = pictureShift + shift
        soundShift = soundShift + shift
        resumedAfter = picture
        isResuming = true
        pictures.resume()
        sound.resume()
        encodedPictures.resume()
        encodedSound.resume()
    }

    /// Prepares for a new connection to a live stream, whose times start again.
    mutating func reconnect() {
        isRetimed = false
        goOn(pictures: true, sound: true)
    }

    /// Prepares for other times of the same connection, the clock of which was estimated again for one or both tracks.
    mutating func retime(_ restarts: StreamClock.Restarts, after before: StreamClock.Restarts) {
        isRetimed = true
        goOn(pictures: restarts.pictures != before.pictures, sound: restarts.sound != before.sound)
    }

    private mutating func goOn(pictures goesOnWithPictures: Bool, sound goesOnWithSound: Bool) {
        if goesOnWithPictures {
            awaitsPicture = true
            pictures.goOn()
            encodedPictures.goOn()
        }
        if goesOnWithSound {
            awaitsSound = true
            sound.goOn()
            encodedSound.goOn()
        }
    }

    /// What becomes of an element.
    enum Placement {
        /// It is delivered with the run's time and number.
        case placed(MovieReader.Element)
        /// It was already delivered, or is sound for a time that has some.
        case skipped
        /// It is a frame that nobody gets.
        case lost

        init(_ element: MovieReader.Element?) {
            self = element.map(Placement.placed) ?? .skipped
        }
    }

    /// Returns the element with the run's time and number, if it is delivered.
    ///
    /// - Parameter time: the host time of a live element.
    mutating func place(_ element: MovieReader.Element, at time: HostTime) -> Placement {
        // After a reconnection, a server may repeat the last frames. If a clock was too late, its first frames now have
        // times at which others were already delivered.
        let numbers = numbers(of: element)
        if numbers.isJoint, let end = numbers.end, time <= end { return leaveOut(element, isLost: isRetimed) }
        switch element {
        case .picture(let frame): return Placement(place(frame, at: time).map { .picture($0) })
        case .sound(let sound): return .placed(.sound(place(sound, at: time)))
        case .encodedPicture(let frame):
            if awaitsKey, !frame.isKeyFrame { return leaveOut(element, isLost: true) }
            awaitsKey = false
            return Placement(place(frame, at: time).map { .encodedPicture($0) })
        case .encodedSound(let packet): return Placement(place(packet, at: time).map { .encodedSound($0) })
        }
    }

    private func numbers(of element: MovieReader.Element) -> Numbers {
        switch element {
        case .picture: pictures
        case .sound: sound
        case .encodedPicture: encodedPictures
        case .encodedSound: encodedSound
        }
    }

    private mutating func leaveOut(_ element: MovieReader.Element, isLost: Bool) -> Placement {
        switch element {
        // Those that were lost before it are missing as well.
        case .picture(let frame): pictures.lost += isLost ? frame.attachments.gap + 1 : 0
        case .encodedPicture(let frame):
            encodedPictures.lost += isLost ? frame.attachments.gap + 1 : 0
            awaitsKey = true
        case .sound, .encodedSound: return .skipped
        }
        return isLost ? .lost : .skipped
    }

    /// Returns the frame with the run's time and number; nil if it was already delivered.
    mutating func place(_ frame: VideoFrame, at time: HostTime) -> VideoFrame? {
        var frame = frame
        if let resumedAfter, frame.presentationTime <= resumedAfter { return nil }
        resumedAfter = nil
        follow(frame.presentationTime, time, isPicture: true)
        frame.attachments.gap += pictures.takeLost()
        if pictures.join(frame.sequence, gap: frame.attachments.gap) { frame.attachments.isDiscontinuity = true }
        frame.presentationTime = frame.presentationTime + pictureShift
        frame.sequence &+= pictures.shift
        return frame
    }

    /// Returns the audio with the run's time and position.
    mutating func place(_ sound: AudioBuffer, at time: HostTime) -> AudioBuffer {
        var sound = sound
        follow(sound.presentationTime, time, isPicture: false)
        if self.sound.join(sound.position) { sound.attachments.isDiscontinuity = true }
        sound.presentationTime = sound.presentationTime + soundShift
        sound.position &+= self.sound.shift
        return sound
    }

    /// Returns the compressed frame with the run's times and number; nil if it was already delivered.
    private mutating func place(_ frame: EncodedFrame, at time: HostTime) -> EncodedFrame? {
        var frame = frame
        follow(frame.presentationTime, time, isPicture: true)
        frame.presentationTime = frame.presentationTime + pictureShift
        frame.decodeTime = frame.decodeTime + pictureShift
        // A new reader of the same movie begins with a key frame before the position.
        if isResuming, let passedPicture, frame.decodeTime <= passedPicture { return nil }
        frame.attachments.gap += encodedPictures.takeLost()
        // It continues where the former reader ended, so that no frame is missing.
        let isJoint = encodedPictures.join(frame.sequence, gap: frame.attachments.gap)
        if isJoint, !isResuming { frame.attachments.isDiscontinuity = true }
        frame.sequence &+= encodedPictures.shift
        return frame
    }

    /// Returns the compressed packet with the run's time and number; nil if it was already delivered.
    private mutating func place(_ packet: EncodedAudio, at time: HostTime) -> EncodedAudio? {
        var packet = packet
        follow(packet.presentationTime, time, isPicture: false)
        packet.presentationTime = packet.presentationTime + soundShift
        if isResuming, let passedSound, packet.presentationTime <= passedSound { return nil }
        if encodedSound.join(packet.sequence), !isResuming { packet.isDiscontinuity = true }
        packet.sequence &+= encodedSound.shift
        return packet
    }

    /// Returns the host time at which an element at `time` is due.
    mutating func dueTime(of time: MediaTime, now: HostTime) -> HostTime {
        let due = (origin ?? now - time.duration) + time.duration
        if origin != nil, now - due <= Self.patience { return due }
        origin = now - time.duration
        return now
    }

    /// Records that the frame was delivered.
    mutating func note(_ frame: VideoFrame) {
        last = (frame.presentationTime, frame.hostTime)
        pictures.note(frame.sequence &+ 1, frame.hostTime)
    }

    /// Records that the audio was delivered.
    mutating func note(_ sound: AudioBuffer) {
        last = (sound.presentationTime, sound.hostTime)
        self.sound.note(sound.position &+ UInt64(sound.frameCount), sound.hostTime)
    }

    /// Records that the compressed frame was delivered.
    mutating func note(_ frame: EncodedFrame) {
        if last.map({ frame.hostTime > $0.host }) ?? true { last = (frame.presentationTime, frame.hostTime) }
        encodedPictures.note(frame.sequence &+ 1, frame.hostTime)
        passedPicture = frame.decodeTime
    }

    /// Records that the compressed packet was delivered.
    mutating func note(_ packet: EncodedAudio) {
        if last.map({ packet.hostTime > $0.host }) ?? true { last = (packet.presentationTime, packet.hostTime) }
        encodedSound.note(packet.sequence &+ 1, packet.hostTime)
        passedSound = packet.presentationTime
    }

    /// Adds the time without a connection to the timeline. Both tracks of a new connection have one offset.
    private mutating func follow(_ time: MediaTime, _ host: HostTime, isPicture: Bool) {
        guard isPicture ? awaitsPicture : awaitsSound else { return }
        if let last {
            let shift = last.time + MediaTime(host - last.host) - time
            if awaitsPicture { pictureShift = shift }
            if awaitsSound { soundShift = shift }
        }
        (awaitsPicture, awaitsSound) = (false, false)
    }
}

extension HostTime {
    /// Returns the host time that is earlier by `duration`.
    static func - (lhs: HostTime, rhs: Duration) -> HostTime {
        lhs + (.zero - rhs)
    }
}
