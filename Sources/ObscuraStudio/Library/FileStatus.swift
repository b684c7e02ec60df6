// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import Obscura

/// What tells one state of a regular file from another.
struct FileStatus: Sendable, Hashable {
    let inode: UInt64
    /// In bytes.
    let size: Int64
    /// When its bytes were last changed, in nanoseconds since 1970.
    let modified: Int64

    /// Nil for what is no regular file.
    init?(_ status: stat) {
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        let (nanoseconds, overflows) = Int64(status.st_mtim.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        modified = overflows ? 0 : nanoseconds &+ Int64(status.st_mtim.tv_nsec)
    }

    /// The moment of the last change, on the clock of this machine.
    var wallTime: WallTime {
        WallTime(nanosecondsSince1970: modified, secondsFromUTC: WallTime.now.secondsFromUTC)
    }
}
