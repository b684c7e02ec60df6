// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The sample frames that a graph lost before they reached this process, by the position of its clock. A pure value.
///
/// The clock counts while the graph runs, so what it counted beyond the frames that arrived was lost. The conversion to
/// another sample rate makes single buffers longer and shorter; a difference of less than half a buffer is no loss.
struct GraphLosses: Sendable {
    private let sampleRate: Int
    /// The clock's position at the first buffer.
    private var firstTicks: UInt64?
    /// The frames that arrived, or are known to be lost, since the first buffer.
    private var accounted: UInt64 = 0
    /// The largest plausible loss, in seconds. Another process sets the clock; beyond this it began anew.
    private static let limit = 3600.0

    /// Creates the account of a new stream.
    ///
    /// - Parameter sampleRate: the rate of the frames that arrive, in hertz.
    init(sampleRate: Int) {
        self.sampleRate = sampleRate
    }

    /// Returns the number of frames lost directly before a buffer.
    ///
    /// - Parameters:
    ///   - count: the number of frames of the buffer.
    ///   - ticks: the position of the clock, in frames of the graph.
    ///   - rate: the frames of the graph per second.
    mutating func losses(before count: Int, ticks: UInt64, rate: Int) -> UInt64 {
        defer { accounted += UInt64(max(0, count)) }
        guard let firstTicks, ticks >= firstTicks, rate > 0 else { return begin(at: ticks) }
        let elapsed = Double(ticks - firstTicks) * Double(sampleRate) / Double(rate)
        let lost = elapsed - Double(accounted)
        guard lost <= Self.limit * Double(sampleRate) else { return begin(at: ticks) }
        guard lost >= Double(max(2, count)) / 2 else { return 0 }
        let whole = UInt64(lost.rounded())
        accounted += whole
        return whole
    }

    private mutating func begin(at ticks: UInt64) -> UInt64 {
        firstTicks = ticks
        accounted = 0
        return 0
    }
}
