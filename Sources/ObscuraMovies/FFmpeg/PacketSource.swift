// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
internal import Glibc
internal import ObscuraMedia

/// The container and the decoder together: whole decoded frames in the order in which they are shown, and
/// the count of those that were not whole.
final class PacketSource {
    private let location: MovieLocation
    private let options: MovieReadingOptions
    private let control: ReadControl
    private let inputLog = FFmpegLog()
    private let decoderLog = FFmpegLog()
    private let packet: Packet
    private var input: InputContext
    private var decoder: Decoder
    private(set) var stream: InputStream
    /// The container's turn and mirroring; nil where it names none.
    private(set) var displayTransform: DisplayTransform?
    private var spareFrame: Frame?

    private var lostCount = 0
    /// Broken packets before the first place where decoding can begin are no loss: nobody could have
    /// decoded them.
    private var hasSeenKey = false
    private var isLastPacketCorrupt = false
    /// Why the packets ended; nil for the end of the file, or while they go on.
    private var inputFailure: Int32?
    private var hasDemuxerComplained = false

    init(_ location: MovieLocation, options: MovieReadingOptions, control: ReadControl) throws(MovieError) {
        self.location = location
        self.options = options
        self.control = control
        guard let packet = Packet() else { throw .outOfMemory(location.description) }
        self.packet = packet
        (input, stream, decoder) = try Self.open(location, options, control, inputLog, decoderLog)
        displayTransform = stream.displayTransform
        control.setDeadline(nil)
    }

    var isNetwork: Bool { location.isNetwork }

    var canLoop: Bool { input.isSeekable }

    var info: MovieInfo {
        let transform = displayTransform ?? DisplayTransform()
        let format = FramePixels.nearest(stream.pixelFormat) ?? .i420
        return MovieInfo(
            location: location.description, containerName: input.formatName, codecName: decoder.codecName,
            format: VideoFormat(
                pixelFormat: format, width: stream.width, height: stream.height, frameRate: input.frameRate(stream)),
            duration: stream.duration ?? input.duration, startTime: stream.startTime,
            frameCount: input.frameCount(stream), uprightTurn: transform.turn, isMirrored: transform.isMirrored,
            colorSpace: FrameColors(stream).colorSpace(for: format), isLive: input.isLive)
    }

    /// The next whole frame; nil when the packets have ended and the decoder is empty.
    func nextFrame() throws(MovieError) -> Frame? {
        guard let frame = spareFrame ?? Frame() else { throw .outOfMemory(location.description) }
        spareFrame = nil
        while true {
            switch decoder.receive(frame) {
            case .frame where decoder.isBroken(frame):
                lose()
                frame.unreference()
            case .frame: return frame
            case .needsPacket: try feed()
            case .failed(let code): try lose(code)
            case .ended:
                spareFrame = frame
                return nil
            }
        }
    }

    /// How many frames were lost since the last call.
    ///
    /// - Parameter counts: false where they do not matter, before the start that was asked for.
    func takeLostCount(counts: Bool) -> Int {
        defer { lostCount = 0 }
        return counts ? lostCount : 0
    }

    /// Goes on at the last place before `time` where decoding can begin. Returns whether it could.
    func seek(to time: MediaTime) -> Bool {
        guard input.seek(stream, to: stream.units(time)) else { return false }
        decoder.flush()
        forget()
        return true
    }

    /// Begins again with the first packet, for what cannot be sought exactly.
    func reopen() throws(MovieError) {
        (input, stream, decoder) = try Self.open(location, options, control, inputLog, decoderLog)
        forget()
    }

    /// What was wrong with the movie, once its end has come; nil for a whole one.
    func failure(_ progress: MovieReader.Progress) -> MovieError? {
        let subject = location.description
        if let inputFailure, location.isNetwork {
            // What was a movie when it was opened, and then makes no sense, was cut off.
            let code = inputFailure == OBSCURA_ERROR_INVALID_DATA ? -EIO : inputFailure
            return MovieError(
                ffmpeg: code, subject: subject, action: "reading", isNetwork: true, log: inputLog,
                control: control)
        }
        let seconds = progress.end.map { Double($0.nanoseconds / 1_000_000) / 1000 } ?? 0
        let promised = input.frameCount(stream).map { " of \($0)" } ?? ""
        let reach = "\(progress.delivered)\(promised) frames, up to \(seconds) s, are whole"
        let lost = progress.lost == 0 ? "" : "; \(progress.lost) could not be decoded"
        if inputFailure != nil || hasDemuxerComplained || isLastPacketCorrupt || input.isCutShort(stream) {
            return MovieError(
                .truncated, subject: subject, reason: "the file ends too early: \(reach)\(lost)",
                advice: "Copy or download it again, if there is a whole one.", libraryMessage: inputLog.lastLine)
        }
        guard progress.lost > 0 else { return nil }
        return MovieError(
            .damaged, subject: subject, reason: "the file is damaged: \(reach)\(lost)",
            libraryMessage: decoderLog.lastLine ?? inputLog.lastLine)
    }

    // MARK: Packets

    /// Gives the decoder its next packet, or tells it that there are no more.
    private func feed() throws(MovieError) {
        while true {
            guard !control.isCancelled else { throw .cancelled(location.description) }
            let complaints = inputLog.ownLineCount
            let status = input.read(packet)
            defer { packet.unreference() }
            if status == OBSCURA_ERROR_AGAIN { continue }
            if status < 0 {
                if status == -ENOMEM { throw .outOfMemory(location.description) }
                hasDemuxerComplained = inputLog.ownLineCount > complaints
                inputFailure = status == OBSCURA_ERROR_EOF ? nil : status
                if location.isNetwork, options.reconnection != nil, !input.isLive { try throwIfCutOff() }
                return decoder.sendEnd()
            }
            // An empty packet would tell the decoder that the end has come.
            guard packet.streamIndex == stream.index, !packet.isEmpty else { continue }
            isLastPacketCorrupt = packet.isCorrupt
            if packet.isCorrupt, input.hasPicturePackets {
                lose()
                continue
            }
            if packet.isKey { hasSeenKey = true }
            let code = decoder.send(packet)
            if code < 0, code != OBSCURA_ERROR_AGAIN { try lose(code) }
            return
        }
    }

    /// Ends a movie that will be gone on with at the place where its connection broke off, without the
    /// pictures that the decoder still holds: some before them have not come, so they are read again.
    private func throwIfCutOff() throws(MovieError) {
        guard inputFailure != nil || hasDemuxerComplained || isLastPacketCorrupt else { return }
        if inputFailure == nil { inputFailure = -EIO }
        lostCount = 0
        if let error = failure(MovieReader.Progress()) { throw error }
    }

    private func lose(_ code: Int32) throws(MovieError) {
        if code == -ENOMEM { throw .outOfMemory(location.description) }
        lose()
    }

    private func lose() {
        if hasSeenKey { lostCount += 1 }
    }

    private func forget() {
        hasSeenKey = false
        isLastPacketCorrupt = false
        inputFailure = nil
        hasDemuxerComplained = false
    }

    private static func open(
        _ location: MovieLocation, _ options: MovieReadingOptions, _ control: ReadControl, _ inputLog: FFmpegLog,
        _ decoderLog: FFmpegLog
    ) throws(MovieError) -> (InputContext, InputStream, Decoder) {
        inputLog.clear()
        decoderLog.clear()
        let input = try InputContext(location, options: options, control: control, log: inputLog)
        let stream = try input.selectVideoStream()
        let (subject, limit) = (location.description, options.maximumSize)
        guard stream.width > 0, stream.height > 0 else {
            throw MovieError(
                .unreadable, subject: subject, reason: "the size of its picture cannot be found",
                libraryMessage: inputLog.lastLine)
        }
        guard stream.width <= limit.width, stream.height <= limit.height else {
            throw .tooLarge(subject, width: stream.width, height: stream.height, limit: limit)
        }
        let decoder = try Decoder(
            stream, threads: options.decoderThreads, maximumSize: limit, log: decoderLog, subject: subject)
        return (input, stream, decoder)
    }
}
