// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

extension Dictionary where Key: RawRepresentable<String>, Value == StageStatistics {
    /// The statistics by the names of the stages, as JSON has them.
    var named: [String: StageStatistics] {
        Dictionary<String, StageStatistics>(uniqueKeysWithValues: map { ($0.key.rawValue, $0.value) })
    }
}
