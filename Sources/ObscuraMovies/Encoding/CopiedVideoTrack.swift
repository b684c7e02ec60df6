// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraFFmpeg
package import ObscuraMedia

/// The video of a movie or a broadcast that is not encoded: the compressed frames of a source, unchanged, with its times.
/// One thread at a time.
///
/// It begins with a key frame. The size and the parameter sets must stay those of the first frame, because a movie has one
/// header: a stream that changes them ends the movie with an error, and what was written stays.
package final class CopiedVideoTrack: VideoPacketTrack {
    private struct Opening {
        let parameters: VideoParameters
        /// All parameter sets, of the source and of its first frame.
        let sets: ParameterSets
        /// The parameter sets that the source has beside its frames.
        let announced: [UInt8]
        let transform: DisplayTransform
        let timescale: Int32
    }

    private let subject: String
    /// The container of the movie; nil for a broadcast, whose protocols check the codec.
    private let container: MovieContainer?
    /// Whether packets are returned before their duration is known, which depends on the next one.
    private let isLive: Bool
    private var opening: Opening?
    /// The packet whose duration is not known yet, with the decode time.
    private var held: (packet: EncodedPacket, decodeUnits: Int64)?
    private var lastDecodeUnits: Int64?
    private var endUnits: Int64 = 0
    private var lastDuration: Int64 = 0
    /// Whether frames are skipped up to the next key frame.
    private var awaitsKey = true

    package private(set) var frameCount = 0
    package private(set) var skippedCount = 0

    /// A longer step back in the decode times is another timeline, which cannot be appended.
    private static let longestStepBack = MediaTime(value: 1, timescale: 1)
    /// The longest time by which a frame is decoded before it is shown: more than that of any usual stream.
    private static let longestLead = MediaTime(value: 1, timescale: 1)
    /// The duration of a frame if nothing tells it.
    private static let usualDuration = MediaTime(value: 1, timescale: 30)
    /// The limit of times and durations, so that sums do not overflow.
    private static let farthest = Int64.max / 8

    package init(subject: String, container: MovieContainer?, isLive: Bool = false) {
        self.subject = subject
        self.container = container
        self.isLive = isLive
    }

    package var encoderName: String? { nil }
    package var isOpen: Bool { opening != nil }
    package var end: MediaTime {
        opening.map { MediaTime(value: endUnits, timescale: $0.timescale) } ?? .zero
    }

    package func makeStream() throws(ObscuraError) -> TrackStream? {
        guard let opening else { return nil }
        guard let parameters = CodecParameters(opening.parameters) else { throw .outOfMemory(.recording, subject) }
        let stream = OutputStream(
            parameters: parameters, timescale: opening.timescale, transform: opening.transform)
        return TrackStream(stream, video: opening.parameters)
    }

    package func time(of sample: MediaSample, at place: MediaTime) throws(ObscuraError) -> MediaTime? {
        // Another part of a movie begins with a key frame only.
        guard case .encodedVideo(let frame) = sample, frame.isKeyFrame else { return nil }
        let opening = try open(frame)
        return MediaTime(value: units(place, opening), timescale: opening.timescale)
    }

    package func append(
        _ sample: MediaSample, at place: MediaTime, isKey: Bool
    ) throws(ObscuraError) -> [EncodedPacket] {
        guard case .encodedVideo(let frame) = sample else { return [] }
        guard !frame.data.isEmpty, frame.isKeyFrame || !awaitsKey else { return skip() }
        let opening = try open(frame)
        let lead = min(Self.longestLead, max(.zero, frame.presentationTime - frame.decodeTime))
        var decodeUnits = units(place - lead, opening)
        if let last = lastDecodeUnits, decodeUnits <= last {
            let step = MediaTime(value: last - decodeUnits, timescale: opening.timescale)
            guard step <= Self.longestStepBack else {
                awaitsKey = true
                return skip()
            }
            // Two frames of one time, and times that were rounded: each frame is kept, because others need it.
            decodeUnits = last + 1
        }
        if let last = lastDecodeUnits, decodeUnits - last > LongFrames.longest, !frame.isKeyFrame {
            awaitsKey = true
            return skip()
        }
        awaitsKey = false
        let shownUnits = max(units(place, opening), decodeUnits)
        if let last = lastDecodeUnits { lastDuration = decodeUnits - last }
        lastDecodeUnits = decodeUnits
        let usual = Self.usualDuration.converted(toTimescale: opening.timescale).value
        let duration =
            frame.duration.map { min(max(1, $0.converted(toTimescale: opening.timescale).value), Self.farthest) }
            ?? (lastDuration > 0 ? lastDuration : usual)
        endUnits = max(endUnits, shownUnits + duration)
        // In a broadcast, the time until the next frame is not known. FFmpeg moves a frame that begins before the end of the
        // one before it, and then forgets that it is reordered.
        let ownDuration = isLive && shownUnits != decodeUnits ? 1 : duration
        let sets = frame.isKeyFrame ? ParameterSets(in: frame.data, of: frame.format) : nil
        guard
            let packet = EncodedPacket(
                isVideo: true, bytes: frame.data, units: shownUnits, lead: shownUnits - decodeUnits,
                timescale: opening.timescale, duration: ownDuration, isKey: frame.isKeyFrame,
                hasParameterSets: sets?.isComplete == true, hostTime: frame.hostTime)
        else { throw .outOfMemory(.recording, subject) }
        frameCount += 1
        if isLive { return [packet] }
        defer { held = (packet, decodeUnits) }
        return release(before: decodeUnits)
    }

    package func finish(at place: MediaTime?) throws(ObscuraError) -> [EncodedPacket] {
        defer { held = nil }
        guard let held, let opening, let place else { return held.map { [$0.packet] } ?? [] }
        return release(before: max(held.decodeUnits + 1, units(place, opening)))
    }

    /// Returns the held packet, which lasts until the next one is decoded, as muxers count durations.
    private func release(before next: Int64) -> [EncodedPacket] {
        guard let (first, decodeUnits) = held else { return [] }
        var packet = first
        packet.duration = next - decodeUnits
        return [packet]
    }

    private func skip() -> [EncodedPacket] {
        skippedCount += 1
        return []
    }

    private func units(_ place: MediaTime, _ opening: Opening) -> Int64 {
        min(max(-Self.farthest, place.converted(toTimescale: opening.timescale).value), Self.farthest)
    }

    /// Takes the parameters from the first frame. Later key frames must have the same.
    private func open(_ frame: EncodedFrame) throws(ObscuraError) -> Opening {
        guard let opening else { return try begin(frame) }
        guard frame.isKeyFrame else { return opening }
        let size = PixelSize(width: frame.width, height: frame.height)
        guard size == opening.parameters.size, frame.format == opening.parameters.frameFormat else {
            throw changed(
                "the source changed from \(opening.parameters.size) \(opening.parameters.frameFormat.rawValue) to \(size) "
                    + frame.format.rawValue)
        }
        guard frame.parameterSets == opening.announced,
            opening.sets.includes(ParameterSets(in: frame.data, of: frame.format))
        else { throw changed("the source changed its parameter sets") }
        return opening
    }

    private func begin(_ frame: EncodedFrame) throws(ObscuraError) -> Opening {
        guard let codec = VideoCodec(format: frame.format) else {
            throw ObscuraError(
                .recording, .unsupportedFormat, subject: subject,
                reason: "\(frame.format.rawValue) is not a compressed format that can be written unchanged")
        }
        let transform = DisplayTransform(
            turn: frame.attachments.uprightTurn, isMirrored: frame.attachments.isMirrored)
        try check(codec, transform)
        let sets = ParameterSets(in: frame.parameterSets + frame.data, of: frame.format)
        let configuration = codec == .ffv1 ? frame.parameterSets : sets.byteStream
        guard sets.isComplete, codec != .ffv1 || !configuration.isEmpty else {
            throw ObscuraError(
                .recording, .unsupportedFormat, subject: subject,
                reason: "the first key frame of \(codec.rawValue) has no parameter sets, so no player could decode it",
                advice: "Let the source repeat its parameter sets at each key frame, or encode its frames.")
        }
        let made = Opening(
            parameters: VideoParameters(
                codec: codec, size: PixelSize(width: frame.width, height: frame.height), sets: configuration,
                bitDepth: 8, encoder: ""),
            sets: sets, announced: frame.parameterSets,
            transform: transform,
            timescale: MovieTimescale.timescale(
                for: [
                    frame.presentationTime.timescale, frame.decodeTime.timescale, frame.duration?.timescale ?? 1,
                ]))
        opening = made
        return made
    }

    /// Throws if the container cannot contain this video.
    private func check(_ codec: VideoCodec, _ transform: DisplayTransform) throws(ObscuraError) {
        guard let container else { return }
        guard container.takes(codec) else {
            throw .invalidSettings(
                .recording, subject, "\(container.rawValue) files do not support \(codec.rawValue)",
                "Use an mkv file, which supports all codecs.")
        }
        guard container != .mkv || transform == DisplayTransform() else {
            throw .invalidSettings(
                .recording, subject, "an mkv file cannot store the rotation or mirroring of copied frames",
                "Use an mp4 or mov file, or encode the frames.")
        }
    }

    private func changed(_ reason: String) -> ObscuraError {
        ObscuraError(
            .recording, .formatChanged, subject: subject,
            reason: "\(reason), but copied frames must keep one format in a movie",
            advice: "Begin another movie, or encode the frames.")
    }
}
