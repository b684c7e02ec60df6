// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import Dispatch
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

extension AudioDataOutput {
    /// Has the delegate called for each buffer, on `queue`. Nil takes the delegate away.
    ///
    /// The output does not keep the delegate alive. Called from within a callback, the running one ends
    /// normally; afterwards none begins.
    ///
    /// - Parameter queue: where it is called, one callback at a time whatever kind of queue it is; nil makes one.
    public func setDelegate(_ delegate: (any AudioDataOutputDelegate)?, queue: DispatchQueue? = nil) {
        guard let delegate else { return delegateSlot.set(nil) }
        // Both are weak: the output owns its delegate's reader, and nobody here owns the delegate.
        let call = {
            @Sendable [weak self, weak delegate] (body: (AudioDataOutput, any AudioDataOutputDelegate) -> Void) in
            if let self, let delegate { body(self, delegate) }
        }
        delegateSlot.set(
            DelegateReader(
                connection: connection, queue: DispatchQueue(label: "obscura.\(name)", target: queue),
                calls: DelegateReader.Calls(
                    owners: { [weak self, weak delegate] in
                        guard let self, let delegate else { return nil }
                        return [self, delegate]
                    },
                    onElement: { sound in call { $1.output($0, didOutput: sound, from: $0.connection) } },
                    onDrop: { drop in call { $1.output($0, didDrop: drop, from: $0.connection) } },
                    onEnd: { error in call { $1.output($0, didFinishWith: error) } }),
                makeReader: { [weak self] onDrop in self?.makeReader("delegate", onDrop: onDrop) }))
    }
}
