// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Foundation
internal import Glibc
internal import NIOPosix
internal import ObscuraBase
internal import ObscuraBroadcast
internal import ObscuraMedia
internal import Synchronization

/// The folder of the segments: a new one that only this user can access.
///
/// The folder is locked while it is used (flock(2)), before it contains any file. An unlocked folder with segments was
/// left by a killed process, and the next server deletes it: it may be in memory, which would otherwise stay occupied.
///
/// ``restore()`` creates the folder again if it is deleted while in use. The broadcast does not, because it would use
/// different permissions.
final class HLSDirectory: Sendable {
    private static let prefix = "obscura-hls-"
    /// Free memory required for storing segments in memory: enough for some hundred segments.
    private static let room: Int64 = 256 << 20

    let path: String
    /// The folder, locked; nil after ``remove()``.
    private let made: Lock<OpenFolder?>
    private let isRestoring = Atomic(false)

    /// Creates the folder, and deletes folders of killed processes from the possible locations.
    ///
    /// - Throws: ``ObscuraError/Code/unusableFolder``, also if a file or folder of this name exists.
    init(path: String) throws(ObscuraError) {
        self.path = path
        made = Lock(try Self.make(path))
        for parent in Set(Self.parents + [(path as NSString).deletingLastPathComponent]) {
            Self.removeLeftovers(in: parent)
        }
    }

    /// The open folder; nil after ``remove()``.
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

    /// Deletes the folder and its contents.
    func remove() {
        made.withLock { made in
            made = nil
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    private static func make(_ path: String) throws(ObscuraError) -> OpenFolder {
        // The permissions are set at creation, so that no other user can access it in between.
        guard mkdir(path, 0o700) == 0 else {
            throw ObscuraError(
                .server, .unusableFolder, subject: path,
                reason: "the folder cannot be created: \(SystemError.last.reason)",
                advice: "Set TMPDIR to a folder in which this user can create folders.")
        }
        do throws(SystemError) {
            let folder = try OpenFolder(path: path)
            // Another server may lock it briefly to check whether it contains files.
            try folder.file.lock(waits: true)
            return folder
        } catch {
            // Otherwise the next attempt would find an existing folder.
            rmdir(path)
            throw ObscuraError(.server, .unusableFolder, subject: path, reason: error.reason)
        }
    }

    /// Returns an unused folder path: in memory if there is enough space, otherwise in the temporary folder.
    static func freshPath() -> String {
        let (shared, disk) = (parents[0], parents[1])
        let isRoomy = (DiskSpace.available(at: shared) ?? 0) >= room && access(shared, W_OK | X_OK) == 0
        let parent = isRoomy ? shared : disk
        return "\(parent)/\(prefix)\(UUID().uuidString.lowercased())"
    }

    /// The possible parent folders: in memory, and on the disk.
    private static var parents: [String] { ["/dev/shm", FileManager.default.temporaryDirectory.path] }

    private static func removeLeftovers(in parent: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        for name in names where name.hasPrefix(prefix) {
            guard UUID(uuidString: String(name.dropFirst(prefix.count))) != nil else { continue }
            let path = "\(parent)/\(name)"
            guard let folder = try? FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW),
                (try? FileStatus(of: folder))?.owner == geteuid(), (try? folder.lock()) != nil
            else { continue }
            // Another server may be about to lock an empty folder.
            if (try? FileManager.default.contentsOfDirectory(atPath: path).isEmpty) == false {
                try? FileManager.default.removeItem(atPath: path)
            }
            withExtendedLifetime(folder) {}
        }
    }
}
