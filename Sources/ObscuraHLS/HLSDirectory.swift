// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Foundation
internal import Glibc
internal import NIOPosix
internal import ObscuraBase
internal import ObscuraBroadcast
internal import ObscuraMedia
internal import Synchronization

/// The folder of the segments: a new one, for this user alone.
///
/// It is locked while it is used (flock(2)), before anything is in it. One with segments that nobody has locked was left
/// by a process that was killed, and the next server takes it away: it may lie in memory, which nothing else empties.
///
/// ``restore()`` creates it again if it is deleted while in use. The broadcast does not, because it would use other
/// permissions.
final class HLSDirectory: Sendable {
    private static let prefix = "obscura-hls-"
    /// So much memory must be free for segments to lie there: some hundred of them.
    private static let room: Int64 = 256 << 20

    let path: String
    /// The folder, locked; nil after ``remove()``.
    private let made: Lock<OpenFolder?>
    private let isRestoring = Atomic(false)

    /// Makes the folder, and takes away those that killed processes have left where it might be.
    ///
    /// - Throws: ``ObscuraError/Code/unusableFolder``, also if anything has this name.
    init(path: String) throws(ObscuraError) {
        self.path = path
        made = Lock(try Self.make(path))
        for parent in Set(Self.parents + [(path as NSString).deletingLastPathComponent]) {
            Self.removeLeftovers(in: parent)
        }
    }

    /// Nil after ``remove()``.
    var opened: OpenFolder? { made.withLock { $0 } }

    /// Creates the folder again if it was deleted; if that fails, the next call retries. Blocks on the disk.
    func restore() {
        made.withLock { made in
            guard let folder = made, !folder.isAtItsPath, let again = try? Self.make(path)
            else { return }
            made = again
        }
    }

    /// Runs ``restore()`` on a thread pool, unless it is already running.
    func restoreSoon() {
        guard !isRestoring.exchange(true, ordering: .acquiring) else { return }
        NIOThreadPool.singleton.submit { [self] _ in
            restore()
            isRestoring.store(false, ordering: .releasing)
        }
    }

    /// Takes the folder away, with all that is in it.
    func remove() {
        made.withLock { made in
            made = nil
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    private static func make(_ path: String) throws(ObscuraError) -> OpenFolder {
        // At once with its rights: nobody gets in between.
        guard mkdir(path, 0o700) == 0 else {
            throw ObscuraError(
                .server, .unusableFolder, subject: path, reason: SystemError.last.reason,
                advice: "Set TMPDIR to a folder in which this user may make others.")
        }
        do throws(SystemError) {
            let folder = try OpenFolder(path: path)
            // Another server may have the lock for a moment, to see whether anything is in the folder.
            try folder.file.lock(waits: true)
            return folder
        } catch {
            // Otherwise the next attempt would find an existing folder.
            rmdir(path)
            throw ObscuraError(.server, .unusableFolder, subject: path, reason: error.reason)
        }
    }

    /// The path of a folder that is not there yet: in memory if there is room, else among the temporary files.
    static func freshPath() -> String {
        let (shared, disk) = (parents[0], parents[1])
        let isRoomy = (DiskSpace.available(at: shared) ?? 0) >= room && access(shared, W_OK | X_OK) == 0
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
            guard let folder = try? FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW),
                (try? FileStatus(of: folder))?.owner == geteuid(), (try? folder.lock()) != nil
            else { continue }
            // An empty one may be about to be locked.
            if (try? FileManager.default.contentsOfDirectory(atPath: path).isEmpty) == false {
                try? FileManager.default.removeItem(atPath: path)
            }
            withExtendedLifetime(folder) {}
        }
    }
}
