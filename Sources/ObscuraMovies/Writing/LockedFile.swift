// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraFFmpeg
internal import ObscuraMedia

/// Makes a file that is locked (flock(2)) from before anybody else can use it.
///
/// The lock tells a file that is being written from one that a killed process has left: the first is nobody else's, and
/// the second may be taken over.
enum LockedFile {
    /// Which files that nobody holds may be replaced.
    enum Leftover {
        /// Those in which nothing was recorded.
        case empty
        case any
    }

    /// The file as FFmpeg writes it. It is locked (flock(2)) as long as it is open, so that nobody recovers what is still
    /// being recorded.
    static func output(_ path: String, reusing leftover: Leftover) throws(ObscuraError) -> OutputBytes {
        try OutputBytes(path: path, descriptor: make(path, reusing: leftover))
    }

    /// - Returns: the descriptor of the file, empty and for reading and writing.
    /// - Throws: ``ObscuraError/Code/fileExists`` if it is somebody's, or holds more than may be replaced.
    static func make(_ path: String, reusing leftover: Leftover) throws(ObscuraError) -> Int32 {
        // Between two of its steps another process may remove or make the file; each time it begins anew.
        for _ in 0..<attempts {
            let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            guard descriptor < 0 else {
                // Somebody may look at it at this moment; who takes it for a leftover has removed it then.
                while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
                if isNamed(path, descriptor) { return descriptor }
                close(descriptor)
                continue
            }
            guard errno == EEXIST else { throw ObscuraError(system: errno, path: path) }
            // Its name goes, and not what is in it: it may have another name, and be somebody's movie.
            guard withLeftover(path, leftover, { unlink(path) == 0 }) else { throw .fileExists(path) }
        }
        throw .fileExists(path)
    }

    /// Whether there is no such file, or one that ``make(_:reusing:)`` replaces.
    static func canMake(_ path: String, reusing leftover: Leftover) -> Bool {
        !RecordingPath.isTaken(path) || withLeftover(path, leftover) { true }
    }

    private static let attempts = 16

    /// Whether the file is a leftover, and `body` says yes while it is locked; also where it has gone meanwhile.
    private static func withLeftover(_ path: String, _ leftover: Leftover, _ body: () -> Bool) -> Bool {
        // A link may lead anywhere, and a pipe would hold us up.
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return errno == ENOENT }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) == 0 && isReusable(descriptor, leftover)
            && (!isNamed(path, descriptor) || body())
    }

    /// Whether the file that is open still has this name.
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
    /// Whether the file still has its name: nobody has deleted it, renamed it, or put another in its place.
    var hasName: Bool { LockedFile.isNamed(path, descriptor) }
}
