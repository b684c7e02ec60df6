// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

/// An open file of any kind, closed on deallocation.
///
/// Thread-safe. All calls block on the disk.
package final class FileDescriptor: Sendable {
    /// Valid during the lifetime of this object.
    package let number: Int32
    private let isOwned: Bool

    /// Opens a path; a relative path is looked up below `folder`.
    ///
    /// - Parameters:
    ///   - flags: as in open(2); O_CLOEXEC is added.
    ///   - permissions: of a new file, less the process's umask.
    package init(
        opening path: String, in folder: FileDescriptor? = nil, _ flags: Int32, permissions: UInt32 = 0o666
    ) throws(SystemError) {
        number = openat(folder?.number ?? AT_FDCWD, path, flags | O_CLOEXEC, permissions)
        guard number >= 0 else { throw .last }
        isOwned = true
    }

    /// Takes ownership of an open descriptor.
    package init(owning number: Int32) {
        self.number = number
        isOwned = true
    }

    private init(borrowing number: Int32) {
        self.number = number
        isOwned = false
    }

    deinit {
        if isOwned { close(number) }
    }

    package static let standardOutput = FileDescriptor(borrowing: STDOUT_FILENO)

    /// A path to this exact file, valid while this object exists, for libraries that require paths. The path has no
    /// extension.
    package var path: String { "/proc/self/fd/\(number)" }

    /// The kernel's path of the file, without links and dots; nil if it has none in UTF-8.
    package var location: String? {
        var bytes = [CChar](repeating: 0, count: 4096)
        let count = readlink(path, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(validating: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Writes all of the bytes at the current position; blocks while a pipe is full.
    package func write(_ bytes: [UInt8]) throws(SystemError) {
        try write(bytes.span.bytes)
    }

    /// Writes all of the bytes at the current position; blocks while a pipe is full.
    package func write(_ bytes: RawSpan) throws(SystemError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.extracting(droppingFirst: count)
            } else if count == 0 {
                throw SystemError(EIO)
            } else if errno == EAGAIN {
                // Another process made the pipe non-blocking: wait until it is writable.
                var poller = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
                poll(&poller, 1, 1000)
            } else if errno != EINTR {
                throw .last
            }
        }
    }

    /// Reads from the current position to the end, but at most `limit` bytes.
    package func read(upTo limit: Int) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: max(0, min(limit, 64 << 10)))
        while bytes.count < limit {
            let count = Glibc.read(number, &part, min(part.count, limit - bytes.count))
            if count == 0 { break }
            if count > 0 {
                bytes += part.prefix(count)
            } else if errno != EINTR {
                throw .last
            }
        }
        return bytes
    }

    /// Reads `count` bytes at `offset`, or fewer at the end of the file. Does not change the current position.
    package func read(at offset: Int64, count: Int) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        // A read may be short in the middle of a file.
        while bytes.count < count {
            var part = [UInt8](repeating: 0, count: count - bytes.count)
            let got = pread(number, &part, part.count, off_t(offset + Int64(bytes.count)))
            if got == count { return part }
            if got == 0 { break }
            if got > 0 {
                bytes += part.prefix(got)
            } else if errno != EINTR {
                throw .last
            }
        }
        return bytes
    }

    /// Blocks until all written data is on the disk. A file that cannot be synced, such as a pipe, is not an error.
    ///
    /// - Parameter isDataOnly: whether attributes that no reader needs may be left out (fdatasync(2)).
    package func synchronize(isDataOnly: Bool = false) throws(SystemError) {
        while (isDataOnly ? fdatasync(number) : fsync(number)) != 0 {
            if errno == EINTR { continue }
            guard errno != EINVAL, errno != ENOTSUP, errno != EROFS else { return }
            throw .last
        }
    }

    /// Locks the file against other processes and other openings (flock(2)), until it is closed or ``unlock()`` is
    /// called.
    ///
    /// - Throws: `EWOULDBLOCK` if the file is already locked and `waits` is false; another error if the file system has
    ///   no locks.
    package func lock(waits: Bool = false) throws(SystemError) {
        while flock(number, LOCK_EX | (waits ? 0 : LOCK_NB)) != 0 {
            guard errno == EINTR else { throw .last }
        }
    }

    /// Locks the file as ``lock(waits:)`` does, without waiting.
    ///
    /// - Returns: the descriptor that has the lock: another opening of the same file if this one only reads, and the
    ///   file system locks only files that are open for writing (NFS).
    package func locked() throws(SystemError) -> FileDescriptor {
        do throws(SystemError) {
            try lock()
            return self
        } catch {
            guard error.number == EBADF, let other = try? FileDescriptor(opening: path, O_RDWR | O_NONBLOCK) else {
                throw error
            }
            try other.lock()
            return other
        }
    }

    /// Ends a lock.
    package func unlock() {
        _ = flock(number, LOCK_UN)
    }
}
