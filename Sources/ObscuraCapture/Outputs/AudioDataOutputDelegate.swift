// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import Dispatch
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

extension AudioDataOutput {
    /// Sets the delegate that receives each buffer on `queue`. Nil for `delegate` removes the delegate.
    ///
    /// After the method has returned, no callback of the former delegate begins; a callback that is running completes.
    ///
    /// - Parameters:
    ///   - delegate: The delegate, which is not retained.
    ///   - queue: The queue on which the delegate is called; nil creates a queue. Callbacks never overlap, even on a
    ///     concurrent queue.
    public func setDelegate(_ delegate: (any AudioDataOutputDelegate)?, queue: DispatchQueue? = nil) {
        guard let delegate else { return delegateSlot.set(nil) }
        // Both are weak: the output owns its delegate's reader, and must not own the delegate.
        let owners = {
            @Sendable [weak self, weak delegate] () -> (AudioDataOutput, any AudioDataOutputDelegate)? in
            guard let self, let delegate else { return nil }
            return (self, delegate)
        }
        delegateSlot.set(
            DelegateReader(
                connection, on: .queue(queue), owners: owners,
                onElement: { $1.output($0, didOutput: $2, from: $0.connection) },
                onDrop: { $1.output($0, didDrop: $2, from: $0.connection) },
                onEnd: { $1.output($0, didFinishWith: $2) },
                makeReader: { $0.makeReader("delegate", onDrop: $1) }))
    }
}
