// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Why a reader did not get a frame.
public enum DropReason: String, Sendable, Hashable, CaseIterable, Codable {
    /// A newer frame took its place before the reader asked, the bounded queue was full, or the decoder of a
    /// compressed stream was too far behind.
    case late
    /// The reader held as many frames as it may.
    case outOfBuffers
    /// It belonged to a camera, a mode or a timeline that was left before the reader took it.
    case discontinuity
    /// The device flagged the frame as broken, or gave bytes that are no whole picture.
    case deviceError
    /// The picture could not be made what the reader asked for.
    case transformFailed
    /// The session or the reader stopped before the frame was taken.
    case stopped
}

/// Where every frame went that was ever meant for one reader.
///
/// At every moment `offered == delivered + dropped.total + skipped + waiting + inHand`.
public struct ReaderLedger: Sendable, Hashable {
    /// Frames that came while the reader was attached.
    public internal(set) var offered: UInt64 = 0
    /// Frames with which the reader is done: its callback returned, or it asked for the next one.
    public internal(set) var delivered: UInt64 = 0
    /// Frames it did not get, by reason.
    public internal(set) var dropped = DropCounts()
    /// Frames it asked not to get: rate limit, every n-th, a disabled connection, a hidden view.
    public internal(set) var skipped: UInt64 = 0
    /// Frames that wait to be taken.
    public internal(set) var waiting: UInt64 = 0
    /// Frames that are being converted for it or handled by it.
    public internal(set) var inHand: UInt64 = 0

    /// Nothing has come.
    init() {}

    /// Whether the books are right.
    public var isBalanced: Bool {
        offered == delivered + dropped.total + skipped + waiting + inHand
    }
}

// What can happen to a frame; `FrameQueue` tells it.
extension ReaderLedger {
    /// A frame came, and waits.
    mutating func accept() {
        offered += 1
        waiting += 1
    }

    /// A frame came, and is not taken in.
    mutating func refuse(_ reason: DropReason) {
        offered += 1
        dropped[reason] += 1
    }

    /// A frame came that the reader did not ask for.
    mutating func skip() {
        offered += 1
        skipped += 1
    }

    /// So many that waited are let go of.
    mutating func dropWaiting(_ count: Int, _ reason: DropReason) {
        waiting -= UInt64(count)
        dropped[reason] += UInt64(count)
    }

    /// So many that waited are not asked for any more.
    mutating func skipWaiting(_ count: Int) {
        waiting -= UInt64(count)
        skipped += UInt64(count)
    }

    /// One that waited is taken in hand.
    mutating func take() {
        waiting -= 1
        inHand += 1
    }

    /// The reader is done with one in hand.
    mutating func deliver() {
        guard inHand > 0 else { return }
        inHand -= 1
        delivered += 1
    }

    /// One in hand does not reach the reader.
    mutating func dropInHand(_ reason: DropReason) {
        guard inHand > 0 else { return }
        inHand -= 1
        dropped[reason] += 1
    }
}

/// Dropped frames, counted by reason.
public struct DropCounts: Sendable, Hashable {
    private var counts = [UInt64](repeating: 0, count: DropReason.allCases.count)

    /// No drops.
    public init() {}

    /// How many were dropped for this reason.
    public internal(set) subscript(reason: DropReason) -> UInt64 {
        get { counts[Self.index(of: reason)] }
        set { counts[Self.index(of: reason)] = newValue }
    }

    /// How many were dropped for any reason.
    public var total: UInt64 { counts.reduce(0, +) }

    private static func index(of reason: DropReason) -> Int {
        switch reason {
        case .late: 0
        case .outOfBuffers: 1
        case .discontinuity: 2
        case .deviceError: 3
        case .transformFailed: 4
        case .stopped: 5
        }
    }
}
