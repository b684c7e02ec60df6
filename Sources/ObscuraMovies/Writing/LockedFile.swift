// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraFFmpeg
internal import ObscuraMedia

/// Creates a file that is locked (flock(2)) before any other process can use it.
///
/// The lock distinguishes a file that is being written from one left by a killed process: only the latter may be taken
/// over.
enum LockedFile {
    /// The unlocked existing files that may be replaced.
    enum Leftover {
        /// Files without recorded data.
        case empty
        case any
    }

    /// Returns the output file for FFmpeg. It stays locked (flock(2)) while it is open, so that no process recovers a
    /// file that is still being recorded.
    static func output(_ path: String, reusing leftover: Leftover) throws(ObscuraError) -> OutputBytes {
        try OutputBytes(path: path, descriptor: make(path, reusing: leftover))
    }

    /// - Returns: the descriptor of the file, empty and for reading and writing.
    /// - Throws: ``ObscuraError/Code/fileExists`` if the file is in use, or holds more data than may be replaced.
    static func make(_ path: String, reusing leftover: Leftover) throws(ObscuraError) -> Int32 {
        // Another process may remove or create the file between two steps, in which case the procedure restarts.
        for _ in 0..<attempts {
            let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            guard descriptor < 0 else {
                // Another process may inspect it right now; if that takes it for a leftover, it removes the file.
                while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
                if isNamed(path, descriptor) { return descriptor }
                close(descriptor)
                continue
            }
            guard errno == EEXIST else { throw ObscuraError(system: errno, path: path) }
            // Only this name is removed, not the contents: the file may have another name and be a movie in use.
            guard withLeftover(path, leftover, { unlink(path) == 0 }) else { throw .fileExists(path) }
        }
        throw .fileExists(path)
    }

    /// Whether the file does not exist, or is one that ``make(_:reusing:)`` replaces.
    static func canMake(_ path: String, reusing leftover: Leftover) -> Bool {
        !RecordingPath.isTaken(path) || withLeftover(path, leftover) { true }
    }

    private static let attempts = 16

    /// Whether the file is a leftover for which `body` returns true while it is locked, or has been deleted meanwhile.
    private static func withLeftover(_ path: String, _ leftover: Leftover, _ body: () -> Bool) -> Bool {
        // A link may point anywhere, and a pipe would block.
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return errno == ENOENT }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) == 0 && isReusable(descriptor, leftover)
            && (!isNamed(path, descriptor) || body())
    }

    /// Whether this path still names the open file.
    static func isNamed(_ path: String, _ descriptor: Int32) -> Bool {
        var (own, there) = (stat(), stat())
        return fstat(descriptor, &own) == 0 && lstat(path, &there) == 0 && own.st_ino == there.st_ino
            && own.st_dev == there.st_dev
    }

    private static func isReusable(_ descriptor: Int32, _ leftover: Leftover) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        switch leftover {
        case .any: return true
        case .empty: return RecordingExtent(size: Int64(status.st_size)) { read(descriptor, $0, $1) }.isEmpty
        }
    }

    private static func read(_ descriptor: Int32, _ offset: Int64, _ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
            filled = max(0, pread(descriptor, bytes.baseAddress, count, off_t(offset)))
        }
    }
}

extension OutputBytes {
    /// Whether the path still names this file: it was not deleted, renamed or replaced.
    var hasName: Bool { LockedFile.isNamed(path, descriptor) }
}
