// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A reader's hold on one frame. It ends when the last copy of the frame's image is released.
package final class FrameLease: Sendable {
    /// Retained, so that frames that outlive their reader are counted until their release.
    private let owner: any FrameLeaseOwner
    private let number: UInt64

    init(owner: any FrameLeaseOwner, number: UInt64) {
        self.owner = owner
        self.number = number
    }

    deinit {
        owner.endLease(number)
    }
}

/// The queue of a reader, which counts its leases.
protocol FrameLeaseOwner: AnyObject, Sendable {
    /// Ends a lease. Called once for each, on any thread.
    func endLease(_ number: UInt64)
}
