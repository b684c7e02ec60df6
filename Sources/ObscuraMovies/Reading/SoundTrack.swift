// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraFFmpeg
internal import ObscuraMedia

/// The sound of an open container, in pieces of at most 40 ms, on the file's own timeline; broken packets are
/// skipped and counted.
///
/// The decoder is made when sound is first asked for. A piece tells with its `gap` how many sample frames the
/// times of the file leave out before it, and is a discontinuity where it does not follow in another way.
final class SoundTrack {
    let stream: InputStream
    private let subject: String
    private let log: FFmpegLog
    private let frame: Frame
    private var decoder: Decoder?
    /// What the present frame is, and how much of it is still to be handed out; nil without one.
    private var present: Present?
    /// What the next frame should follow; nil at the beginning and after a ``flush(beginningAt:)``.
    private var last: (end: MediaTime, format: AudioFormat)?
    /// What comes earlier is left out.
    private var begin: MediaTime?
    private var hasLost = false
    private var lostCount = 0
    /// The time of the first frame since the beginning or the ``flush(beginningAt:)``, also of one that was left out.
    private(set) var firstTime: MediaTime?

    private struct Present {
        var format: AudioFormat
        var time: MediaTime
        var rest: Range<Int>
        var attachments: AudioBuffer.Attachments
    }

    /// Pieces a second, at least.
    private static let piecesPerSecond = 25
    /// What the times of a file may be off without a loss: many are rounded to milliseconds, or reckoned.
    private static let looseness = MediaTime(value: 1, timescale: 100)
    /// Beyond this nothing was lost: another timeline begins.
    private static let longestGap = MediaTime(value: 10, timescale: 1)

    init(_ stream: InputStream, log: FFmpegLog, subject: String) throws(ObscuraError) {
        guard let frame = Frame() else { throw .outOfMemory(.movies, subject) }
        self.stream = stream
        self.log = log
        self.subject = subject
        self.frame = frame
    }

    /// What the container says of it; nil for sound that cannot be decoded here.
    var info: MovieSoundInfo? {
        guard let format = stream.soundFormat else { return nil }
        return MovieSoundInfo(
            codecName: codecName, format: format, duration: stream.duration, startTime: stream.startTime)
    }

    var codecName: String { stream.codecName }

    /// Whether sound has been asked for.
    var hasDecoder: Bool { decoder != nil }

    /// The next piece. Its host time is that of the call, and its position is zero.
    func next(from source: any TrackPackets) throws(ObscuraError) -> TrackStep<AudioBuffer> {
        while true {
            if let piece = cut() { return .element(piece) }
            let decoder = try openDecoder()
            switch decoder.receive(frame) {
            case .frame where decoder.isBroken(frame): lose()
            case .frame: take()
            case .needsPacket:
                switch try source.next(.sound) {
                case .element(let packet):
                    if packet.isCorrupt {
                        lose()
                        continue
                    }
                    let code = decoder.send(packet)
                    if code < 0, code != FFmpegCode.again { try lose(code) }
                case .ended: decoder.sendEnd()
                case .waits: return .waits
                }
            case .failed(let code): try lose(code)
            case .ended: return .ended
            }
        }
    }

    private func openDecoder() throws(ObscuraError) -> Decoder {
        if let decoder { return decoder }
        let made = try Decoder(sound: stream, log: log, subject: subject)
        decoder = made
        return made
    }

    /// How many packets were lost since the last call.
    func takeLostCount() -> Int {
        defer { lostCount = 0 }
        return lostCount
    }

    /// Forgets everything, to go on at another place.
    ///
    /// - Parameter begin: the first sample frame that is wanted; nil for whatever comes.
    func flush(beginningAt begin: MediaTime?) {
        decoder?.flush()
        self.begin = begin
        (present, last, firstTime) = (nil, nil, nil)
        (hasLost, lostCount) = (false, 0)
    }

    // MARK: Frames

    /// Begins with the frame that was decoded.
    private func take() {
        let count = frame.sampleCount
        guard let format = frame.audioFormat, count > 0 else { return lose() }
        let time = frame.timestamp.map(stream.time) ?? last?.end ?? stream.startTime ?? .zero
        firstTime = firstTime ?? time
        var attachments = joint(time, format)
        last = (time + format.duration(ofFrames: count), format)
        hasLost = false
        let skipped = begin.map { skippedCount(before: $0, time, format, count) } ?? 0
        guard skipped < count else { return }
        if begin != nil {
            // What was missing before the beginning nobody misses.
            attachments = AudioBuffer.Attachments()
            lostCount = 0
        }
        begin = nil
        present = Present(format: format, time: time, rest: skipped..<count, attachments: attachments)
    }

    private func cut() -> AudioBuffer? {
        guard var present, let first = present.rest.first else { return nil }
        let limit = max(1, present.format.sampleRate / Self.piecesPerSecond)
        let piece = first..<min(first + limit, present.rest.upperBound)
        let sound = AudioBuffer(
            format: present.format, samples: frame.samples(piece, as: present.format),
            presentationTime: present.time + present.format.duration(ofFrames: first), hostTime: .now,
            attachments: present.attachments)
        present.attachments = AudioBuffer.Attachments()
        present.rest = piece.upperBound..<present.rest.upperBound
        self.present = present.rest.isEmpty ? nil : present
        return sound
    }

    /// How the frame follows the one before it.
    private func joint(_ time: MediaTime, _ format: AudioFormat) -> AudioBuffer.Attachments {
        var attachments = AudioBuffer.Attachments()
        guard let last else { return attachments }
        let difference = time - last.end
        let allowed = hasLost ? stream.time(1) : max(stream.time(1), Self.looseness)
        if last.format != format || difference > Self.longestGap || MediaTime.zero - difference > allowed {
            attachments.isDiscontinuity = true
        } else if difference > allowed {
            let frames = difference.converted(toTimescale: Int32(clamping: format.sampleRate)).value
            attachments.gap = UInt64(max(0, frames))
        }
        return attachments
    }

    /// How many sample frames lie before `begin`. Times that are rounded more coarsely than a sample lasts must not
    /// cost a part of a frame that begins there.
    private func skippedCount(before begin: MediaTime, _ time: MediaTime, _ format: AudioFormat, _ count: Int) -> Int {
        let unit = stream.time(1)
        let early = begin - time
        let isCoarse = unit > format.duration(ofFrames: 1)
        if early <= (isCoarse ? unit : .zero) { return 0 }
        if isCoarse, format.duration(ofFrames: count) - early <= unit { return count }
        let rate = Int32(clamping: format.sampleRate)
        let frames = early.converted(toTimescale: rate)
        // Times of a file may be at the end of all numbers.
        let whole = min(frames.value, Int64(count))
        // Rounded up: the first one is not earlier.
        return Int(frames < early ? whole + 1 : whole)
    }

    private func lose(_ code: Int32) throws(ObscuraError) {
        if code == -ENOMEM { throw .outOfMemory(.movies, subject) }
        lose()
    }

    /// What is broken before anything could be decoded is no loss: the middle of a stream begins so.
    private func lose() {
        guard firstTime != nil else { return }
        hasLost = true
        lostCount += 1
    }
}
