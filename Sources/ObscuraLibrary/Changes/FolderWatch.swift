// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase
internal import ObscuraMedia

/// Waits for changes in the folders of a library. One thread at a time.
final class FolderWatch {
    /// The changes since the last call.
    struct Changes {
        /// Folders with changed files.
        var folders: Set<PathKey> = []
        /// Whether folders were created, deleted or moved.
        var hasChangedFolders = false
        /// Whether another process may have changed the index.
        var isIndexChanged = false
        /// Whether events were lost, so that every folder may have changed.
        var isUnknown = false

        var isEmpty: Bool { !concernsFiles && !isIndexChanged }
        /// Whether any file or folder may have changed.
        var concernsFiles: Bool { !folders.isEmpty || hasChangedFolders || isUnknown }

        mutating func merge(_ other: Changes) {
            folders.formUnion(other.folders)
            hasChangedFolders = hasChangedFolders || other.hasChangedFolders
            isIndexChanged = isIndexChanged || other.isIndexChanged
            isUnknown = isUnknown || other.isUnknown
        }
    }

    private static let kinds = Int(
        IN_CREATE | IN_DELETE | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB | IN_ONLYDIR)

    private let events: FileEvents
    private let cancellation: FileDescriptor
    private let index: LibraryIndex.Location
    private var folders: [Int32: PathKey] = [:]
    private var watched: Set<PathKey> = []
    private let indexWatch: Int32

    /// - Parameter cancellation: a descriptor that becomes readable to end all waits.
    init(_ index: LibraryIndex.Location, cancellation: FileDescriptor) throws(ObscuraError) {
        self.index = index
        self.cancellation = cancellation
        do {
            events = try FileEvents()
            indexWatch = try events.watch(index.folder, for: Int(IN_MODIFY) | Int(IN_CREATE))
        } catch {
            throw Self.failure(error)
        }
    }

    /// Starts watching a folder. Returns whether it was not watched before.
    func add(_ path: String, _ folder: OpenFolder) throws(ObscuraError) -> Bool {
        do {
            // By its descriptor: the path may be that of a link by now.
            folders[try events.watch(folder.file.path, for: Self.kinds)] = PathKey(path)
        } catch {
            throw Self.failure(error)
        }
        return watched.insert(PathKey(path)).inserted
    }

    /// Blocks until something has changed. Nil if the wait was cancelled.
    ///
    /// - Parameter deadline: the end of the wait; nil for none. The result is then empty.
    func wait(until deadline: HostTime?) -> Changes? {
        var entries = [events.descriptor, cancellation.number].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        while true {
            // Rounded up, since a wait that ends too early would be repeated in a busy loop.
            let left = deadline.map { (max(.zero, $0 - .now).wholeNanoseconds + 999_999) / 1_000_000 }
            let status = poll(&entries, nfds_t(entries.count), left.map { Int32(clamping: $0) } ?? -1)
            if status < 0, errno == EINTR { continue }
            if entries[1].revents != 0 { return nil }
            guard entries[0].revents != 0 else { return Changes() }
            let changes = read()
            if !changes.isEmpty { return changes }
        }
    }

    private func read() -> Changes {
        var changes = Changes()
        guard let events = events.read() else {
            changes.isUnknown = true
            return changes
        }
        for event in events {
            if event.watch == indexWatch {
                // Each commit of any process is written to this file.
                if event.name == index.name + "-wal" { changes.isIndexChanged = true }
            } else if event.kinds & UInt32(IN_IGNORED) != 0 {
                if let path = folders.removeValue(forKey: event.watch) { watched.remove(path) }
            } else if let path = folders[event.watch], !DraftFile.isDraft(event.name) {
                if event.kinds & UInt32(IN_ISDIR) != 0 { changes.hasChangedFolders = true }
                changes.folders.insert(path)
            }
        }
        return changes
    }

    private static func failure(_ error: SystemError) -> ObscuraError {
        switch error.number {
        case EMFILE:
            ObscuraError(
                .library, .tooLarge, subject: "library folder",
                reason: "changes cannot be watched, because the limit of inotify instances is reached",
                remedy: .raiseLimit(.fileWatches), errno: error.number)
        case ENOSPC:
            ObscuraError(
                .library, .tooLarge, subject: "library folder",
                reason: "changes cannot be watched, because the library has more folders than a user can watch",
                advice: "Raise the limit of watched folders per user (fs.inotify.max_user_watches).",
                errno: error.number)
        default: ObscuraError(error, reading: "library folder", domain: .library)
        }
    }
}
