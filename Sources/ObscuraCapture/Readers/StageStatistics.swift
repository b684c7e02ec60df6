// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Durations of a stage in microseconds, over all frames that passed the stage.
public struct StageStatistics: Sendable, Hashable, Codable {
    /// Number of frames that passed the stage.
    public let count: Int
    /// The median duration, in microseconds.
    public let p50: UInt64
    /// The 95th percentile of the duration, in microseconds.
    public let p95: UInt64
    /// The 99th percentile of the duration, in microseconds.
    public let p99: UInt64
    /// The longest duration, in microseconds.
    public let maximum: UInt64
}

extension StageStatistics {
    /// Creates empty statistics.
    public init() { self.init(count: 0, p50: 0, p95: 0, p99: 0, maximum: 0) }
}
