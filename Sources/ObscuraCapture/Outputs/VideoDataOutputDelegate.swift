// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// Who gets the frames of a ``VideoDataOutput``, on the queue that was given with it.
///
/// While a callback runs no other begins. A callback that blocks loses frames (by the output's policy)
/// for this delegate alone.
public protocol VideoDataOutputDelegate: AnyObject, Sendable {
    /// A frame for the delegate. It may be kept; it counts against the reader's limit until it is let go.
    func output(_ output: VideoDataOutput, didOutput frame: VideoFrame, from connection: CaptureConnection)
    /// Frames that the delegate did not get.
    func output(_ output: VideoDataOutput, didDrop drop: DroppedFrame, from connection: CaptureConnection)
    /// No more frames will come: the source is at its end (nil) or has failed.
    func output(_ output: VideoDataOutput, didFinishWith error: ObscuraError?)
}

extension VideoDataOutputDelegate {
    /// Does nothing.
    public func output(
        _ output: VideoDataOutput, didDrop drop: DroppedFrame, from connection: CaptureConnection
    ) {}
    /// Does nothing.
    public func output(_ output: VideoDataOutput, didFinishWith error: ObscuraError?) {}
}
