// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

/// The size and modification time of a regular file, to detect changes.
package struct FileStatus: Sendable, Hashable {
    package let inode: UInt64
    /// The size, in bytes.
    package let size: Int64
    /// The time of the last modification, in nanoseconds since 1970.
    package let modified: Int64

    /// Returns nil for anything but a regular file.
    init?(_ status: stat) {
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        let (nanoseconds, overflows) = Int64(status.st_mtim.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        modified = overflows ? 0 : nanoseconds &+ Int64(status.st_mtim.tv_nsec)
    }
}
