// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// A delegate that receives the audio of an ``AudioDataOutput`` on a dispatch queue.
///
/// Callbacks never overlap. While a callback blocks for long, audio is dropped for this delegate only, as
/// ``DataOutput/latePolicy`` specifies.
public protocol AudioDataOutputDelegate: AnyObject, Sendable {
    /// Delivers a buffer of audio.
    func output(_ output: AudioDataOutput, didOutput sound: AudioBuffer, from connection: CaptureConnection)
    /// Reports a dropped buffer. ``DroppedFrame/sequence`` is the ``AudioBuffer/position`` of the buffer.
    func output(_ output: AudioDataOutput, didDrop drop: DroppedFrame, from connection: CaptureConnection)
    /// Reports the end of the audio. `error` is nil if the source has ended, otherwise the error with which the source
    /// failed.
    func output(_ output: AudioDataOutput, didFinishWith error: ObscuraError?)
}

extension AudioDataOutputDelegate {
    /// The default implementation, which does nothing.
    public func output(
        _ output: AudioDataOutput, didDrop drop: DroppedFrame, from connection: CaptureConnection
    ) {}
    /// The default implementation, which does nothing.
    public func output(_ output: AudioDataOutput, didFinishWith error: ObscuraError?) {}
}
