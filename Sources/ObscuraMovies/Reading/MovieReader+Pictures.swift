// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraFFmpeg
internal import ObscuraMedia

extension MovieReader {
    /// Decodes up to the next required frame, unless it is already available. Returns whether the video has ended.
    func fetchPicture() throws(ObscuraError) -> Bool {
        while nextPicture == nil {
            guard let track = source.pictures, source.wish.pictures != .only else { return true }
            switch try track.next(from: source) {
            case .element(let frame): try accept(frame, of: track)
            case .waits: return false
            case .ended:
                // Too close to the end: no frame could be decoded from there.
                guard case .start(let attempt) = seek, attempt < Self.seekAttempts, start != nil else { return true }
                try goToStart(attempt: attempt + 1)
            }
        }
        return false
    }

    /// Keeps the frame until it is returned, unless it precedes the start or the seek must be repeated.
    func accept(_ frame: Frame, of track: PictureTrack) throws(ObscuraError) {
        let time =
            isTimedByArrival ? timeSinceFirstArrival() : frame.timestamp.map(track.stream.time) ?? passEnd ?? .zero
        guard try hasArrived(at: time) else { return }
        passEnd = time + (length(of: frame, track) ?? .zero)
        let isBacklog = isBacklog(.pictures, at: time)
        var lost = track.takeLostCount(counts: hasDeliveredInPass || !isBacklog && start == nil)
        // A backlog before the first frame is not missed. Frames after it are, while the clock of a stream begins again.
        if isBacklog, hasDeliveredInPass { lost += 1 }
        pendingGap += UInt64(lost)
        progress.lost += lost
        if isBacklog { return }
        if let start, time < start, !options.includesRunUp {
            pendingGap = 0
            return
        }
        if start == nil, firstTime == nil { firstTime = time }
        hasDeliveredInPass = true
        nextPicture = (frame, time)
    }

    func timeSinceFirstArrival() -> MediaTime {
        let now = HostTime.now
        firstArrival = firstArrival ?? now
        return MediaTime(now - (firstArrival ?? now))
    }

    func length(of frame: Frame, _ track: PictureTrack) -> MediaTime? {
        isTimedByArrival ? nil : frame.duration.map(track.stream.time) ?? frameDuration
    }

    func deliver(_ frame: Frame, at own: MediaTime) throws(ObscuraError) -> VideoFrame {
        let duration = source.pictures.flatMap { length(of: frame, $0) }
        let time = place(own, until: own + (duration ?? .zero))
        var attachments = VideoFrame.Attachments()
        let transform = source.pictures?.displayTransform ?? DisplayTransform(frame)
        attachments.uprightTurn = transform.turn
        attachments.isMirrored = transform.isMirrored
        attachments.isDiscontinuity = times.takePictureJoint()
        attachments.gap = pendingGap
        let captureTime = captureTime(.pictures, at: own)
        attachments.isHostTimeEstimated = isLive && captureTime == nil
        let video = VideoFrame(
            buffer: try importer.buffer(frame), presentationTime: time, hostTime: captureTime ?? .now,
            duration: duration,
            sequence: sequence + pendingGap, attachments: attachments)
        sequence += pendingGap + 1
        pendingGap = 0
        progress.delivered += 1
        progress.position = own
        progress.end = time + (duration ?? .zero)
        return video
    }

    /// Returns the time of an element on the timeline of all loops.
    func place(_ own: MediaTime, until end: MediaTime) -> MediaTime {
        if times.beginsPass { (progress.position, progress.soundPosition) = (nil, nil) }
        let time = times.place(own, until: end)
        progress.offset = times.offset
        return time
    }
}
