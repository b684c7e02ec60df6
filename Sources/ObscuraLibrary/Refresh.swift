// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase
internal import ObscuraMedia

/// One update of the index from the folder, or from some of its folders.
struct Refresh {
    /// Items per transaction.
    private static let batch = 256
    private static let reportInterval = Duration.milliseconds(50)

    private let library: MediaLibrary
    private let isCancelled: @Sendable () -> Bool
    private let progress: (@Sendable (LibraryProgress) -> Void)?
    private var report = RefreshReport()
    private var waiting: [FolderScan.Found] = []
    private var readCount = 0
    private var byteCount: Int64 = 0
    private var lastReport = HostTime.now
    /// Paths of the index without a file. They are removed last, since the file may be found at another path.
    private var missing: [LibraryPath] = []
    /// The old and new paths of moved items.
    private var moves: [(from: LibraryPath, to: LibraryPath)] = []

    init(
        _ library: MediaLibrary, isCancelled: @escaping @Sendable () -> Bool,
        progress: (@Sendable (LibraryProgress) -> Void)? = nil
    ) {
        self.library = library
        self.isCancelled = isCancelled
        self.progress = progress
    }

    /// Updates the index.
    ///
    /// - Parameters:
    ///   - scope: the folders to read; by default all.
    ///   - findsDeletedFolders: whether the items of folders that no longer exist are removed.
    ///   - willRead: called with the path of each folder before it is read. Returns whether all of its subfolders are
    ///     read as well.
    mutating func run(
        _ scope: Set<PathKey> = [PathKey("")], findsDeletedFolders: Bool = true,
        willRead: (_ path: String, OpenFolder) -> Bool = { _, _ in true }
    ) throws(ObscuraError) -> RefreshReport {
        try library.folder.requirePresence()
        try library.completeMoves()
        if let hidden = try? library.folder.folder(LibraryFolder.hidden), let names = try? hidden.listing().names {
            for name in names where DraftFile.isDraft(name) { hidden.removeLeftover(name) }
        }
        try library.readAlbums()
        var visited: Set<PathKey> = []
        var pending = scope.map(\.text)
        while let path = pending.popLast() {
            try checkCancellation()
            guard visited.insert(PathKey(path)).inserted else { continue }
            let scan: FolderScan
            var entersSubfolders = true
            do {
                scan = try FolderScan(path, in: library.folder) { entersSubfolders = willRead(path, $0) }
            } catch {
                try library.folder.requirePresence()
                guard !path.isEmpty else { throw ObscuraError(error, reading: library.path, domain: .library) }
                // It may have been deleted since its parent was read.
                guard !Self.isMissing(error) else {
                    visited.remove(PathKey(path))
                    continue
                }
                report.problems.append(LibraryProblem(kind: .unreadableFolder, path: path))
                continue
            }
            if entersSubfolders { pending += scan.subfolders }
            report.problems += scan.problems
            try update(scan, path)
        }
        try flush()
        if findsDeletedFolders { try addMissing(except: visited) }
        try finishMoves()
        let moved = Set(moves.map(\.from))
        // Another process may have moved or restored an item since its folder was read.
        let removed = missing.filter { !moved.contains($0) && library.folder.status(of: $0) == nil }
        report.removed = removed.count
        try library.index.apply(removed.map { .remove(path: $0.text) })
        if report.added > 10_000 { try library.index.optimize() }
        if !report.isUnchanged { library.signal.advance() }
        report.problems.sort { ($0.path, $0.kind.rawValue) < ($1.path, $1.kind.rawValue) }
        return report
    }

    private mutating func update(_ scan: FolderScan, _ path: String) throws(ObscuraError) {
        var known = try library.index.known(in: path)
        for item in scan.items {
            let old = known.removeValue(forKey: PathKey(item.path.name))
            if let old, scan.isUnchanged(item, since: old) { continue }
            // Also a known path may have the file of another one: a series of photos that was renumbered.
            if old?.stamp != item.stamp, let from = try oldPath(of: item) {
                report.moved += 1
                moves.append((from, item.path))
                continue
            }
            if old == nil { report.added += 1 } else { report.changed += 1 }
            waiting.append(item)
            if waiting.count >= Self.batch { try flush() }
        }
        missing += known.keys.compactMap { LibraryPath(name: $0.text, in: path) }
    }

    /// Returns the path in the index of a file that has moved; nil for a new file.
    private func oldPath(of item: FolderScan.Found) throws(ObscuraError) -> LibraryPath? {
        for text in try library.index.paths(ofStamp: item.stamp) {
            guard let path = try? LibraryPath(text), path != item.path,
                library.folder.status(of: path)?.stamp != item.stamp
            else { continue }
            return path
        }
        return nil
    }

    /// Reads the contents of the waiting items on several threads, and adds them to the index.
    private mutating func flush() throws(ObscuraError) {
        try checkCancellation()
        let (items, reader) = (waiting, library.reader)
        waiting = []
        guard !items.isEmpty else { return }
        let changes = Lock([LibraryIndex.Change]())
        library.readers.forEachBand(of: items.count) { band in
            let read = items[band].map { item -> LibraryIndex.Change in
                reader.record(at: item.path).map { .put($0) } ?? .remove(path: item.path.text)
            }
            changes.withLock { $0 += read }
        }
        try library.index.apply(changes.withLock(\.self))
        readCount += items.count
        byteCount += items.reduce(0) { $0 + $1.size }
        if let progress, HostTime.now - lastReport >= Self.reportInterval {
            lastReport = .now
            progress(LibraryProgress(completed: readCount, total: nil, byteCount: byteCount))
        }
    }

    /// Adds the items of folders that no longer exist. The items of a folder that cannot be read remain.
    private mutating func addMissing(except visited: Set<PathKey>) throws(ObscuraError) {
        for path in try library.index.folders() where !visited.contains(PathKey(path)) {
            do {
                _ = try library.folder.folder(path)
            } catch {
                guard Self.isMissing(error) else { continue }
                missing += try library.index.known(in: path).keys.compactMap { LibraryPath(name: $0.text, in: path) }
            }
        }
    }

    private static func isMissing(_ error: SystemError) -> Bool { [ENOENT, ENOTDIR, ELOOP].contains(error.number) }

    /// Moves the sidecars of items that another program moved, where this process may, and then updates the index: an
    /// interrupted refresh finds the same moves again.
    private func finishMoves() throws(ObscuraError) {
        guard !moves.isEmpty else { return }
        let moved = moves.filter { from, _ in
            Sidecar.allCases.contains { library.folder.hasFile($0.name(for: from.text)) }
        }
        if !moved.isEmpty {
            do throws(ObscuraError) {
                try library.change { lock throws(ObscuraError) in
                    try MoveJournal(library.folder, lock).run(Self.sidecarMoves(moved))
                }
            } catch {
                guard error.code == .notAuthorized else { throw error }
            }
        }
        var rest = (moves.map(\.from) + moves.map(\.to))[...]
        while !rest.isEmpty {
            try library.reindex(Array(rest.prefix(Self.batch)))
            rest = rest.dropFirst(Self.batch)
        }
    }

    /// The moves of sidecars, first to temporary names: the new path of one item may be the old path of another.
    private static func sidecarMoves(_ moves: [(from: LibraryPath, to: LibraryPath)]) -> [MoveJournal.Move] {
        // Unused: a file that could not be moved to its place stays here.
        let waiting = "\(MoveJournal.waitingFolder)/\(String(UInt64.random(in: 1 ... .max), radix: 36))"
        var first: [MoveJournal.Move] = []
        var second: [MoveJournal.Move] = []
        for (number, (from, to)) in moves.enumerated() {
            for sidecar in Sidecar.allCases {
                let name = sidecar.name(for: "\(waiting)-\(number)")
                first.append(MoveJournal.Move(from: sidecar.name(for: from.text), to: name))
                second.append(MoveJournal.Move(from: name, to: sidecar.name(for: to.text)))
            }
        }
        return first + second
    }

    private func checkCancellation() throws(ObscuraError) {
        if isCancelled() { throw .cancelled(.library, "refresh of \(library.path)") }
    }
}
