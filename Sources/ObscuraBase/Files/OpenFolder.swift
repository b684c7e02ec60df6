// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

/// An open folder: a descriptor through which files are opened by a single name, without following links.
///
/// Files are checked after they are opened, not by path before. Therefore no link leads out of the folder, even if it
/// replaces a file between two calls. Thread-safe; all calls block on the disk.
package final class OpenFolder: Sendable {
    /// The path of the folder when it was opened, without links.
    package let path: String
    /// The descriptor, open while this object exists.
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

    /// Returns the status of a regular file; nil for other files and for links.
    package func status(of name: String) -> FileStatus? {
        var status = stat()
        return fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? FileStatus(status) : nil
    }

    /// Whether a file of any kind has this name.
    package func isTaken(_ name: String) -> Bool {
        var status = stat()
        return fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0
    }

    /// Whether ``path`` still refers to this folder.
    package var isAtItsPath: Bool {
        var (own, there) = (stat(), stat())
        return fstat(descriptor, &own) == 0 && stat(path, &there) == 0 && own.st_ino == there.st_ino
            && own.st_dev == there.st_dev
    }

    package var isDeleted: Bool {
        var status = stat()
        return fstat(descriptor, &status) != 0 || status.st_nlink == 0
    }

    /// Returns the kernel's path of a descriptor, without links and dots.
    private static func location(of descriptor: Int32) -> String? {
        var bytes = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/fd/\(descriptor)", &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(validating: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
