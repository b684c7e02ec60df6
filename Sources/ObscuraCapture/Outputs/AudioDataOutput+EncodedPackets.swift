// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension AudioDataOutput {
    /// Returns the compressed audio of the source, unchanged, for a `for try await` loop. Each loop is a separate
    /// reader.
    ///
    /// Supported sources are files and network addresses with AAC, Opus, FLAC or 16-bit PCM. The loop does not decode
    /// the audio, so the format of the output and the volume of the connection do not apply.
    ///
    /// The loop waits for the session to start, ends when the session stops or the source ends, and throws
    /// ``ObscuraError``: `unsupportedFormat` for a microphone and for other codecs, otherwise the error with which the
    /// source failed.
    ///
    /// - Parameter latePolicy: The handling of packets that arrive while the loop is busy.
    public func encodedPackets(latePolicy: LateFramePolicy = .bounded(512)) -> EncodedPackets {
        sequence(of: EncodedAudioReader.self, latePolicy: latePolicy)
    }

    /// The compressed audio of an output as an asynchronous sequence. Each iteration is a separate reader.
    public typealias EncodedPackets = EncodedMediaSequence<EncodedAudio>

    /// Sets a delegate that receives the compressed packets instead of buffers; see ``setDelegate(_:queue:)``.
    ///
    /// - Parameter gathering: the timer at which they are delivered; nil delivers each immediately.
    package func setEncodedDelegate(_ delegate: some EncodedMediaDelegate, gathering: GatheringTimer? = nil) {
        setDelegate(
            delegate, reading: EncodedAudioReader.self, gathering: gathering,
            onElement: { $1.output($0, didOutput: $2) },
            onEnd: { $1.output($0, didFinishWith: $2) })
    }
}
