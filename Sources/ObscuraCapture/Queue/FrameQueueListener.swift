// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The reader behind a ``FrameQueue``.
package protocol FrameQueueListener: AnyObject, Sendable {
    /// There may be something to take. Called on the thread that caused the change, without a lock held; must not
    /// block.
    func queueChanged()
}
