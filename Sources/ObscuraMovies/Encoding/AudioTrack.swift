// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraFFmpeg
package import ObscuraMedia

/// The audio track of a movie: without gaps, resampled to the encoder's rate, encoded. One thread at a time.
///
/// Silence fills lost audio and the time between two segments, so that later audio stays in sync.
package final class AudioTrack {
    private let encoder: AudioEncoder
    private let subject: String
    private var resampler: AudioResampler?
    /// The start of the current segment in the movie; no audio is placed before it.
    private var floor = MediaTime.zero
    package private(set) var hasSound = false

    /// Tolerance for the jitter of live timestamps: a buffer with at most this offset follows the previous one without
    /// a gap.
    private static let toleranceMilliseconds: Int64 = 10

    package init(_ settings: AudioSettings, subject: String, isLive: Bool = false) throws(ObscuraError) {
        encoder = try AudioEncoder(settings, isLive: isLive)
        self.subject = subject
    }

    package var name: String { encoder.encoder.name }
    private var timescale: Int32 { encoder.encoder.timescale }
    /// The end of the audio in the movie.
    package var end: MediaTime { MediaTime(value: encoder.end, timescale: timescale) }

    /// Creates the stream for a container.
    package func makeStream() throws(ObscuraError) -> OutputStream {
        OutputStream(parameters: try encoder.encoder.makeParameters(), timescale: timescale)
    }

    /// Begins a segment at `place` in the movie; earlier audio is skipped.
    package func begin(at place: MediaTime) {
        floor = place
    }

    /// Encodes a buffer whose first sample is at `place` in the movie.
    package func append(_ buffer: AudioBuffer, at place: MediaTime) throws(ObscuraError) -> [EncodedPacket] {
        var moved = buffer
        moved.presentationTime = place
        var packets: [EncodedPacket] = []
        if let resampler, resampler.source != buffer.format {
            packets = try flush()
            self.resampler = nil
        }
        for piece in try resampled(moved) { packets += try put(piece) }
        for index in packets.indices { packets[index].hostTime = buffer.hostTime }
        return packets
    }

    /// Ends a segment at `place` in the movie, or, if nil, at the end of its audio.
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
        let tolerance = Int64(timescale) * Self.toleranceMilliseconds / 1000
        let floor = self.floor.converted(toTimescale: timescale).value
        var place = buffer.presentationTime.converted(toTimescale: timescale).value
        // At the beginning of a segment the placement is exact to the sample; within it, jitter is ignored.
        if hasSound, encoder.end > floor, abs(place - encoder.end) <= tolerance { place = encoder.end }
        var packets: [EncodedPacket] = []
        let begin = max(place, floor, encoder.end)
        let skipped = begin - place
        guard skipped < Int64(buffer.frameCount) else { return [] }
        if begin > encoder.end { packets = try encoder.appendSilence(begin - encoder.end) }
        hasSound = true
        return try packets + encoder.append(buffer, from: Int(skipped))
    }

    private func resampled(_ buffer: AudioBuffer) throws(ObscuraError) -> [AudioBuffer] {
        do throws(ObscuraError) {
            if resampler == nil { resampler = try AudioResampler(from: buffer.format, to: encoder.format) }
            return try resampler?.convert(buffer) ?? []
        } catch {
            throw unfit(error)
        }
    }

    private func flush() throws(ObscuraError) -> [EncodedPacket] {
        let rest: AudioBuffer?
        do throws(ObscuraError) {
            rest = try resampler?.finish()
        } catch {
            throw unfit(error)
        }
        guard let rest else { return [] }
        return try put(rest)
    }

    private func unfit(_ error: ObscuraError) -> ObscuraError {
        error.code == .outOfMemory
            ? .outOfMemory(.recording, subject)
            : ObscuraError(.recording, .encoderFailed, subject: subject, reason: error.reason)
    }
}
