// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraMedia

/// What ends a recording by itself.
struct RecordingLimits: Sendable, Hashable {
    var duration: MediaTime?
    var fileSize: Int64?
    var freeSpace: Int64 = 64 << 20

    /// How many bytes the file system of a path has for this process; nil where it does not tell.
    static func freeSpace(of path: String) -> Int64? {
        var status = statvfs()
        let folder = RecordingPath(path).folder
        guard statvfs(folder.isEmpty ? "." : folder, &status) == 0 else { return nil }
        let (bytes, overflow) = Int64(clamping: status.f_bavail).multipliedReportingOverflow(
            by: Int64(clamping: status.f_frsize))
        return overflow ? .max : bytes
    }
}
