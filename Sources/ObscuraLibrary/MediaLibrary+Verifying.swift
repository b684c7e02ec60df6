// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraImaging
public import ObscuraMedia

extension MediaLibrary {
    /// Checks that the index matches the folder, and finds damaged and misplaced files. Changes nothing, except that
    /// moves that a killed process left unfinished are completed.
    ///
    /// - Parameter progress: called after each folder, on a thread of the library.
    nonisolated(nonsending) public func verify(
        progress: (@Sendable (LibraryProgress) -> Void)? = nil
    ) async throws(ObscuraError) -> VerificationReport {
        try await cancellable { [self] isCancelled throws(ObscuraError) in
            try folder.requirePresence()
            try completeMoves()
            return try Verification(self, isCancelled: isCancelled, progress: progress).run()
        }
    }
}

/// One check of a library.
private struct Verification {
    private let library: MediaLibrary
    private let isCancelled: @Sendable () -> Bool
    private let progress: (@Sendable (LibraryProgress) -> Void)?

    init(
        _ library: MediaLibrary, isCancelled: @escaping @Sendable () -> Bool,
        progress: (@Sendable (LibraryProgress) -> Void)?
    ) {
        self.library = library
        self.isCancelled = isCancelled
        self.progress = progress
    }

    func run() throws(ObscuraError) -> VerificationReport {
        var report = VerificationReport()
        var visited: Set<PathKey> = []
        var pending = [""]
        while let path = pending.popLast() {
            guard !isCancelled() else { throw .cancelled(.library, "check of \(library.path)") }
            guard let scan = try? FolderScan(path, in: library.folder) else {
                try library.folder.requirePresence()
                report.problems.append(LibraryProblem(kind: .unreadableFolder, path: path))
                continue
            }
            visited.insert(PathKey(path))
            pending += scan.subfolders
            report.problems += scan.problems
            report.problems += scan.orphans.map { name in
                LibraryProblem(kind: .withoutItem, path: path.isEmpty ? name : "\(path)/\(name)")
            }
            report.itemCount += scan.items.count
            report.problems += try check(scan, path)
            progress?(LibraryProgress(completed: report.itemCount, total: nil, byteCount: 0))
        }
        for folder in try library.index.folders() where !visited.contains(PathKey(folder)) {
            report.problems += try library.index.known(in: folder).keys.map {
                LibraryProblem(kind: .outdatedIndex, path: folder.isEmpty ? $0.text : "\(folder)/\($0.text)")
            }
        }
        let waiting = (try? library.folder.folder(MoveJournal.waitingFolder).listing().names) ?? []
        report.problems += waiting.map {
            LibraryProblem(kind: .withoutItem, path: "\(MoveJournal.waitingFolder)/\($0)")
        }
        if (try? AlbumList.read(library.folder)) == nil {
            report.problems.append(
                LibraryProblem(kind: .damagedNotes, path: "\(LibraryFolder.hidden)/\(AlbumList.name)"))
        }
        let trash = Trash(library.folder)
        report.trashCount = trash.items().count
        report.problems += trash.incompleteEntries().map { LibraryProblem(kind: .incompleteTrash, path: $0) }
        report.problems.sort { ($0.path, $0.kind.rawValue) < ($1.path, $1.kind.rawValue) }
        return report
    }

    private func check(_ scan: FolderScan, _ path: String) throws(ObscuraError) -> [LibraryProblem] {
        var known = try library.index.known(in: path)
        var problems: [LibraryProblem] = []
        for item in scan.items {
            let old = known.removeValue(forKey: PathKey(item.path.name))
            if old.map({ scan.isUnchanged(item, since: $0) }) != true {
                problems.append(LibraryProblem(kind: .outdatedIndex, path: item.path.text))
            }
            if old?.isReadable == false {
                problems.append(LibraryProblem(kind: .damaged, path: item.path.text))
            }
            guard !item.sidecars.isEmpty else { continue }
            let name = item.path.name
            let isDamaged = [
                scan.folder.isTaken(Sidecar.notes.name(for: name))
                    && library.reader.notes(of: name, in: scan.folder) == nil,
                scan.folder.isTaken(Sidecar.recipe.name(for: name))
                    && library.reader.recipe(of: item.path, in: scan.folder) == nil,
            ]
            if isDamaged.contains(true) {
                problems.append(LibraryProblem(kind: .damagedNotes, path: item.path.text))
            }
        }
        return problems
            + known.keys.map {
                LibraryProblem(kind: .outdatedIndex, path: path.isEmpty ? $0.text : "\(path)/\($0.text)")
            }
    }
}
