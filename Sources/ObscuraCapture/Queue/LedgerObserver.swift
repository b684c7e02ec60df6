// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Receives the counts of a ``FrameQueue`` whenever frames were delivered, skipped or dropped, while the lock of the queue
/// is held; must not block.
package protocol LedgerObserver: AnyObject, Sendable {
    func ledgerChanged(from old: ReaderLedger, to new: ReaderLedger)
    /// Called when the number of frames that the reader holds changes by `change`.
    func holdingsChanged(by change: Int)
}
