// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The frame numbers of a source across its streams: drivers count with 32 bits, and restart with each stream.
struct FrameNumbers: Sendable {
    private var next: UInt64 = 0
    /// The driver's last number in this stream.
    private var last: UInt32?

    /// The limit of a first number that counts as a loss: above it, the driver was counting before the stream.
    private static let firstLimit: UInt32 = 100
    private var countsFromStart = true

    /// Returns the number of the frame with the driver's number `raw`, and the number of frames lost before it. A frame
    /// without a number is the next one.
    mutating func number(of raw: UInt32?) -> (number: UInt64, gap: UInt64) {
        guard let raw else {
            next += 1
            return (next - 1, 0)
        }
        let step: UInt32
        if let last {
            step = raw &- last
        } else {
            step = raw > Self.firstLimit || !countsFromStart ? 1 : raw + 1
        }
        last = raw
        // A number that repeats or decreases is a driver's mistake; the frame still counts as a new one.
        let forward = step == 0 || step > UInt32.max / 2 ? 1 : UInt64(step)
        next += forward
        return (next - 1, forward - 1)
    }

    /// Begins a new stream.
    ///
    /// - Parameter countsFromStart: whether the driver counts from 0 in each stream; a loopback counts the frames of
    ///   its writer.
    mutating func beginStream(countsFromStart: Bool = true) {
        last = nil
        self.countsFromStart = countsFromStart
    }
}
