// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

/// The attributes of a file, as in stat(2).
package struct FileStatus: Sendable, Hashable {
    /// The type of a file.
    package enum Kind: Sendable, Hashable {
        case regular, folder, link, pipe
        /// A device or a socket.
        case special
    }

    package let kind: Kind
    /// The file system's device number.
    package let device: UInt64
    package let inode: UInt64
    /// The size, in bytes.
    package let size: Int64
    /// The time of the last modification, in nanoseconds since 1970.
    package let modified: Int64
    /// The nine permission bits.
    package let permissions: UInt32
    package let owner: UInt32
    package let group: UInt32

    /// Reads the status of an open file.
    package init(of file: FileDescriptor) throws(SystemError) {
        var status = stat()
        guard fstat(file.number, &status) == 0 else { throw .last }
        self.init(status)
    }

    /// Reads the status of a path; a relative path is looked up below `folder`.
    ///
    /// - Parameter followsLinks: false for the status of a link itself.
    package init(path: String, in folder: FileDescriptor? = nil, followsLinks: Bool = true) throws(SystemError) {
        var status = stat()
        let flags = followsLinks ? 0 : AT_SYMLINK_NOFOLLOW
        guard fstatat(folder?.number ?? AT_FDCWD, path, &status, flags) == 0 else { throw .last }
        self.init(status)
    }

    private init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .folder
            case S_IFLNK: .link
            case S_IFIFO: .pipe
            default: .special
            }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        let (nanoseconds, overflows) = Int64(status.st_mtim.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        modified = overflows ? 0 : nanoseconds &+ Int64(status.st_mtim.tv_nsec)
        permissions = UInt32(status.st_mode) & 0o777
        owner = UInt32(status.st_uid)
        group = UInt32(status.st_gid)
    }

    /// Whether a file of any kind exists at a path, or a link without a target.
    package static func exists(_ path: String, in folder: FileDescriptor? = nil) -> Bool {
        (try? FileStatus(path: path, in: folder, followsLinks: false)) != nil
    }

    /// Whether both statuses belong to the same file, even under different names.
    package func isOfSameFile(as other: FileStatus) -> Bool {
        inode == other.inode && device == other.device
    }
}

extension FileDescriptor {
    /// Whether a path still refers to this file, and not through a link.
    package func isFile(at path: String, in folder: FileDescriptor? = nil) -> Bool {
        guard let own = try? FileStatus(of: self),
            let other = try? FileStatus(path: path, in: folder, followsLinks: false)
        else { return false }
        return own.isOfSameFile(as: other)
    }
}
