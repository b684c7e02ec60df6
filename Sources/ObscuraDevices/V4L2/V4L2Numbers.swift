// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The numbers of a source's frames, made of those of its streams: a driver counts 32 bits, and begins again
/// with each stream.
struct V4L2Numbers: Sendable {
    private var next: UInt64 = 0
    /// The driver's last number in this stream.
    private var last: UInt32?

    /// A stream that begins with a larger number than this was counting before; it lost nothing.
    private static let largestFirst: UInt32 = 100
    private var countsFromStart = true

    /// The number of the frame that the driver calls `raw`, and how many frames it has skipped before it.
    mutating func number(of raw: UInt32) -> (number: UInt64, gap: UInt64) {
        let step: UInt32
        if let last {
            step = raw &- last
        } else {
            step = raw > Self.largestFirst || !countsFromStart ? 1 : raw + 1
        }
        last = raw
        // A driver that repeats itself, or goes back, counts badly: the frame is a new one all the same.
        let forward = step == 0 || step > UInt32.max / 2 ? 1 : UInt64(step)
        next += forward
        return (next - 1, forward - 1)
    }

    /// A new stream begins.
    ///
    /// - Parameter countsFromStart: whether the driver counts from 0 in each stream; a loopback counts what its
    ///   writer has written.
    mutating func beginStream(countsFromStart: Bool = true) {
        last = nil
        self.countsFromStart = countsFromStart
    }
}
