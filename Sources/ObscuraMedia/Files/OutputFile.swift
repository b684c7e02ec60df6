// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

/// An open file or pipe for writing, closed on deallocation.
///
/// Not thread-safe: use one thread at a time. Writing to a pipe whose read end is closed throws only in a process that
/// ignores SIGPIPE.
package final class OutputFile {
    private let path: String
    private let descriptor: Int32
    private let ownsDescriptor: Bool

    private init(path: String, descriptor: Int32, ownsDescriptor: Bool = true) {
        self.path = path
        self.descriptor = descriptor
        self.ownsDescriptor = ownsDescriptor
    }

    deinit {
        if ownsDescriptor { Glibc.close(descriptor) }
    }

    package static func standardOutput() -> OutputFile {
        OutputFile(path: "standard output", descriptor: STDOUT_FILENO, ownsDescriptor: false)
    }

    /// Creates a file, or opens an existing pipe or device. An existing file is truncated if overwriting is allowed.
    package static func create(_ path: String, overwrites: Bool) throws(ObscuraError) -> OutputFile {
        var flags = O_WRONLY | O_CREAT | O_CLOEXEC
        if isSpecialFile(path) {
            flags = O_WRONLY | O_CLOEXEC
        } else {
            flags |= overwrites ? O_TRUNC : O_EXCL
        }
        let descriptor = open(path, flags, 0o666)
        guard descriptor >= 0 else { throw ObscuraError(system: errno, path: path) }
        return OutputFile(path: path, descriptor: descriptor)
    }

    /// Creates a folder, including missing parent folders.
    package static func makeFolder(_ folder: String, permissions: UInt32 = 0o777) throws(ObscuraError) {
        guard access(folder, F_OK) != 0 else { return }
        var made = folder.hasPrefix("/") ? "/" : ""
        for part in folder.split(separator: "/") {
            made += part + "/"
            guard mkdir(made, permissions) != 0, errno != EEXIST else { continue }
            throw ObscuraError(system: errno, path: folder)
        }
    }

    /// Whether a file or a folder exists at the path.
    package static func isFile(_ path: String) -> Bool {
        kind(path).map { $0 == S_IFREG || $0 == S_IFDIR } ?? false
    }

    /// Whether a pipe, a device or another special file exists at the path.
    static func isSpecialFile(_ path: String) -> Bool {
        kind(path).map { $0 != S_IFREG && $0 != S_IFDIR } ?? false
    }

    private static func kind(_ path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    /// Writes all bytes; blocks while a pipe is full.
    package func write(_ bytes: [UInt8]) throws(ObscuraError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, rest, rest.count)
            if count == rest.count { return }
            if count < 0 {
                if errno == EINTR { continue }
                guard errno == EAGAIN else { throw ObscuraError(system: errno, path: path) }
                // The pipe was made non-blocking by another process: wait until it is writable.
                var poller = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&poller, 1, 1000)
                continue
            }
            rest.removeFirst(count)
        }
    }

    /// Truncates a file to this number of bytes, so that it ends with a complete frame. Has no effect on a pipe.
    package func truncate(to byteCount: Int64) {
        ftruncate(descriptor, Int(byteCount))
    }

    /// Blocks until all written data is on the disk. A file that cannot be synced, such as a pipe, is not an error.
    package func synchronize() throws(ObscuraError) {
        while fsync(descriptor) != 0 {
            if errno == EINTR { continue }
            guard errno != EINVAL, errno != ENOTSUP, errno != EROFS else { return }
            throw ObscuraError(system: errno, path: path)
        }
    }

    /// Flushes the folder's entries to disk. Where the file system does not support this, they are safe as soon as the
    /// system writes them.
    static func synchronizeFolder(_ folder: String) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        Glibc.close(descriptor)
    }

    // MARK: Drafts

    /// Creates a file without a name in the folder; returns nil if the file system does not support it.
    static func nameless(in folder: String, for subject: String) -> OutputFile? {
        // Swift does not import O_TMPFILE; these are its bits on all systems that Swift supports.
        let descriptor = open(folder, 0o20_000_000 | O_DIRECTORY | O_WRONLY | O_CLOEXEC, 0o666)
        return descriptor < 0 ? nil : OutputFile(path: subject, descriptor: descriptor)
    }

    /// The path from which a file without a name can be linked; nil if the system does not provide it.
    var linkSource: String? {
        let path = "/proc/self/fd/\(descriptor)"
        return access(path, F_OK) == 0 ? path : nil
    }

    /// Applies the permissions and the owner of the file that is replaced: when root changes a user's file, the user
    /// remains its owner.
    ///
    /// - Parameter permissions: the permissions of a new file.
    func takePermissions(of replaced: String, otherwise permissions: UInt32) throws(ObscuraError) {
        var old = stat()
        let isThere = stat(replaced, &old) == 0
        guard fchmod(descriptor, isThere ? old.st_mode & 0o777 : permissions) == 0,
            !isThere || geteuid() != 0 || fchown(descriptor, old.st_uid, old.st_gid) == 0
        else { throw ObscuraError(system: errno, path: path) }
    }

    /// Locks the file, so that other processes can see that it is in use.
    func lock() {
        _ = flock(descriptor, LOCK_EX | LOCK_NB)
    }
}
