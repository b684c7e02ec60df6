// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

/// An open regular file: reads use the file that was checked, even if its name changes.
///
/// Thread-safe. Reading blocks on the disk.
package final class OpenFile: Sendable {
    package let name: String
    /// The status at the time of opening.
    package let status: FileStatus
    private let file: FileDescriptor

    /// - Throws: `ENOENT` for a file that is not regular.
    package init(_ file: FileDescriptor, name: String) throws(SystemError) {
        self.file = file
        self.name = name
        status = try FileStatus(of: file)
        guard status.kind == .regular else { throw SystemError(ENOENT) }
    }

    /// A tag that changes with the content.
    package var tag: String {
        [status.inode, UInt64(bitPattern: status.size), UInt64(bitPattern: status.modified)]
            .map { String($0, radix: 16) }.joined(separator: "-")
    }

    /// See ``FileDescriptor/path``.
    package var path: String { file.path }

    /// Blocks until the contents are on the disk.
    package func synchronize() throws(SystemError) {
        try file.synchronize()
    }

    /// Returns up to `count` bytes from `offset` on; fewer only at the end of the file.
    package func read(at offset: Int64, count: Int) throws(SystemError) -> [UInt8] {
        let available = max(0, status.size - max(0, offset))
        guard offset >= 0, count > 0, available > 0 else { return [] }
        return try file.read(at: offset, count: Int(min(Int64(count), available)))
    }
}
