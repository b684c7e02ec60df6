// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Durations of a stage, in microseconds, over all frames that passed it.
public struct StageStatistics: Sendable, Hashable, Codable {
    /// How many frames passed the stage.
    public let count: Int
    /// Half of them took no longer.
    public let p50: UInt64
    /// 95 of 100 took no longer.
    public let p95: UInt64
    /// 99 of 100 took no longer.
    public let p99: UInt64
    /// The longest of all.
    public let maximum: UInt64
}

extension StageStatistics {
    /// No frames yet.
    public init() { self.init(count: 0, p50: 0, p95: 0, p99: 0, maximum: 0) }
}
