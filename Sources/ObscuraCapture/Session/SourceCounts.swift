// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// What a source has seen of its device, and which frames are missing, by their numbers.
struct SourceCounts: Sendable {
    private(set) var received: UInt64 = 0
    private(set) var gaps: UInt64 = 0
    var lost: UInt64 = 0
    var copied: UInt64 = 0
    private var lastSequence: UInt64?
    /// How many are missing before frames that were lost themselves: shown with the next one that comes.
    private var unshown: UInt64 = 0

    /// Books a frame that has come. Returns how many are missing before it.
    ///
    /// - Parameter gap: what the driver says of that; counts for the first frame alone.
    mutating func receive(_ sequence: UInt64, gap: UInt64) -> UInt64 {
        received += 1
        defer { unshown = 0 }
        return advance(to: sequence, gap) &+ unshown
    }

    /// Books a frame that was lost: it had a number, and is no gap. Returns the number, as far as it is known.
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
        // What is missing before the first frame only the driver knows.
        let gap = lastSequence.map { sequence > $0 ? sequence - $0 - 1 : 0 } ?? told
        lastSequence = sequence
        gaps &+= gap
        return gap
    }
}
