// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// A dropped frame, or a run of dropped frames with the same reason.
public struct DroppedFrame: Sendable, Hashable {
    /// The sequence number of the dropped frame, or of the last frame of a run.
    public var sequence: UInt64
    /// The presentation time of the dropped frame, or of the last frame of a run.
    public var presentationTime: MediaTime
    /// The reason for the drop.
    public var reason: DropReason
    /// The number of consecutive dropped frames; more than 1 if the drops could not be reported one by one.
    public var count: Int
}

/// Drops that have not been reported to the reader yet. Bounded: consecutive drops with the same reason are one
/// entry, and the oldest entries are discarded.
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
