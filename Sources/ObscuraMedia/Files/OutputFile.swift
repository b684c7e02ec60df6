// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

/// An open file or pipe that bytes are written to; closed when it goes.
///
/// One thread at a time. A pipe whose reader has gone is an error only in a process that ignores SIGPIPE.
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

    /// Makes a file, or opens a pipe or a device that is there. A file that is there is emptied if it may be
    /// overwritten.
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

    /// Makes the folder of a file, and those above it, where they are missing.
    package static func makeFolder(_ folder: String, permissions: UInt32 = 0o777) throws(ObscuraError) {
        guard access(folder, F_OK) != 0 else { return }
        var made = folder.hasPrefix("/") ? "/" : ""
        for part in folder.split(separator: "/") {
            made += part + "/"
            guard mkdir(made, permissions) != 0, errno != EEXIST else { continue }
            throw ObscuraError(system: errno, path: folder)
        }
    }

    /// Whether a file or a folder has this name.
    package static func isFile(_ path: String) -> Bool {
        kind(path).map { $0 == S_IFREG || $0 == S_IFDIR } ?? false
    }

    /// Whether something else has this name: a pipe, a device.
    static func isSpecialFile(_ path: String) -> Bool {
        kind(path).map { $0 != S_IFREG && $0 != S_IFDIR } ?? false
    }

    private static func kind(_ path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    /// Writes all of the bytes; blocks while a pipe is full.
    package func write(_ bytes: [UInt8]) throws(ObscuraError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, rest, rest.count)
            if count == rest.count { return }
            if count < 0 {
                if errno == EINTR { continue }
                guard errno == EAGAIN else { throw ObscuraError(system: errno, path: path) }
                // Somebody made the pipe non-blocking: wait until it takes more.
                var poller = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&poller, 1, 1000)
                continue
            }
            rest.removeFirst(count)
        }
    }

    /// Cuts a file off after so many bytes, so that it ends with a whole frame. A pipe stays as it is.
    package func truncate(to byteCount: Int64) {
        ftruncate(descriptor, Int(byteCount))
    }

    /// Blocks until what was written is on the disk. What cannot be synced, such as a pipe, is no failure.
    package func synchronize() throws(ObscuraError) {
        while fsync(descriptor) != 0 {
            if errno == EINTR { continue }
            guard errno != EINVAL, errno != ENOTSUP, errno != EROFS else { return }
            throw ObscuraError(system: errno, path: path)
        }
    }

    /// The names in a folder are on the disk. Some file systems cannot; then the names are safe as soon as the system
    /// writes them.
    static func synchronizeFolder(_ folder: String) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        Glibc.close(descriptor)
    }

    // MARK: Drafts

    /// A file without a name in the folder; nil where the file system has none.
    static func nameless(in folder: String, for subject: String) -> OutputFile? {
        // Swift does not see O_TMPFILE; these are its bits on all systems that Swift runs on.
        let descriptor = open(folder, 0o20_000_000 | O_DIRECTORY | O_WRONLY | O_CLOEXEC, 0o666)
        return descriptor < 0 ? nil : OutputFile(path: subject, descriptor: descriptor)
    }

    /// What a file without a name is linked from; nil where the system does not show it.
    var linkSource: String? {
        let path = "/proc/self/fd/\(descriptor)"
        return access(path, F_OK) == 0 ? path : nil
    }

    /// Gives it the permissions of the file that it replaces, and its owner: root that changes a user's file leaves it to
    /// the user.
    ///
    /// - Parameter permissions: those of a new file.
    func takePermissions(of replaced: String, otherwise permissions: UInt32) throws(ObscuraError) {
        var old = stat()
        let isThere = stat(replaced, &old) == 0
        guard fchmod(descriptor, isThere ? old.st_mode & 0o777 : permissions) == 0,
            !isThere || geteuid() != 0 || fchown(descriptor, old.st_uid, old.st_gid) == 0
        else { throw ObscuraError(system: errno, path: path) }
    }

    /// Other processes see that somebody has the file open.
    func lock() {
        _ = flock(descriptor, LOCK_EX | LOCK_NB)
    }
}
