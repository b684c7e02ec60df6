// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Counts of the frames received from a device, with the gaps in their sequence numbers.
struct SourceCounts: Sendable {
    private(set) var received: UInt64 = 0
    private(set) var gaps: UInt64 = 0
    var lost: UInt64 = 0
    var copied: UInt64 = 0
    private var lastSequence: UInt64?
    /// Frames missing before lost frames: reported with the next received frame.
    private var unshown: UInt64 = 0

    /// Counts a received frame. Returns the number of frames missing before it.
    ///
    /// - Parameter gap: The number reported by the driver; used for the first frame only.
    mutating func receive(_ sequence: UInt64, gap: UInt64) -> UInt64 {
        received += 1
        defer { unshown = 0 }
        return advance(to: sequence, gap) &+ unshown
    }

    /// Counts a lost frame, which has a sequence number and is no gap. Returns its number, estimated if unknown.
    mutating func lose(_ sequence: UInt64?, gap: UInt64) -> UInt64 {
        lost += 1
        guard let sequence else {
            lastSequence = lastSequence.map { $0 &+ 1 }
            return lastSequence ?? 0
        }
        unshown &+= advance(to: sequence, gap)
        return sequence
    }

    private mutating func advance(to sequence: UInt64, _ told: UInt64) -> UInt64 {
        // Only the driver can report frames missing before the first one.
        let gap = lastSequence.map { sequence > $0 ? sequence - $0 - 1 : 0 } ?? told
        lastSequence = sequence
        gaps &+= gap
        return gap
    }
}
