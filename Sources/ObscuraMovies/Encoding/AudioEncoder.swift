// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraFFmpeg
public import ObscuraMedia

/// An encoder of audio to compressed packets in memory, for a destination of your own.
///
/// ```swift
/// let encoder = try AudioEncoder(AudioSettings(codec: .opus))
/// for try await buffer in output.buffers {
///     for packet in try await encoder.encode(buffer) { send(packet.data) }
/// }
/// for packet in try await encoder.finish() { send(packet.data) }
/// ```
///
/// Each call returns the packets that are ready, in order. No queue builds up if you wait for each call before the
/// next call. Audio is converted to the sample rate and the channels of the settings, and placed by its presentation
/// times, as in a movie (``AssetWriter``): silence fills gaps, and clock drift is corrected. A new timeline starts,
/// without silence, after a gap of more than 10 s, or if the times go back, as after a change of the source.
///
/// Thread-safe. Encoding runs on the encoder's own thread; concurrent calls wait for each other.
public final class AudioEncoder: Sendable {
    /// The parameters of the audio.
    public let parameters: AudioParameters
    private let thread: EncoderThread<Encoding>

    /// A longer gap, or step back, starts a new timeline.
    private static let longestGap = MediaTime(value: 10, timescale: 1)

    /// Creates an encoder.
    ///
    /// - Throws: ``ObscuraError``: `invalidSettings`, `encoderUnavailable`, `libraryMissing`, `outOfMemory`.
    public init(_ settings: AudioSettings = AudioSettings()) throws(ObscuraError) {
        // A Matroska file takes every codec.
        try settings.check(for: .mkv)
        let encoding = try Encoding(settings)
        parameters = encoding.parameters
        thread = EncoderThread(encoding, subject: Encoding.subject)
    }

    /// Encodes a buffer.
    ///
    /// - Returns: the packets that are ready, in order.
    /// - Throws: ``ObscuraError``: `encoderFailed` or `outOfMemory`, which all later calls throw as well;
    ///   `invalidState` after ``finish()``.
    nonisolated(nonsending) public func encode(_ buffer: AudioBuffer) async throws(ObscuraError) -> [EncodedAudio] {
        try await thread.run { encoding throws(ObscuraError) in try encoding.encode(buffer) }
    }

    /// Ends the encoding.
    ///
    /// - Returns: the remaining packets, in order.
    /// - Throws: as ``encode(_:)``.
    nonisolated(nonsending) public func finish() async throws(ObscuraError) -> [EncodedAudio] {
        try await thread.run(isLast: true) { encoding throws(ObscuraError) in try encoding.finish() }
    }

    /// The work on the thread.
    private final class Encoding {
        static let subject = "audio encoder"

        let parameters: AudioParameters
        private let track: AudioTrack
        /// The time of the source at which the track began to count.
        private var origin = MediaTime.zero
        private var hostTime: HostTime?

        init(_ settings: AudioSettings) throws(ObscuraError) {
            track = try AudioTrack(settings, subject: Self.subject)
            let stream = try track.makeStream().parameters
            parameters = AudioParameters(
                codec: settings.codec, sampleRate: settings.sampleRate, channelCount: settings.channelCount,
                configuration: stream.extraData, priming: Int(stream.padding), encoder: track.name)
        }

        func encode(_ buffer: AudioBuffer) throws(ObscuraError) -> [EncodedAudio] {
            var packets: [EncodedAudio] = []
            let jump = buffer.presentationTime - origin - track.end
            if hostTime == nil || jump > AudioEncoder.longestGap || jump < .zero - AudioEncoder.longestGap {
                // The timeline of the source begins, or begins again.
                packets = try track.endStretch(at: nil).map(encoded)
                origin = buffer.presentationTime - track.end
                track.begin(at: track.end)
            }
            hostTime = buffer.hostTime
            return try packets + track.append(buffer, at: buffer.presentationTime - origin).map(encoded)
        }

        func finish() throws(ObscuraError) -> [EncodedAudio] { try track.finish().map(encoded) }

        private func encoded(_ packet: EncodedPacket) -> EncodedAudio {
            EncodedAudio(
                codec: parameters.codec, data: packet.bytes, presentationTime: origin + packet.time,
                duration: packet.length, hostTime: hostTime ?? packet.hostTime)
        }
    }
}
