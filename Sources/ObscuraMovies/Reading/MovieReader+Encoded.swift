// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraFFmpeg
internal import ObscuraMedia

/// What is returned compressed.
extension MovieReader {
    /// The state of what is returned compressed.
    struct EncodedState {
        var sequence: UInt64 = 0
        var packets: UInt64 = 0
        /// Frames that are lost before the next one.
        var gap: UInt64 = 0
        /// Whether a backlog was dropped, and no key frame has come since.
        var awaitsKey = false
        /// The end of the last frame or packet, on the movie's own timeline, for those without times.
        var pictureEnd: MediaTime?
        var soundEnd: MediaTime?
        var isPictureJoint = false
        var isSoundJoint = false
        /// Frames whose decode time is not known yet, as at the beginning of a Matroska file.
        var undated: [Packet] = []
        /// What is returned next.
        var ready: [Element] = []
    }

    /// The maximum number of frames that wait for a decode time; no stream reorders more.
    private static let mostUndated = 16

    /// The codec of the frames that can be returned compressed; nil if they cannot.
    var encodedVideo: VideoCodec? { source.form.video }
    /// The parameters of the audio that can be returned compressed; nil if it cannot.
    var encodedAudio: AudioParameters? { source.form.audio }

    func change(to wish: EncodedWish) {
        let before = source.wish
        guard wish != before else { return }
        source.wish = wish
        // Packets that were not decoded are missing to the decoder, and frames in the decoder are no longer wanted.
        if before.pictures == .only, wish.pictures != .only { source.pictures?.rejoin() }
        if before.sound == .only, wish.sound != .only { source.sound?.flush(beginningAt: nil) }
        if wish.pictures == .only { nextPicture = nil }
        if wish.sound == .only { nextSound = nil }
    }

    /// Returns the next frame or packet that is wanted compressed, if it has been read. Reads it if nothing is decoded.
    func takeEncoded() throws(ObscuraError) -> Element? {
        let decodesPictures = source.pictures != nil && source.wish.pictures != .only
        let decodesSound = source.readsSound && source.wish.sound != .only
        while true {
            if !encoded.ready.isEmpty { return encoded.ready.removeFirst() }
            if !decodesPictures, !decodesSound { try source.readEncoded() }
            guard let (kind, packet) = source.takeEncoded() else {
                guard source.isExhausted, !encoded.undated.isEmpty else { return nil }
                encoded.ready = date(nil).compactMap(encodedPicture)
                continue
            }
            switch kind {
            case .sound:
                if let element = encodedSound(packet) { return element }
            case .pictures where encoded.undated.isEmpty && isDated(packet):
                if let element = encodedPicture(packet) { return element }
            case .pictures: encoded.ready = date(packet).compactMap(encodedPicture)
            }
        }
    }

    /// Whether the decode time of a frame is known, or not needed.
    private func isDated(_ packet: Packet) -> Bool {
        packet.decodeTimestamp != nil || (source.pictures?.stream.reorderDepth ?? 0) == 0
    }

    /// Returns the frames whose decode time is known with this packet: it counts back to those before it. Nil at the end.
    private func date(_ packet: Packet?) -> [Packet] {
        let stream = source.pictures?.stream
        let isDated = packet.map(isDated) ?? true
        if let packet { encoded.undated.append(packet) }
        guard isDated || encoded.undated.count > Self.mostUndated else { return [] }
        defer { encoded.undated.removeAll() }
        guard encoded.undated.count > 1, var time = packet?.decodeTimestamp, let stream else { return encoded.undated }
        // Both come from the file, and may be out of any range.
        let step = min(max(1, frameDuration.map(stream.units) ?? packet?.duration ?? 0), Int64.max >> 8)
        for earlier in encoded.undated.dropLast().reversed() {
            time = max(time, Int64.min / 2) - step
            earlier.decodeTimestamp = time
        }
        return encoded.undated
    }

    private func encodedPicture(_ packet: Packet) -> Element? {
        guard let track = source.pictures, let codec = encodedVideo else { return nil }
        let stream = track.stream
        let shown = packet.presentationTimestamp.map(stream.time)
        let decoded = packet.decodeTimestamp.map(stream.time)
        let own =
            isTimedByArrival ? timeSinceFirstArrival() : shown ?? decoded ?? encoded.pictureEnd ?? .zero
        let isKeyFrame = packet.isKey || codec == .mjpeg
        // Frames that follow dropped ones cannot be decoded before the next key frame.
        encoded.awaitsKey = isBacklog(.pictures, at: own) || encoded.awaitsKey && !isKeyFrame
        guard !encoded.awaitsKey, !packet.isCorrupt, let bytes = source.form.frame(packet) else {
            // A backlog before the first frame is not missed.
            if !encoded.awaitsKey || encoded.sequence > 0 {
                encoded.gap += 1
                // A frame that is decoded as well is counted with its decoded form, which may be complete.
                if source.wish.pictures == .only { progress.lost += 1 }
            }
            return nil
        }
        let lead = isTimedByArrival ? .zero : max(.zero, own - min(own, decoded ?? own))
        let duration = isTimedByArrival ? nil : packet.duration > 0 ? stream.time(packet.duration) : frameDuration
        encoded.pictureEnd = own + (duration ?? .zero)
        if times.beginsPass { (encoded.isPictureJoint, encoded.isSoundJoint) = (true, true) }
        let time = place(own, until: own + (duration ?? .zero))
        let captureTime = captureTime(.pictures, at: own)
        var attachments = VideoFrame.Attachments()
        let transform = track.displayTransform ?? DisplayTransform()
        attachments.uprightTurn = transform.turn
        attachments.isMirrored = transform.isMirrored
        attachments.isHostTimeEstimated = isLive && captureTime == nil
        attachments.isDiscontinuity = encoded.isPictureJoint
        attachments.gap = encoded.gap
        var frame = EncodedFrame(
            format: PixelFormat(codec), data: bytes, width: stream.width, height: stream.height,
            isKeyFrame: isKeyFrame, presentationTime: time, decodeTime: time - lead,
            hostTime: captureTime ?? .now, duration: duration, sequence: encoded.sequence + encoded.gap,
            attachments: attachments)
        frame.parameterSets = source.form.parameterSets
        encoded.sequence += encoded.gap + 1
        (encoded.gap, encoded.isPictureJoint) = (0, false)
        if source.wish.pictures == .only {
            progress.delivered += 1
            progress.position = max(progress.position ?? own, own)
            progress.end = max(progress.end ?? .zero, time + (duration ?? .zero))
        }
        return .encodedPicture(frame)
    }

    private func encodedSound(_ packet: Packet) -> Element? {
        guard let stream = source.sound?.stream, let parameters = encodedAudio else { return nil }
        let own = packet.presentationTimestamp.map(stream.time) ?? encoded.soundEnd ?? .zero
        guard !isBacklog(.sound, at: own) else { return nil }
        guard !packet.isCorrupt, let bytes = source.form.audioPacket(packet) else {
            encoded.isSoundJoint = true
            progress.soundLost += 1
            return nil
        }
        let samples = MediaTime(
            value: Int64(max(1, parameters.frameSize)), timescale: Int32(clamping: max(1, parameters.sampleRate)))
        let duration = packet.duration > 0 ? stream.time(packet.duration) : samples
        encoded.soundEnd = own + duration
        if times.beginsPass { (encoded.isPictureJoint, encoded.isSoundJoint) = (true, true) }
        var result = EncodedAudio(
            codec: parameters.codec, data: bytes, presentationTime: place(own, until: own + duration),
            duration: duration, hostTime: captureTime(.sound, at: own) ?? .now)
        result.parameters = parameters
        result.sequence = encoded.packets
        result.isDiscontinuity = encoded.isSoundJoint
        encoded.packets += 1
        encoded.isSoundJoint = false
        if source.wish.sound == .only { progress.soundPosition = own + duration }
        return .encodedSound(result)
    }
}
