// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraFFmpeg
package import ObscuraMedia

/// The audio of a movie or a broadcast that is not encoded: the compressed packets of a source, unchanged, with its times.
/// One thread at a time.
package final class CopiedAudioTrack: AudioPacketTrack {
    private let parameters: AudioParameters
    private let subject: String
    /// The start of the current segment in the movie.
    private var floor = MediaTime.zero
    private var lastUnits: Int64?
    private var endUnits: Int64 = 0

    package private(set) var hasSound = false

    /// The limit of times and durations, so that sums do not overflow.
    private static let farthest = Int64.max / 8

    package init(_ parameters: AudioParameters, subject: String) {
        self.parameters = parameters
        self.subject = subject
    }

    private var timescale: Int32 { Int32(clamping: max(1, parameters.sampleRate)) }

    package var encoderName: String? { nil }
    package var end: MediaTime { MediaTime(value: endUnits, timescale: timescale) }
    package var drift: Double? { nil }

    package func makeStream() throws(ObscuraError) -> OutputStream {
        guard let made = CodecParameters(parameters) else { throw .outOfMemory(.recording, subject) }
        return OutputStream(parameters: made, timescale: timescale)
    }

    package func begin(at place: MediaTime) {
        floor = place
    }

    package func append(_ sample: MediaSample, at place: MediaTime) throws(ObscuraError) -> [EncodedPacket] {
        guard case .encodedAudio(let packet) = sample, !packet.data.isEmpty else { return [] }
        guard packet.codec == parameters.codec,
            packet.parameters.map({ parameters.hasDecoder(of: $0) }) ?? true
        else {
            throw ObscuraError(
                .recording, .formatChanged, subject: subject,
                reason: "the source changed its audio format, but copied audio must keep one format in a movie",
                advice: "Begin another movie, or encode the audio.")
        }
        // No packet is cut. The first one may begin earlier than the movie by the priming, which a player skips.
        let priming = MediaTime(value: Int64(parameters.priming), timescale: timescale)
        guard hasSound ? place + packet.duration > floor : place >= floor - priming else { return [] }
        var units = min(max(-Self.farthest, place.converted(toTimescale: timescale).value), Self.farthest)
        if let lastUnits { units = max(units, lastUnits + 1) }
        let duration = min(max(1, packet.duration.converted(toTimescale: timescale).value), Self.farthest)
        guard
            let encoded = EncodedPacket(
                isVideo: false, bytes: packet.data, units: units, timescale: timescale, duration: duration, isKey: true,
                hostTime: packet.hostTime)
        else { throw .outOfMemory(.recording, subject) }
        lastUnits = units
        endUnits = max(endUnits, units + duration)
        hasSound = true
        return [encoded]
    }

    package func endStretch(at place: MediaTime?) throws(ObscuraError) -> [EncodedPacket] { [] }

    package func finish() throws(ObscuraError) -> [EncodedPacket] { [] }
}

extension AudioParameters {
    /// Whether a decoder with these parameters can decode packets with `others`.
    fileprivate func hasDecoder(of others: AudioParameters) -> Bool {
        codec == others.codec && sampleRate == others.sampleRate && channelCount == others.channelCount
            && configuration == others.configuration
    }
}

extension AudioParameters {
    /// Throws if a container cannot contain this audio.
    func check(for container: MovieContainer, subject: String) throws(ObscuraError) {
        guard !container.takes(codec) else { return }
        throw .invalidSettings(
            .recording, subject, "\(container.rawValue) files do not support \(codec.rawValue)",
            "Use an mkv file, which supports all codecs.")
    }
}
