// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// Who gets the sound of an ``AudioDataOutput``, on the queue that was given with it.
///
/// While a callback runs no other begins. A callback that blocks for long loses sound (by the output's policy) for
/// this delegate alone.
public protocol AudioDataOutputDelegate: AnyObject, Sendable {
    /// A stretch of sound for the delegate.
    func output(_ output: AudioDataOutput, didOutput sound: AudioBuffer, from connection: CaptureConnection)
    /// Sound that the delegate did not get; ``DroppedFrame/sequence`` is the ``AudioBuffer/position`` of the buffer.
    func output(_ output: AudioDataOutput, didDrop drop: DroppedFrame, from connection: CaptureConnection)
    /// No more will come: the source is at its end (nil) or has failed.
    func output(_ output: AudioDataOutput, didFinishWith error: ObscuraError?)
}

extension AudioDataOutputDelegate {
    /// Does nothing.
    public func output(
        _ output: AudioDataOutput, didDrop drop: DroppedFrame, from connection: CaptureConnection
    ) {}
    /// Does nothing.
    public func output(_ output: AudioDataOutput, didFinishWith error: ObscuraError?) {}
}
