// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension AudioDataOutput {
    /// The compressed audio of the source, unchanged, for a `for try await` loop: of a file or a network address with AAC,
    /// Opus, FLAC or 16-bit PCM. Each loop is a separate reader.
    ///
    /// Nothing is decoded for it. The format of the output and the volume of the connection do not apply.
    ///
    /// The loop waits for the session to start, ends when the session stops or the source ends, and throws
    /// ``ObscuraError``: `unsupportedFormat` for a microphone and for other codecs, otherwise the error with which the
    /// source failed.
    ///
    /// - Parameter latePolicy: The handling of packets that arrive while the loop is busy.
    public func encodedPackets(latePolicy: LateFramePolicy = .bounded(512)) -> EncodedPackets {
        EncodedPackets { [self] in
            ReaderLoop(
                owner: self, connection: connection,
                reader: EncodedAudioReader(name: nextReader("compressed loop").name, policy: latePolicy))
        }
    }

    /// The compressed audio of an output as an asynchronous sequence. Each iteration is a separate reader.
    public typealias EncodedPackets = EncodedMediaSequence<EncodedAudio>

    /// Sets a delegate that receives the compressed packets instead of buffers; see ``setDelegate(_:queue:)``.
    package func setEncodedDelegate(_ delegate: any EncodedAudioDelegate) {
        let owners = {
            @Sendable [weak self, weak delegate] () -> (AudioDataOutput, any EncodedAudioDelegate)? in
            guard let self, let delegate else { return nil }
            return (self, delegate)
        }
        delegateSlot.set(
            DelegateReader(
                connection, on: .queue(nil), owners: owners,
                onElement: { $1.output($0, didOutput: $2) },
                onDrop: { _, _, _ in },
                onEnd: { $1.output($0, didFinishWith: $2) },
                makeReader: {
                    let (name, policy) = $0.nextReader("delegate")
                    return EncodedAudioReader(name: name, policy: policy, onDrop: $1)
                }))
    }
}

/// A delegate that receives compressed packets of audio; see ``AudioDataOutputDelegate``.
package protocol EncodedAudioDelegate: AnyObject, Sendable {
    /// Delivers a packet.
    func output(_ output: AudioDataOutput, didOutput packet: EncodedAudio)
    /// Reports the end of the packets.
    func output(_ output: AudioDataOutput, didFinishWith error: ObscuraError?)
}
