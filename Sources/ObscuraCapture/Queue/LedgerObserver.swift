// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Receives the counts of a ``FrameQueue``, while the lock of the queue is held; must not block.
package protocol LedgerObserver: AnyObject, Sendable {
    /// One frame was delivered.
    func delivered()
    func skipped(_ count: Int)
    func dropped(_ count: Int, _ reason: DropReason)
    /// The number of frames that the reader holds has changed.
    func holdingsChanged(by change: Int)
}
