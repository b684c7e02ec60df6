// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture
package import ObscuraFFmpeg
internal import ObscuraImaging
package import ObscuraMedia

/// The video track of a movie: fitted and encoded frames, each with its exact duration. One thread at a time.
///
/// It does not depend on the destination of the packets, so that a movie can continue in another file.
package final class VideoTrack: VideoPacketTrack {
    private var settings: VideoSettings
    private let subject: String
    /// Whether packets are returned before the duration of their frame is known, which depends on the next frame.
    private let isLive: Bool
    private let impliedBitRate: ((PixelSize, FrameRate) -> Int)?
    package private(set) var encoder: VideoStreamEncoder?
    private var fitter: PictureFitter?
    private var timescale: Int32 = 90_000
    /// Frame rate of the source, according to its first frame.
    private var rate = FrameRate(30)
    /// The frames whose duration is not known yet, oldest first.
    private var pictures: [(units: Int64, hostTime: HostTime)] = []
    private var packets: [EncodedPacket] = []
    private var lastKey: Int64?
    private var lastDuration: Int64 = 0

    /// Number of frames that were sent to the encoder.
    package private(set) var frameCount = 0
    /// Number of frames that were skipped because they were not later than the previous one.
    package private(set) var skippedCount = 0

    /// The limit of times and durations, so that sums do not overflow.
    private static let farthest = Int64.max / 4

    /// - Parameters:
    ///   - isLive: whether each frame must be returned as soon as it is encoded.
    ///   - impliedBitRate: bit rate if the settings have none, in bits per second; nil keeps their quality.
    package init(
        _ settings: VideoSettings, subject: String, isLive: Bool = false,
        impliedBitRate: ((PixelSize, FrameRate) -> Int)? = nil
    ) {
        self.settings = settings
        self.subject = subject
        self.isLive = isLive
        self.impliedBitRate = impliedBitRate
    }

    /// Initial bit rate in bits per second; nil if a quality is set instead.
    package var bitRate: Int? { settings.bitRate }

    /// Changes the bit rate from the next frame on, in bits per second. Returns false if the encoder cannot do that:
    /// x264 changes a constant bit rate, which only live video has, but not an average one.
    package func setBitRate(_ bitRate: Int) -> Bool {
        guard isLive, settings.bitRate != nil else { return false }
        if let encoder {
            guard encoder.adaptsBitRate else { return false }
            encoder.setBitRate(bitRate)
        }
        settings.bitRate = bitRate
        return true
    }

    package var encoderName: String? { encoder?.encoder.name }
    package var isOpen: Bool { encoder != nil }

    package func makeStream() throws(ObscuraError) -> TrackStream? {
        guard let encoder else { return nil }
        let parameters = try encoder.encoder.makeParameters()
        // Frames of a movie may be irregular: the stream has the requested rate, or none.
        let stream = OutputStream(
            parameters: parameters, timescale: timescale, frameRate: isLive ? rate : settings.frameRate)
        return TrackStream(stream, video: encoder.videoParameters(parameters))
    }

    /// The end of the last frame in the movie.
    package var end: MediaTime {
        pictures.last.map { MediaTime(value: $0.units + lastDuration, timescale: timescale) } ?? .zero
    }

    package func time(of sample: MediaSample, at place: MediaTime) throws(ObscuraError) -> MediaTime? {
        guard case .video(let frame) = sample else { return nil }
        return try time(of: frame, at: place)
    }

    package func append(
        _ sample: MediaSample, at place: MediaTime, isKey: Bool
    ) throws(ObscuraError) -> [EncodedPacket] {
        guard case .video(let frame) = sample else { return [] }
        return try append(frame, at: place, isKey: isKey)
    }

    /// Returns the time at which a frame at `place` will be shown; see ``VideoPacketTrack/time(of:at:)``.
    package func time(of frame: VideoFrame, at place: MediaTime) throws(ObscuraError) -> MediaTime? {
        if encoder == nil { try open(frame) }
        let units = min(max(-Self.farthest, place.converted(toTimescale: timescale).value), Self.farthest)
        if let last = pictures.last, units <= last.units { return nil }
        return MediaTime(value: units, timescale: timescale)
    }

    /// Encodes a frame at `place` in the movie.
    ///
    /// - Parameter isKey: whether it must be a key frame.
    package func append(_ frame: VideoFrame, at place: MediaTime, isKey: Bool) throws(ObscuraError) -> [EncodedPacket] {
        guard let units = try time(of: frame, at: place)?.value else {
            skippedCount += 1
            return []
        }
        guard let encoder, let fitter else { throw .outOfMemory(.recording, subject) }
        let picture: PixelBuffer
        do {
            picture = try fitter.picture(frame)
        } catch {
            throw Self.unfit(error, subject)
        }
        let interval = min(
            MediaTime(settings.keyFrameInterval).converted(toTimescale: timescale).value, LongFrames.longest)
        let isKey = isKey || lastKey.map { units - $0 >= interval } ?? true
        if isKey { lastKey = units }
        lastDuration =
            frame.duration.map { min(max(1, $0.converted(toTimescale: timescale).value), Self.farthest) }
            ?? pictures.last.map { units - $0.units } ?? rate.frameDuration.converted(toTimescale: timescale).value
        pictures.append((units, frame.hostTime))
        frameCount += 1
        packets += try encoder.encode(picture, units: units, duration: lastDuration, isKey: isKey)
        return takeTimed()
    }

    /// Returns the remaining packets; the movie ends at `place`, or, if nil, one frame duration after the last frame.
    package func finish(at place: MediaTime?) throws(ObscuraError) -> [EncodedPacket] {
        guard let encoder, let last = pictures.last else { return [] }
        packets += try encoder.finish()
        let end = place.map { $0.converted(toTimescale: timescale).value } ?? last.units + lastDuration
        pictures.append((max(last.units + 1, end), last.hostTime))
        // The last picture is now the end.
        defer { lastDuration = 0 }
        return takeTimed()
    }

    /// Returns the packets whose duration is known because the next frame has arrived.
    private func takeTimed() -> [EncodedPacket] {
        var timed: [EncodedPacket] = []
        if isLive { pictures.removeFirst(pictures.count - 1) }
        while var packet = packets.first {
            while pictures.count > 1, pictures[0].units < packet.units { pictures.removeFirst() }
            guard isLive || pictures.count > 1 else { break }
            packet.duration = isLive ? lastDuration : pictures[1].units - packet.units
            packet.hostTime = pictures[0].hostTime
            timed.append(packet)
            packets.removeFirst()
        }
        return timed
    }

    private func open(_ frame: VideoFrame) throws(ObscuraError) {
        let buffer = frame.buffer
        let isTurned = frame.attachments.uprightTurn.isTransposed
        var size = settings.size ?? (isTurned ? buffer.size.transposed : buffer.size)
        if settings.codec == .h264 || settings.codec == .hevc {
            size = PixelSize(width: size.width & ~1, height: size.height & ~1)
        }
        guard size.width >= 16, size.height >= 16 else {
            throw .invalidSettings(
                .recording, subject, "a frame size of \(size) is too small", "Use a size of at least 16x16.")
        }
        var space = buffer.colorSpace
        if !buffer.format.isYUV, settings.codec != .ffv1 { space = size.height >= 720 ? .bt709 : .bt601 }
        rate = settings.frameRate ?? Self.rate(frame.duration) ?? FrameRate(30)
        if settings.bitRate == nil { settings.bitRate = impliedBitRate?(size, rate) }
        timescale = MovieTimescale.timescale(
            for: [frame.presentationTime.timescale, frame.duration?.timescale ?? 1, settings.frameRate?.frames ?? 1])
        let made = try EncoderSearch.open(
            VideoStreamEncoder.Job(
                settings: settings, size: size, sourceFormat: buffer.format, colorSpace: space, timescale: timescale,
                rate: rate, isLive: isLive))
        fitter = PictureFitter(size: size, format: made.format, colorSpace: made.colorSpace, fit: settings.fit)
        encoder = made
    }

    private static func rate(_ duration: MediaTime?) -> FrameRate? {
        guard let duration, duration.value > 0, let seconds = Int32(exactly: duration.value),
            (1...1000).contains(1 / duration.seconds)
        else { return nil }
        return FrameRate(duration.timescale, per: seconds)
    }

    private static func unfit(_ error: any Error, _ subject: String) -> ObscuraError {
        guard let error = error as? ObscuraError else {
            return ObscuraError(
                .recording, .encoderFailed, subject: subject, reason: "a frame cannot be converted: \(error)")
        }
        switch error.domain {
        case .recording: return error
        case _ where error.code == .outOfMemory: return .outOfMemory(.recording, subject)
        default:
            return ObscuraError(
                .recording, .encoderFailed, subject: subject,
                reason: "a frame cannot be converted to the format of the movie: \(error.reason)", remedy: error.remedy)
        }
    }
}
