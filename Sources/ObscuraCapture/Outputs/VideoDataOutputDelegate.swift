// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// A delegate that receives the frames of a ``VideoDataOutput`` on a dispatch queue.
///
/// Callbacks never overlap. While a callback blocks, frames are dropped for this delegate only, as
/// ``DataOutput/latePolicy`` specifies.
public protocol VideoDataOutputDelegate: AnyObject, Sendable {
    /// Delivers a frame. The delegate may keep the frame. Until the frame is released, it counts toward
    /// ``VideoDataOutput/leaseLimit``.
    func output(_ output: VideoDataOutput, didOutput frame: VideoFrame, from connection: CaptureConnection)
    /// Reports dropped frames.
    func output(_ output: VideoDataOutput, didDrop drop: DroppedFrame, from connection: CaptureConnection)
    /// Reports the end of the frames. `error` is nil if the source has ended, otherwise the error with which the source
    /// failed.
    func output(_ output: VideoDataOutput, didFinishWith error: ObscuraError?)
}

extension VideoDataOutputDelegate {
    /// The default implementation, which does nothing.
    public func output(
        _ output: VideoDataOutput, didDrop drop: DroppedFrame, from connection: CaptureConnection
    ) {}
    /// The default implementation, which does nothing.
    public func output(_ output: VideoDataOutput, didFinishWith error: ObscuraError?) {}
}
