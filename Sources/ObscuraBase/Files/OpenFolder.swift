// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

/// An open folder: a descriptor, below which everything is opened by one name and never through a link.
///
/// There is no check of a path that is opened afterwards: what was opened is checked. So no link leads out of the folder,
/// even if it replaces a file between two calls. Any thread; everything blocks on the disk.
package final class OpenFolder: Sendable {
    /// Where the folder was found, without links.
    package let path: String
    /// Open as long as this object exists.
    package let descriptor: Int32

    package init(path: String) throws(SystemError) {
        descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last }
        self.path = Self.location(of: descriptor) ?? path
    }

    deinit {
        close(descriptor)
    }

    /// Opens a regular file for reading.
    ///
    /// - Throws: `ENOENT` also for a pipe, a socket, a device and a folder; `ELOOP` for a link.
    package func open(_ name: String) throws(SystemError) -> OpenFile {
        // Non-blocking: a pipe without a writer would block forever.
        let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { throw .last }
        return try OpenFile(owning: file, name: name)
    }

    /// Of a regular file; nil for all others, and for links.
    package func status(of name: String) -> FileStatus? {
        var status = stat()
        return fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? FileStatus(status) : nil
    }

    /// Whether anything has this name.
    package func isTaken(_ name: String) -> Bool {
        var status = stat()
        return fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0
    }

    /// Whether ``path`` still leads to this folder.
    package var isAtItsPath: Bool {
        var (own, there) = (stat(), stat())
        return fstat(descriptor, &own) == 0 && stat(path, &there) == 0 && own.st_ino == there.st_ino
            && own.st_dev == there.st_dev
    }

    package var isDeleted: Bool {
        var status = stat()
        return fstat(descriptor, &status) != 0 || status.st_nlink == 0
    }

    /// The kernel's own name of it, without links and dots.
    private static func location(of descriptor: Int32) -> String? {
        var bytes = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/fd/\(descriptor)", &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(validating: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
