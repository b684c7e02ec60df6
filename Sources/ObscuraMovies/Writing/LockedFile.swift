// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraMedia

/// Makes a file that is locked (flock(2)) from before anybody else can use it.
///
/// The lock tells a file that is being written from one that a killed process has left: the first is nobody else's, and
/// the second may be taken over.
enum LockedFile {
    /// Which files that nobody holds may be overwritten.
    enum Leftover {
        /// Those in which nothing was recorded.
        case empty
        case any
    }

    /// - Returns: the descriptor of the file, empty and for reading and writing.
    /// - Throws: ``RecordingError/Code/fileExists`` if it is somebody's, or holds more than may be overwritten.
    static func make(_ path: String, reusing leftover: Leftover) throws(RecordingError) -> Int32 {
        // Between two of its steps another process may remove or make the file; each time it begins anew.
        for _ in 0..<attempts {
            var descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            let isNew = descriptor >= 0
            if !isNew {
                guard errno == EEXIST else { throw RecordingError(system: errno, path: path) }
                // A link may lead anywhere, and a pipe would hold us up.
                descriptor = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
                if descriptor < 0, errno == ENOENT { continue }
                guard descriptor >= 0 else { throw .fileExists(path) }
            }
            switch take(descriptor, path, leftover: isNew ? nil : leftover) {
            case .isOurs: return descriptor
            case .isGone: close(descriptor)
            case .isTheirs:
                close(descriptor)
                throw .fileExists(path)
            }
        }
        throw .fileExists(path)
    }

    /// Whether there is no such file, or one that ``make(_:reusing:)`` overwrites.
    static func canMake(_ path: String, reusing leftover: Leftover) -> Bool {
        let descriptor = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return !RecordingPath.isTaken(path) }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) == 0 && isReusable(descriptor, leftover)
    }

    private static let attempts = 16

    private enum Claim {
        case isOurs, isTheirs, isGone
    }

    /// - Parameter leftover: nil for a file that we have just made.
    private static func take(_ descriptor: Int32, _ path: String, leftover: Leftover?) -> Claim {
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            // A file system without locks: what is new is ours all the same.
            return errno != EWOULDBLOCK && leftover == nil ? .isOurs : .isTheirs
        }
        guard isNamed(path, descriptor) else { return .isGone }
        guard let leftover else { return .isOurs }
        return isReusable(descriptor, leftover) && ftruncate(descriptor, 0) == 0 ? .isOurs : .isTheirs
    }

    private static func isNamed(_ path: String, _ descriptor: Int32) -> Bool {
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
