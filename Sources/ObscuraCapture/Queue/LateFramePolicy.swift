// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The handling of frames that arrive while their reader is busy.
public enum LateFramePolicy: Sendable, Hashable {
    /// Queues one frame. A newer frame replaces the queued frame, which is dropped as ``DropReason/late``. For live
    /// cameras.
    case latest
    /// Queues up to this number of frames. If another frame arrives, the oldest queued frame is dropped as
    /// ``DropReason/late``.
    case bounded(Int)
    /// Queues up to this number of frames. While the queue is full, the source waits, and no other reader gets frames.
    /// For files.
    case lossless(Int)

    /// Queues up to 4 frames. While the queue is full, the source waits, and no other reader gets frames.
    public static let lossless = LateFramePolicy.lossless(4)

    /// The number of frames that may be queued; at least 1.
    public var capacity: Int {
        switch self {
        case .latest: 1
        case .bounded(let limit), .lossless(let limit): max(1, limit)
        }
    }

    /// Whether the source waits while the queue of the reader is full.
    public var isLossless: Bool {
        if case .lossless = self { true } else { false }
    }
}
