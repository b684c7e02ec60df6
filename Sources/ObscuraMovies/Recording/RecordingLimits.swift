// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraMedia

/// The limits at which a recording ends automatically.
struct RecordingLimits: Sendable, Hashable {
    var duration: MediaTime?
    var fileSize: Int64?
    var freeSpace: Int64 = 64_000_000

    /// Formats a byte count, such as `64.0 MB`.
    static func text(_ count: Int64) -> String {
        let units = ["kB", "MB", "GB", "TB"]
        guard count >= 1000 else { return "\(count) bytes" }
        var (value, unit) = (Double(count) / 1000, 0)
        while value >= 1000, unit + 1 < units.count { (value, unit) = (value / 1000, unit + 1) }
        return "\((value * 10).rounded() / 10) \(units[unit])"
    }
}
