// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraFFmpeg
package import ObscuraMedia

/// The audio track of a movie: without gaps, resampled to the encoder's rate, encoded. One thread at a time.
///
/// Audio whose clock drifts is made slightly longer or shorter, so that it keeps to its times. Silence fills lost audio
/// and the time between two segments.
package final class AudioTrack: AudioPacketTrack {
    private let encoder: AudioStreamEncoder
    private let subject: String
    private var resampler: AudioResampler?
    /// The start of the current segment in the movie; no audio is placed before it.
    private var floor = MediaTime.zero
    package private(set) var hasSound = false

    private var correction = DriftCorrection()
    /// The resampler of the correction; nil as long as there is nothing to correct.
    private var stretcher: VariableRateResampler?
    /// The last buffer in the current segment.
    private var last: AudioBuffer?
    /// Whether the next buffer is placed exact to the sample: the first one of a segment, and the first one after sound that
    /// was already there, as when the times of a stream go back.
    private var isExact = true
    /// The position after the last buffer; a later one means that audio was lost.
    private var nextPosition: UInt64?
    private var meter: DriftMeter

    /// The limit of places, so that sums do not overflow.
    private static let farthest = Int64.max / 4
    /// The longest silence, in seconds: a day. Audio even later has an absurd time, and is skipped: the silence before it
    /// would fill the disk.
    private static let longestSilence: Int64 = 86_400

    package init(_ settings: AudioSettings, subject: String, isLive: Bool = false) throws(ObscuraError) {
        encoder = try AudioStreamEncoder(settings, isLive: isLive)
        self.subject = subject
        meter = DriftMeter(sampleRate: settings.format.sampleRate)
    }

    package var name: String { encoder.encoder.name }
    package var encoderName: String? { name }
    private var timescale: Int32 { encoder.encoder.timescale }
    package var end: MediaTime { MediaTime(value: encoder.end, timescale: timescale) }
    package var drift: Double? { meter.drift }

    package func makeStream() throws(ObscuraError) -> OutputStream {
        OutputStream(parameters: try encoder.encoder.makeParameters(), timescale: timescale)
    }

    package func begin(at place: MediaTime) {
        floor = place
        (isExact, last, nextPosition) = (true, nil, nil)
        meter.interrupt()
    }

    package func append(_ sample: MediaSample, at place: MediaTime) throws(ObscuraError) -> [EncodedPacket] {
        guard case .audio(let buffer) = sample else { return [] }
        return try append(buffer, at: place)
    }

    /// Encodes a buffer whose first sample is at `place` in the movie.
    package func append(_ buffer: AudioBuffer, at place: MediaTime) throws(ObscuraError) -> [EncodedPacket] {
        var moved = buffer
        moved.presentationTime = place
        if let nextPosition, buffer.position > nextPosition, buffer.attachments.gap == 0 {
            // Dropped before it came here, by a queue that was full.
            moved.attachments.gap = buffer.position - nextPosition
        }
        nextPosition = buffer.position &+ UInt64(buffer.frameCount)
        var packets: [EncodedPacket] = []
        if let resampler, resampler.source != buffer.format {
            packets = try flush()
            self.resampler = nil
        }
        for piece in try resampled(moved) { packets += try put(piece) }
        for index in packets.indices { packets[index].hostTime = buffer.hostTime }
        return packets
    }

    package func endStretch(at place: MediaTime?) throws(ObscuraError) -> [EncodedPacket] {
        let packets = try flush()
        if let place { try encoder.cut(at: place.converted(toTimescale: timescale).value) }
        return packets
    }

    package func finish() throws(ObscuraError) -> [EncodedPacket] {
        guard hasSound else { return [] }
        let packets = try flush()
        return try packets + encoder.finish()
    }

    private func put(_ buffer: AudioBuffer) throws(ObscuraError) -> [EncodedPacket] {
        let floor = self.floor.converted(toTimescale: timescale).value
        let place = min(
            max(-Self.farthest, buffer.presentationTime.converted(toTimescale: timescale).value), Self.farthest)
        let error = Double(place) - Double(encoder.end) - (stretcher?.delay ?? 0)
        if !isExact, abs(error) <= DriftCorrection.longestError(of: buffer.attachments) * Double(timescale) {
            if !buffer.attachments.isTimeEstimated { meter.note(place, count: buffer.frameCount) }
            return try follow(buffer, error / Double(timescale))
        }
        meter.interrupt()
        var packets = try endStretching()
        let begin = max(place, floor, encoder.end)
        let skipped = begin - place
        isExact = skipped >= Int64(buffer.frameCount) || begin - encoder.end > Self.longestSilence * Int64(timescale)
        guard !isExact else { return packets }
        let fades = hasSound && begin > encoder.end
        if fades { try encoder.fadeOut() }
        if begin > encoder.end { packets += try encoder.appendSilence(begin - encoder.end) }
        packets += try encoder.append(buffer, from: Int(skipped), fadesIn: fades)
        (hasSound, last) = (true, buffer)
        if !buffer.attachments.isTimeEstimated { meter.note(place, count: buffer.frameCount) }
        return packets
    }

    /// Appends a buffer that is due `error` seconds after the end of the audio.
    private func follow(_ buffer: AudioBuffer, _ error: Double) throws(ObscuraError) -> [EncodedPacket] {
        let part = correction.correct(
            error, over: Double(buffer.frameCount) / Double(timescale),
            isEstimated: buffer.attachments.isTimeEstimated)
        defer { last = buffer }
        guard correction.isActive else { return try append(buffer) }
        let made = try resampling { () throws(ObscuraError) in
            if stretcher == nil { stretcher = try VariableRateResampler(buffer.format, after: last) }
            return try stretcher?.convert(buffer, stretchedBy: part)
        }
        return try append(made)
    }

    /// Appends the rest of the stretched audio.
    private func endStretching() throws(ObscuraError) -> [EncodedPacket] {
        correction.restart()
        defer { stretcher = nil }
        return try append(resampling { () throws(ObscuraError) in try stretcher?.finish() })
    }

    private func append(_ buffer: AudioBuffer?) throws(ObscuraError) -> [EncodedPacket] {
        guard let buffer else { return [] }
        return try encoder.append(buffer)
    }

    private func resampled(_ buffer: AudioBuffer) throws(ObscuraError) -> [AudioBuffer] {
        try resampling { () throws(ObscuraError) in
            if resampler == nil { resampler = try AudioResampler(from: buffer.format, to: encoder.format) }
            return try resampler?.convert(buffer) ?? []
        }
    }

    private func flush() throws(ObscuraError) -> [EncodedPacket] {
        var packets: [EncodedPacket] = []
        if let rest = try resampling({ () throws(ObscuraError) in try resampler?.finish() }) { packets = try put(rest) }
        return try packets + endStretching()
    }

    /// Does what a resampler does; its errors are those of this recording.
    private func resampling<Result>(_ work: () throws(ObscuraError) -> Result) throws(ObscuraError) -> Result {
        do throws(ObscuraError) {
            return try work()
        } catch {
            throw error.code == .outOfMemory
                ? .outOfMemory(.recording, subject)
                : ObscuraError(.recording, .encoderFailed, subject: subject, reason: error.reason)
        }
    }
}
