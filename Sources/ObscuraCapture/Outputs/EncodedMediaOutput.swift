// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

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
    init(
        name: String, policy: LateFramePolicy, isPrompt: Bool,
        onDrop: @escaping @Sendable (DroppedFrame) -> Void)
}

extension EncodedReader: EncodedMediaReader {}
extension EncodedAudioReader: EncodedMediaReader {}

/// An output of compressed frames or packets: a protocol, so that delegates get the output with its own type.
protocol EncodedMediaOutput: DataOutput {}

extension VideoDataOutput: EncodedMediaOutput {}
extension AudioDataOutput: EncodedMediaOutput {}
