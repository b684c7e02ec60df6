// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraFFmpeg
internal import ObscuraMedia

/// The audio of an open container, in buffers of at most 40 ms, on the file's own timeline; damaged packets are skipped
/// and counted.
///
/// The decoder is created when audio is first requested. The `gap` of a buffer is the number of sample frames missing
/// before it according to the file's times; other breaks in the timeline are marked as a discontinuity.
final class SoundTrack {
    let stream: InputStream
    private let subject: String
    private let log: FFmpegLog
    private let frame: Frame
    private var decoder: Decoder?
    /// The current decoded frame and its remaining samples; nil without one.
    private var present: Present?
    /// The expected start and format of the next frame; nil at the beginning and after a ``flush(beginningAt:)``.
    private var last: (end: MediaTime, format: AudioFormat)?
    /// Samples before this time are skipped.
    private var begin: MediaTime?
    private var hasLost = false
    private var lostCount = 0
    /// The time of the first frame since the beginning or the ``flush(beginningAt:)``, including skipped frames.
    private(set) var firstTime: MediaTime?

    private struct Present {
        var format: AudioFormat
        var time: MediaTime
        var rest: Range<Int>
        var attachments: AudioBuffer.Attachments
    }

    /// Minimum number of buffers per second.
    private static let piecesPerSecond = 25
    /// Tolerance for the times of a file, which are often rounded to milliseconds or calculated.
    private static let looseness = MediaTime(value: 1, timescale: 100)
    /// A longer gap is not a loss but the start of another timeline.
    private static let longestGap = MediaTime(value: 10, timescale: 1)

    init(_ stream: InputStream, log: FFmpegLog, subject: String) throws(ObscuraError) {
        guard let frame = Frame() else { throw .outOfMemory(.movies, subject) }
        self.stream = stream
        self.log = log
        self.subject = subject
        self.frame = frame
    }

    /// The properties of the audio, according to the container; nil if it cannot be decoded.
    var info: MovieSoundInfo? {
        guard let format = stream.soundFormat else { return nil }
        return MovieSoundInfo(
            codecName: codecName, format: format, duration: stream.duration, startTime: stream.startTime)
    }

    var codecName: String { stream.codecName }

    /// Whether audio has been requested.
    var hasDecoder: Bool { decoder != nil }

    /// Returns the next buffer. Its host time and its position are not set.
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

    /// Returns the number of packets lost since the last call.
    func takeLostCount() -> Int {
        defer { lostCount = 0 }
        return lostCount
    }

    /// Resets the decoder state, for continuing at another position.
    ///
    /// - Parameter begin: the time of the first requested sample frame; nil for no limit.
    func flush(beginningAt begin: MediaTime?) {
        decoder?.flush()
        self.begin = begin
        (present, last, firstTime) = (nil, nil, nil)
        (hasLost, lostCount) = (false, 0)
    }

    // MARK: Frames

    /// Starts with a newly decoded frame.
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
            // Samples missing before the beginning do not count as lost.
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

    /// Returns the attachments that describe how the frame follows the previous one.
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

    /// Number of sample frames before `begin`. Coarsely rounded times must not cause samples to be cut from a frame
    /// that begins there.
    private func skippedCount(before begin: MediaTime, _ time: MediaTime, _ format: AudioFormat, _ count: Int) -> Int {
        let unit = stream.time(1)
        let early = begin - time
        let isCoarse = unit > format.duration(ofFrames: 1)
        if early <= (isCoarse ? unit : .zero) { return 0 }
        if isCoarse, format.duration(ofFrames: count) - early <= unit { return count }
        let rate = Int32(clamping: format.sampleRate)
        let frames = early.converted(toTimescale: rate)
        // Times in a file may be close to the limits of their type.
        let whole = min(frames.value, Int64(count))
        // Rounded up, so that the first sample is not earlier.
        return Int(frames < early ? whole + 1 : whole)
    }

    private func lose(_ code: Int32) throws(ObscuraError) {
        if code == -ENOMEM { throw .outOfMemory(.movies, subject) }
        lose()
    }

    /// Counts a lost packet, except before the first decoded one: streams may start in the middle.
    private func lose() {
        guard firstTime != nil else { return }
        hasLost = true
        lostCount += 1
    }
}
