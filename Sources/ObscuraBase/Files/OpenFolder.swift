// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

/// An open folder: a descriptor through which files are opened, created and renamed by a single name, without following
/// links.
///
/// Files are checked after they are opened, not by path before. Therefore no link leads out of the folder, even if it
/// replaces a file between two calls. Thread-safe; all calls block on the disk.
package final class OpenFolder: Sendable {
    /// The path of the folder when it was opened, without links.
    package let path: String
    package let file: FileDescriptor

    /// Opens a folder, also one that this process may not list.
    package init(path: String) throws(SystemError) {
        do throws(SystemError) {
            file = try FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY)
        } catch {
            guard error.number == EACCES else { throw error }
            // Swift does not import O_PATH; this is its bit on all systems that Swift supports.
            file = try FileDescriptor(opening: path, 0o10_000_000 | O_DIRECTORY)
        }
        self.path = file.location ?? path
    }

    init(_ file: FileDescriptor, path: String) {
        self.file = file
        self.path = path
    }

    /// Creates a folder, including missing parent folders.
    package static func make(_ path: String, permissions: UInt32 = 0o777) throws(SystemError) {
        guard access(path, F_OK) != 0 else { return }
        var made = path.utf8.first == UInt8(ascii: "/") ? "/" : ""
        for part in path.pathNames where !part.isEmpty {
            made += part + "/"
            guard mkdir(made, permissions) == 0 || errno == EEXIST else { throw .last }
        }
    }

    /// Opens a regular file for reading.
    ///
    /// - Throws: `ENOENT` also for a pipe, a socket, a device and a folder; `ELOOP` for a link.
    package func open(_ name: String) throws(SystemError) -> OpenFile {
        try OpenFile(openForReading(name), name: name)
    }

    /// Opens a file of any kind, but no link, without waiting for the writer of a pipe.
    package func openForReading(_ name: String) throws(SystemError) -> FileDescriptor {
        try FileDescriptor(opening: single(name), in: file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
    }

    /// Returns the status of a regular file; nil for other files and for links.
    package func status(of name: String) -> FileStatus? {
        (try? FileStatus(path: single(name), in: file, followsLinks: false)).flatMap { $0.kind == .regular ? $0 : nil }
    }

    /// Whether a file of any kind has this name.
    package func isTaken(_ name: String) -> Bool { FileStatus.exists(name, in: file) }

    /// Removes a name; for a link, removes the link and not its target.
    package func remove(_ name: String) throws(SystemError) {
        guard unlinkat(file.number, try single(name), 0) == 0 else { throw .last }
    }

    /// Returns a name that is not a path.
    ///
    /// - Throws: `ENOENT` for others: a name with a slash could lead through a link.
    func single(_ name: String) throws(SystemError) -> String {
        guard !name.utf8.contains(UInt8(ascii: "/")) else { throw SystemError(ENOENT) }
        return name
    }

    /// Flushes the folder's entries to disk. Where the file system does not support this, they are safe as soon as the
    /// system writes them.
    package func synchronize() {
        try? file.synchronize()
    }

    /// Whether ``path`` still refers to this folder.
    package var isAtItsPath: Bool {
        guard let own = try? FileStatus(of: file), let other = try? FileStatus(path: path) else { return false }
        return own.isOfSameFile(as: other)
    }

    package var isDeleted: Bool {
        var status = stat()
        return fstat(file.number, &status) != 0 || status.st_nlink == 0
    }
}
