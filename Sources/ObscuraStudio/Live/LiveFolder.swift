// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Foundation
internal import Glibc

/// The folder of the segments: a new one, for this user alone.
///
/// It is locked while it is used (flock(2)), before anything is in it. One with segments that nobody has locked was left
/// by a process that was killed, and the next server takes it away: it may lie in memory, which nothing else empties.
final class LiveFolder: Sendable {
    private static let prefix = "obscura-hls-"
    /// So much memory must be free for segments to lie there: some hundred of them.
    private static let room: UInt64 = 256 << 20

    let path: String
    let directory: MediaDirectory
    private let lock: Int32

    /// Makes the folder, and takes away those that killed processes have left where it might be.
    ///
    /// - Throws: ``StudioError/Code/unusableFolder``, also if anything has this name.
    init(path: String) throws(StudioError) {
        // At once with its rights: nobody gets in between.
        guard mkdir(path, 0o700) == 0 else {
            throw StudioError(
                .unusableFolder, subject: path, reason: String(cString: strerror(errno)).lowercased(),
                advice: "Set TMPDIR to a folder in which this user may make others.")
        }
        self.path = path
        // Another server may hold it for a moment, to see whether anything is in it.
        guard let lock = Self.lock(path, waits: true) else {
            throw StudioError(.unusableFolder, subject: path, reason: String(cString: strerror(errno)).lowercased())
        }
        self.lock = lock
        do {
            directory = try MediaDirectory(path: path, freeSpaceFloor: 0)
        } catch {
            close(lock)
            throw error
        }
        for parent in Set(Self.parents + [(path as NSString).deletingLastPathComponent]) {
            Self.removeLeftovers(in: parent)
        }
    }

    deinit {
        close(lock)
    }

    /// Takes the folder away, with all that is in it.
    func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of a folder that is not there yet: in memory if there is room, else among the temporary files.
    static func freshPath() -> String {
        let (shared, disk) = (parents[0], parents[1])
        let isRoomy = freeBytes(at: shared) >= room && access(shared, W_OK | X_OK) == 0
        let parent = isRoomy ? shared : disk
        return "\(parent)/\(prefix)\(UUID().uuidString.lowercased())"
    }

    /// Where it may be: in memory, and on the disk.
    private static var parents: [String] { ["/dev/shm", FileManager.default.temporaryDirectory.path] }

    private static func removeLeftovers(in parent: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        for name in names where name.hasPrefix(prefix) {
            guard UUID(uuidString: String(name.dropFirst(prefix.count))) != nil else { continue }
            let path = "\(parent)/\(name)"
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
                let lock = lock(path, waits: false)
            else { continue }
            // An empty one may be about to be locked.
            if (try? FileManager.default.contentsOfDirectory(atPath: path).isEmpty) == false {
                try? FileManager.default.removeItem(atPath: path)
            }
            close(lock)
        }
    }

    /// Nil, with `errno`, where another has it.
    private static func lock(_ path: String, waits: Bool) -> Int32? {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        while flock(descriptor, LOCK_EX | (waits ? 0 : LOCK_NB)) != 0 {
            let failure = errno
            if failure == EINTR { continue }
            close(descriptor)
            errno = failure
            return nil
        }
        return descriptor
    }

    /// Bytes that are free for this user.
    private static func freeBytes(at path: String) -> UInt64 {
        var facts = statvfs()
        return statvfs(path, &facts) == 0 ? UInt64(facts.f_bavail) * UInt64(facts.f_frsize) : 0
    }
}
