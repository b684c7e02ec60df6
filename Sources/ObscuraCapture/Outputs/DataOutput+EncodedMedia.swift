// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
package import ObscuraMedia

/// A receiver of the compressed frames or packets of a source; see ``VideoDataOutput/setEncodedDelegate(_:)``.
package protocol EncodedMediaDelegate: AnyObject, Sendable {
    /// Delivers a frame.
    func output(_ output: VideoDataOutput, didOutput frame: EncodedFrame)
    /// Delivers a packet of audio.
    func output(_ output: AudioDataOutput, didOutput packet: EncodedAudio)
    /// Reports the end of the frames.
    func output(_ output: VideoDataOutput, didFinishWith error: ObscuraError?)
    /// Reports the end of the audio.
    func output(_ output: AudioDataOutput, didFinishWith error: ObscuraError?)
}

/// A reader of the compressed media of a source.
protocol EncodedMediaReader: ConnectionReader {
    init(name: String, policy: LateFramePolicy, onDrop: @escaping @Sendable (DroppedFrame) -> Void)
}

extension EncodedReader: EncodedMediaReader {}
extension EncodedAudioReader: EncodedMediaReader {}

/// An output of compressed frames or packets: a protocol, so that delegates get the output with its own type.
protocol EncodedMediaOutput: DataOutput {}

extension VideoDataOutput: EncodedMediaOutput {}
extension AudioDataOutput: EncodedMediaOutput {}

extension EncodedMediaOutput {
    /// Returns a sequence, each iteration of which is a separate reader.
    func sequence<Reader: EncodedMediaReader>(
        of type: Reader.Type, latePolicy: LateFramePolicy
    ) -> EncodedMediaSequence<Reader.Element> {
        EncodedMediaSequence { [self] in
            let name = nextReader("compressed loop").name
            return ReaderLoop(
                owner: self, connection: connection, reader: Reader(name: name, policy: latePolicy, onDrop: { _ in }))
        }
    }

    /// Sets a delegate, which is not retained.
    ///
    /// - Parameter gathering: the timer at which elements are delivered; nil delivers each immediately.
    func setDelegate<Reader: EncodedMediaReader, Delegate: EncodedMediaDelegate>(
        _ delegate: Delegate, reading type: Reader.Type, gathering: GatheringTimer?,
        onElement: @escaping @Sendable (Self, Delegate, Reader.Element) -> Void,
        onEnd: @escaping @Sendable (Self, Delegate, ObscuraError?) -> Void
    ) {
        let owners = { @Sendable [weak self, weak delegate] () -> (Self, Delegate)? in
            guard let self, let delegate else { return nil }
            return (self, delegate)
        }
        delegateSlot.set(
            DelegateReader(
                connection, on: .queue(nil), gathering: gathering, owners: owners, onElement: onElement,
                onDrop: { _, _, _ in }, onEnd: onEnd,
                makeReader: { output, onDrop in
                    let (name, policy) = output.nextReader("delegate")
                    return Reader(name: name, policy: policy, onDrop: onDrop)
                }))
    }
}
