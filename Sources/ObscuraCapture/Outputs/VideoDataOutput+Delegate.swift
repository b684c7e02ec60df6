// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import Dispatch

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
    public func setDelegate(_ delegate: (any VideoDataOutputDelegate)?, on place: CallbackPlace) {
        delegateSlot.set(delegate.map { VideoDelegateReader(self, $0, on: place) })
    }
}
