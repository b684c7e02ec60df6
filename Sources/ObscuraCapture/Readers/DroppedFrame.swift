// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// A frame that a reader did not get, or a run of them with one reason.
public struct DroppedFrame: Sendable, Hashable {
    /// The driver's number of the (last) frame.
    public var sequence: UInt64
    /// When the (last) frame was to be shown.
    public var presentationTime: MediaTime
    /// Why the reader did not get it.
    public var reason: DropReason
    /// How many frames in a row; more than one when the reader could not be told in time.
    public var count: Int
}

/// Drops that the reader has not been told of yet. Bounded: runs with one reason are one entry, and the
/// oldest entries give way.
struct DropReports: Sendable {
    private(set) var pending: [DroppedFrame] = []
    private let limit = 64

    mutating func append(_ drop: DroppedFrame) {
        if var last = pending.last, last.reason == drop.reason {
            last.sequence = drop.sequence
            last.presentationTime = drop.presentationTime
            last.count += drop.count
            pending[pending.count - 1] = last
            return
        }
        if pending.count == limit { pending.removeFirst() }
        pending.append(drop)
    }

    mutating func takeAll() -> [DroppedFrame] {
        defer { pending.removeAll() }
        return pending
    }
}
