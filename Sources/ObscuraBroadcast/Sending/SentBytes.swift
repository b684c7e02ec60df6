// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The bytes that were passed to a network, and when: a pure value. It tells how long the oldest unsent byte has waited,
/// also after a pause, when there is no rate to calculate it from.
struct SentBytes: Sendable {
    /// The total up to some packet, and the time of the first packet that it includes beyond the sample before.
    private var samples: ArraySlice<(time: HostTime, total: Int)> = []
    private var total = 0
    /// Packets within this time share a sample.
    private static let resolution = Duration.milliseconds(10)

    /// Adds a packet.
    mutating func add(_ count: Int, at time: HostTime) {
        total += count
        if let last = samples.last, time - last.time < Self.resolution {
            samples[samples.endIndex - 1].total = total
        } else {
            samples.append((time, total))
        }
    }

    /// Returns how long the first of the last `unsent` bytes has waited. Those before it are forgotten.
    mutating func wait(ofLast unsent: Int, at time: HostTime) -> Duration {
        while let first = samples.first, first.total <= total - unsent { samples.removeFirst() }
        guard let first = samples.first else { return .zero }
        return max(.zero, time - first.time)
    }
}
