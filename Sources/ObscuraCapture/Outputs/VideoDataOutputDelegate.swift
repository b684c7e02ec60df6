// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import Dispatch
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

extension VideoDataOutput {
    /// Sets the delegate that receives each frame on `queue`. Nil for `delegate` removes the delegate.
    ///
    /// After the method has returned, no callback of the former delegate begins; a callback that is running completes.
    ///
    /// - Parameters:
    ///   - delegate: The delegate, which is not retained.
    ///   - queue: The queue on which the delegate is called; nil creates a queue. Callbacks never overlap, even on a
    ///     concurrent queue.
    public func setDelegate(_ delegate: (any VideoDataOutputDelegate)?, queue: DispatchQueue? = nil) {
        setDelegate(delegate, on: .queue(queue))
    }

    /// Sets the delegate that receives each frame at a place; see ``setDelegate(_:queue:)``.
    package func setDelegate(_ delegate: (any VideoDataOutputDelegate)?, on place: CallbackPlace) {
        guard let delegate else { return delegateSlot.set(nil) }
        // Both are weak: the output owns its delegate's reader, and must not own the delegate.
        let owners = {
            @Sendable [weak self, weak delegate] () -> (VideoDataOutput, any VideoDataOutputDelegate)? in
            guard let self, let delegate else { return nil }
            return (self, delegate)
        }
        delegateSlot.set(
            DelegateReader(
                connection, on: place, owners: owners,
                onElement: { $1.output($0, didOutput: $2, from: $0.connection) },
                onDrop: { $1.output($0, didDrop: $2, from: $0.connection) },
                onEnd: { $1.output($0, didFinishWith: $2) },
                makeReader: { $0.makeReader("delegate", onDrop: $1) }))
    }
}
