// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The reason why a reader did not get a frame.
public enum DropReason: String, Sendable, Hashable, CaseIterable, Codable {
    /// A newer frame replaced the frame, the queue was full, or the decoder of a compressed stream was too slow.
    case late
    /// The reader already held the maximum number of frames.
    case outOfBuffers
    /// The frame was captured before a change of the camera or mode, before a jump of the timestamps, or before the key
    /// frame with which a new reader begins.
    case discontinuity
    /// The device flagged the frame as corrupt, or its data is incomplete.
    case deviceError
    /// The frame could not be converted to the size or pixel format that the reader requests.
    case transformFailed
    /// The session or the reader stopped before the reader took the frame.
    case stopped
}

/// Counts of all frames offered to one reader.
///
/// At every moment `offered == delivered + dropped.total + skipped + waiting + inHand`.
public struct ReaderLedger: Sendable, Hashable {
    /// Frames that arrived while the reader was attached.
    public internal(set) var offered: UInt64 = 0
    /// Frames handled by the reader: its callback has returned, or its loop has requested the next frame.
    public internal(set) var delivered: UInt64 = 0
    /// Dropped frames, by reason.
    public internal(set) var dropped = DropCounts()
    /// Frames skipped on purpose, by a rate limit, a frame stride, a disabled connection or a hidden view.
    public internal(set) var skipped: UInt64 = 0
    /// Frames in the queue of the reader.
    public internal(set) var waiting: UInt64 = 0
    /// Frames that are being converted for the reader or handled by the reader.
    public internal(set) var inHand: UInt64 = 0

    /// Creates empty counts.
    init() {}

    /// Whether ``offered`` is the sum of the other counts.
    public var isBalanced: Bool {
        offered == delivered + dropped.total + skipped + waiting + inHand
    }
}

// The transitions of a frame, called by `FrameQueue`.
extension ReaderLedger {
    /// Counts a frame that was queued.
    mutating func accept() {
        offered += 1
        waiting += 1
    }

    /// Counts a frame that was dropped instead of being queued.
    mutating func refuse(_ reason: DropReason) {
        offered += 1
        dropped[reason] += 1
    }

    /// Counts a frame that is skipped instead of being queued.
    mutating func skip() {
        offered += 1
        skipped += 1
    }

    /// Moves queued frames to dropped.
    mutating func dropWaiting(_ count: Int, _ reason: DropReason) {
        waiting -= UInt64(count)
        dropped[reason] += UInt64(count)
    }

    /// Moves queued frames to skipped.
    mutating func skipWaiting(_ count: Int) {
        waiting -= UInt64(count)
        skipped += UInt64(count)
    }

    /// Moves a queued frame to in hand.
    mutating func take() {
        waiting -= 1
        inHand += 1
    }

    /// Moves a frame in hand to delivered. Returns false if there is none.
    mutating func deliver() -> Bool {
        guard inHand > 0 else { return false }
        inHand -= 1
        delivered += 1
        return true
    }

    /// Moves a frame in hand to dropped. Returns false if there is none.
    mutating func dropInHand(_ reason: DropReason) -> Bool {
        guard inHand > 0 else { return false }
        inHand -= 1
        dropped[reason] += 1
        return true
    }
}

/// Dropped frames, counted by reason.
public struct DropCounts: Sendable, Hashable {
    // Not an array: the counts are copied with each change of a ledger.
    private var counts = SIMD8<UInt64>()

    /// Creates empty counts.
    public init() {}

    /// Number of frames dropped for this reason.
    public internal(set) subscript(reason: DropReason) -> UInt64 {
        get { counts[reason.index] }
        set { counts[reason.index] = newValue }
    }

    /// Number of frames dropped for any reason.
    public var total: UInt64 { counts.wrappedSum() }
}

extension DropReason {
    /// The position in `allCases`.
    var index: Int {
        switch self {
        case .late: 0
        case .outOfBuffers: 1
        case .discontinuity: 2
        case .deviceError: 3
        case .transformFailed: 4
        case .stopped: 5
        }
    }
}
