// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

/// The free space of file systems, as far as this process may use it.
package enum DiskSpace {
    /// Returns the free bytes at a path, or at the closest existing folder above it; nil if the system does not report
    /// them.
    package static func available(at path: String) -> Int64? {
        var status = statvfs()
        var path = path
        while statvfs(path, &status) != 0 {
            let parent = PathParts(path).folder
            guard errno == ENOENT, parent != path else { return nil }
            path = parent
        }
        return bytes(status)
    }

    /// Returns the free bytes on the disk of an open file or folder; nil if the system does not report them.
    package static func available(on file: FileDescriptor) -> Int64? {
        var status = statvfs()
        return fstatvfs(file.number, &status) == 0 ? bytes(status) : nil
    }

    private static func bytes(_ status: statvfs) -> Int64 {
        let (bytes, overflows) = Int64(clamping: status.f_bavail).multipliedReportingOverflow(
            by: Int64(clamping: status.f_frsize))
        return overflows ? .max : bytes
    }
}
