// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The sample frames that a graph lost before they reached this process, by the position of its clock. A pure value.
///
/// The clock counts while the graph runs, so what it counted beyond the frames that arrived was lost. The conversion to
/// another sample rate makes single buffers longer and shorter; a difference of less than half a buffer is no loss.
struct GraphLosses: Sendable {
    private let sampleRate: Int
    /// The clock's position at the last buffer that was compared with it; nil before the first.
    private var lastTicks: UInt64?
    /// The frames that the clock counted since the first buffer, less those that arrived, or are known to be lost.
    private var missing = 0.0
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
    ///   - pending: the number of buffers that have arrived after it. The clock shows the position of the last one, so
    ///     only that one is compared with it.
    ///   - ticks: the position of the clock, in frames of the graph.
    ///   - rate: the frames of the graph per second, which can change.
    mutating func losses(before count: Int, pending: Int = 0, ticks: UInt64, rate: Int) -> UInt64 {
        defer { missing -= Double(max(0, count)) }
        guard pending == 0 else { return 0 }
        defer { lastTicks = ticks }
        guard let lastTicks, ticks >= lastTicks, rate > 0 else {
            missing = 0
            return 0
        }
        missing += Double(ticks - lastTicks) * Double(sampleRate) / Double(rate)
        guard missing <= Self.limit * Double(sampleRate) else {
            missing = 0
            return 0
        }
        guard missing >= Double(max(2, count)) / 2 else { return 0 }
        let whole = missing.rounded()
        missing -= whole
        return UInt64(whole)
    }
}
