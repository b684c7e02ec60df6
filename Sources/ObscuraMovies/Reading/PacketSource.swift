// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraFFmpeg
internal import ObscuraMedia

/// A demuxer that returns the next packet of each track, and queues the packets of the other track.
///
/// The interleaving of the tracks in a file is not exact: returning both in presentation order requires reading one
/// ahead. For live sources at most one packet is queued. If no audio is requested, the demuxer skips it and nothing is
/// queued.
final class PacketSource: TrackPackets {
    private let location: MovieLocation
    private let options: MovieReadingOptions
    private let needsPictures: Bool
    private let control: ReadControl
    private let inputLog = FFmpegLog()
    private let decoderLog = FFmpegLog()
    private let packet: Packet
    private var opened: Opened
    /// The origin of the host times of frames and audio.
    let timing: ElementTiming
    /// Whether it is a live stream whose packets are kept until they are read.
    let mayBeReadInBatches: Bool
    /// The clock of the stream, if the timing is ``ElementTiming/stream``.
    private(set) var clock: StreamClock?
    /// The time spent waiting for packets. Those that are there already take next to none.
    private(set) var waited = Duration.zero
    /// Which packets are also, or only, passed on compressed.
    var wish = EncodedWish() {
        didSet {
            // Nobody takes those any more. They would stop the other track, or be decoded much later.
            if wish.pictures == .only { waitingPictures.removeAll() }
            if wish.sound == .only { waitingSound.removeAll() }
        }
    }
    /// Packets that are passed on compressed next, with their track.
    private var encoded: [(kind: TrackKind, packet: Packet)] = []
    private var waitingPictures = PacketQueue()
    private var waitingSound = PacketQueue()
    private var hasEnded = false
    private var isLastPacketCorrupt = false
    /// The error that ended the packets; nil at the end of the file and before the end.
    private var inputFailure: Int32?
    private var hasDemuxerComplained = false

    /// The state of one opening of the container.
    private struct Opened {
        var input: InputContext
        var pictures: PictureTrack?
        var sound: SoundTrack?
        var form = EncodedForm(pictures: nil, sound: nil)
    }

    /// - Parameter needsPictures: whether a movie without video is rejected with ``ObscuraError/Code/noVideo``.
    init(
        _ location: MovieLocation, options: MovieReadingOptions, needsPictures: Bool, control: ReadControl
    ) throws(ObscuraError) {
        try FFmpegLibrary.load()
        self.location = location
        self.options = options
        self.needsPictures = needsPictures
        self.control = control
        guard let packet = Packet() else { throw .outOfMemory(.movies, location.description) }
        self.packet = packet
        opened = try Self.open(location, options, needsPictures, control, inputLog, decoderLog)
        control.setDeadline(nil)
        timing = Self.timing(of: opened.input, location)
        mayBeReadInBatches = timing == .stream && opened.input.isByTCP
        clock = timing == .stream ? StreamClock() : nil
    }

    private static func timing(of input: InputContext, _ location: MovieLocation) -> ElementTiming {
        guard input.isLive else { return .playback }
        return location.isAlwaysLive && Demuxers.hasTimes(input.formatName) ? .stream : .arrival
    }

    /// The video track; at least one of the two tracks exists.
    var pictures: PictureTrack? { opened.pictures }
    var sound: SoundTrack? { opened.sound }
    /// The form in which packets are passed on compressed.
    var form: EncodedForm { opened.form }
    /// Whether all packets of the file were read and taken.
    var isExhausted: Bool { hasEnded && encoded.isEmpty }
    var isNetwork: Bool { location.isNetwork }
    var isLive: Bool { opened.input.isLive }
    /// Whether it is a live stream without times, whose frames the demuxer numbers by a frame rate.
    var isWithoutTimes: Bool { isLive && !Demuxers.hasTimes(opened.input.formatName) }
    var canLoop: Bool { opened.input.isSeekable }
    var hasPicturePackets: Bool { opened.input.hasPicturePackets }
    private var anyStream: InputStream? { pictures?.stream ?? sound?.stream }

    /// The start time of the read tracks, according to the container.
    var startTime: MediaTime? {
        let sound = readsSound ? sound?.stream.startTime : nil
        return (pictures?.stream.startTime).map { min($0, sound ?? $0) } ?? sound
    }

    /// The properties of the video, according to the container; nil if it has none.
    var info: MovieInfo? {
        guard let pictures else { return nil }
        let (input, stream) = (opened.input, pictures.stream)
        let transform = pictures.displayTransform ?? DisplayTransform()
        let format = stream.nearestPixelFormat
        return MovieInfo(
            location: location.description, containerName: input.formatName, codecName: pictures.codecName,
            format: VideoFormat(
                pixelFormat: format, width: stream.width, height: stream.height, frameRate: input.frameRate(stream)),
            duration: stream.duration ?? input.duration, startTime: stream.startTime,
            frameCount: input.frameCount(stream), uprightTurn: transform.turn, isMirrored: transform.isMirrored,
            colorSpace: stream.colorSpace, isLive: input.isLive, sound: soundInfo)
    }

    /// The properties of the audio, according to the container; nil if it has none that can be decoded.
    var soundInfo: MovieSoundInfo? { sound?.info }

    // MARK: Seeking

    /// Whether audio packets are read. May change at any time; setting it to false discards the queued packets.
    var readsSound: Bool {
        get { sound?.stream.isRead ?? false }
        set {
            guard newValue != readsSound, let sound else { return }
            sound.stream.isRead = newValue
            waitingSound.removeAll()
            sound.flush(beginningAt: nil)
        }
    }

    /// Seeks to the last position before `time` where decoding can begin. Returns whether that succeeded.
    ///
    /// - Parameter soundBegin: the time of the first requested audio sample.
    func seek(to time: MediaTime, soundBegin: MediaTime?) -> Bool {
        guard let stream = anyStream, opened.input.seek(stream, to: stream.units(time)) else { return false }
        forget()
        pictures?.flush()
        sound?.flush(beginningAt: soundBegin)
        return true
    }

    /// Opens the container again at its first packet, for containers without exact seeking.
    func reopen(soundBegin: MediaTime?) throws(ObscuraError) {
        let readsSound = readsSound
        opened = try Self.open(location, options, needsPictures, control, inputLog, decoderLog)
        forget()
        self.readsSound = readsSound
        sound?.flush(beginningAt: soundBegin)
    }

    private func forget() {
        waitingPictures.removeAll()
        waitingSound.removeAll()
        encoded.removeAll()
        hasEnded = false
        isLastPacketCorrupt = false
        inputFailure = nil
        hasDemuxerComplained = false
    }

    // MARK: Packets

    /// Returns the next packet of a track, which is valid until the next call; `waits` if the queue of the other track
    /// is full and must be read first.
    func next(_ kind: TrackKind) throws(ObscuraError) -> TrackStep<Packet> {
        if let kept = kind == .pictures ? waitingPictures.popFirst() : waitingSound.popFirst() {
            return .element(kept)
        }
        while !hasEnded {
            if mustWait(kind == .pictures ? waitingSound : waitingPictures) { return .waits }
            guard let found = try read() else { continue }
            if found == kind { return .element(packet) }
            guard let kept = packet.taken() else { throw .outOfMemory(.movies, location.description) }
            if found == .pictures { waitingPictures.append(kept) } else { waitingSound.append(kept) }
        }
        return .ended
    }

    private func mustWait(_ others: PacketQueue) -> Bool {
        // Those are taken first.
        !encoded.isEmpty || (isLive ? !others.isEmpty : others.isFull)
    }

    /// Takes the next packet that is passed on compressed.
    func takeEncoded() -> (kind: TrackKind, packet: Packet)? { encoded.isEmpty ? nil : encoded.removeFirst() }

    /// Reads a packet, if all are passed on compressed only.
    func readEncoded() throws(ObscuraError) {
        while encoded.isEmpty, !hasEnded { _ = try read() }
    }

    /// Reads one packet. Returns its track; nil for packets of other streams, and at the end.
    private func read() throws(ObscuraError) -> TrackKind? {
        guard !control.isCancelled else { throw .cancelled(.movies, location.description) }
        packet.unreference()
        let complaints = inputLog.ownLineCount
        let begin = HostTime.now
        let status = opened.input.read(packet)
        let arrival = HostTime.now
        waited += arrival - begin
        if status == FFmpegCode.again { return nil }
        if status < 0 {
            if status == -ENOMEM { throw .outOfMemory(.movies, location.description) }
            hasDemuxerComplained = inputLog.ownLineCount > complaints
            inputFailure = status == FFmpegCode.endOfFile ? nil : status
            if location.isNetwork, options.reconnection != nil, !isLive { try throwIfCutOff() }
            hasEnded = true
            return nil
        }
        // The decoder would interpret an empty packet as the end.
        guard !packet.isEmpty else { return nil }
        let (kind, stream): (TrackKind, InputStream)
        if let pictures, packet.streamIndex == pictures.stream.index {
            (kind, stream) = (.pictures, pictures.stream)
        } else if let sound, packet.streamIndex == sound.stream.index, readsSound {
            (kind, stream) = (.sound, sound.stream)
        } else {
            return nil
        }
        isLastPacketCorrupt = packet.isCorrupt
        clock?.note(
            kind, at: packet.presentationTimestamp.map(stream.time),
            decodeTime: packet.decodeTimestamp.map(stream.time), arrival: arrival, waited: waited)
        return try keepEncoded(kind) ? nil : kind
    }

    /// Keeps the packet if it is wanted compressed. Returns whether it is wanted only so.
    private func keepEncoded(_ kind: TrackKind) throws(ObscuraError) -> Bool {
        let mode = kind == .pictures ? wish.pictures : wish.sound
        guard mode != .none else { return false }
        guard let kept = mode == .only ? packet.taken() : packet.shared() else {
            throw .outOfMemory(.movies, location.description)
        }
        encoded.append((kind, kept))
        return mode == .only
    }

    // MARK: The end

    /// The error of an incomplete movie, after its end; nil for a complete movie.
    func failure(_ progress: ReadingProgress) -> ObscuraError? {
        let subject = location.description
        if let inputFailure, location.isNetwork {
            // Invalid data after a successful opening means that the file was truncated.
            let code = inputFailure == FFmpegCode.invalidData ? -EIO : inputFailure
            return ObscuraError(
                ffmpeg: code, subject: subject, action: "reading", isNetwork: true, log: inputLog,
                control: control)
        }
        let reach = reach(progress)
        if inputFailure != nil || hasDemuxerComplained || isLastPacketCorrupt || isCutShort(progress) {
            return ObscuraError(
                .movies, .truncated, subject: subject, reason: "the file ends too early: \(reach)",
                advice: "Copy or download the complete file again.", libraryMessage: inputLog.message)
        }
        guard progress.lost > 0 || progress.soundLost > 0 else { return nil }
        return ObscuraError(
            .movies, .damaged, subject: subject, reason: "the file is damaged: \(reach)",
            libraryMessage: decoderLog.message ?? inputLog.message)
    }

    private func isCutShort(_ progress: ReadingProgress) -> Bool {
        let input = opened.input
        if let pictures, input.isCutShort(pictures.stream) { return true }
        guard readsSound, let sound else { return false }
        return input.isCutShort(sound.stream) || input.endsBefore(sound.stream, progress.soundPosition)
    }

    /// A description of the position reached, for error messages.
    private func reach(_ progress: ReadingProgress) -> String {
        func seconds(_ end: MediaTime?) -> Double { end.map { Double($0.nanoseconds / 1_000_000) / 1000 } ?? 0 }
        let soundLost = progress.soundLost == 0 ? "" : "; \(progress.soundLost) audio packets could not be decoded"
        guard let pictures else {
            return "its audio is complete up to \(seconds(progress.soundPosition)) s\(soundLost)"
        }
        let promised = opened.input.frameCount(pictures.stream).map { " of \($0)" } ?? ""
        let lost = progress.lost == 0 ? "" : "; \(progress.lost) frames could not be decoded"
        let end = seconds(progress.end)
        return "\(progress.delivered)\(promised) frames are complete, up to \(end) s\(lost)\(soundLost)"
    }

    /// Throws if the connection was lost and the movie will be resumed at that position. The frames that are still in
    /// the decoder are dropped and read again, because frames before them may be missing.
    private func throwIfCutOff() throws(ObscuraError) {
        guard inputFailure != nil || hasDemuxerComplained || isLastPacketCorrupt else { return }
        if inputFailure == nil { inputFailure = -EIO }
        if let error = failure(ReadingProgress()) { throw error }
    }

    private static func open(
        _ location: MovieLocation, _ options: MovieReadingOptions, _ needsPictures: Bool, _ control: ReadControl,
        _ inputLog: FFmpegLog, _ decoderLog: FFmpegLog
    ) throws(ObscuraError) -> Opened {
        inputLog.clear()
        decoderLog.clear()
        let input = try location.open(options, control: control, log: inputLog)
        let (pictures, sound) = input.selectStreams(only: options.stream)
        let subject = location.description
        var opened = Opened(input: input)
        if let sound {
            let track = try SoundTrack(sound, log: decoderLog, subject: subject)
            if track.info != nil {
                opened.sound = track
            } else if pictures == nil, !needsPictures {
                throw ObscuraError(
                    .movies, .unsupportedCodec, subject: subject,
                    reason: "FFmpeg has no decoder for its audio (\(track.codecName))")
            }
        }
        opened.form = EncodedForm(pictures: pictures, sound: opened.sound?.stream)
        guard let pictures else {
            if opened.sound != nil, !needsPictures { return opened }
            // Demuxers report a stream without sample rate and channels for a text file with an audio file name.
            let isSound = input.streams.contains { $0.kind == .audio }
            if isSound, sound == nil, options.stream == nil { throw .noMovie(subject, inputLog.message) }
            throw ObscuraError(
                .movies, .noVideo, subject: subject,
                reason: sound != nil ? "it has audio but no video" : "it has no video")
        }
        let limit = options.maximumSize
        guard pictures.width > 0, pictures.height > 0 else {
            throw ObscuraError(
                .movies, .unreadable, subject: subject, reason: "its frame size is unknown",
                libraryMessage: inputLog.message)
        }
        guard pictures.width <= limit.width, pictures.height <= limit.height else {
            throw .tooLarge(subject, width: pictures.width, height: pictures.height, limit: limit)
        }
        opened.pictures = try PictureTrack(pictures, options: options, log: decoderLog, subject: subject)
        return opened
    }
}
