// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraMedia

extension MediaLibrary {
    /// Marks items as favorites, or removes the mark.
    nonisolated(nonsending) public func setFavorite(
        _ isFavorite: Bool, for paths: [String]
    ) async throws(ObscuraError) {
        try await changeNotes(of: paths) { $0.isFavorite = isFavorite }
    }

    /// Adds keywords to items. The files of the items are not changed; only exported copies can contain the keywords
    /// (``ExportOptions/writesKeywords``).
    nonisolated(nonsending) public func addKeywords(
        _ keywords: [String], to paths: [String]
    ) async throws(ObscuraError) {
        try await changeNotes(of: paths) { notes in
            notes.keywords = Array(KeywordList(notes.keywords + keywords).keywords.prefix(ItemNotes.mostKeywords))
        }
    }

    /// Removes keywords from items, without distinction of case. Keywords in the files themselves remain.
    nonisolated(nonsending) public func removeKeywords(
        _ keywords: [String], from paths: [String]
    ) async throws(ObscuraError) {
        let removed = Set(KeywordList(keywords).keywords.map { $0.lowercased() })
        try await changeNotes(of: paths) { notes in
            notes.keywords.removeAll { removed.contains($0.lowercased()) }
        }
    }

    /// Moves or renames an item, together with its edits, favorites and keywords. Missing folders are created.
    ///
    /// - Parameters:
    ///   - path: the item.
    ///   - target: the new path. Its extension must be one for the same kind of file, such as `jpeg` instead of `jpg`.
    /// - Returns: the item at its new path.
    /// - Throws: ``ObscuraError/Code/notFound``, ``ObscuraError/Code/fileExists``, ``ObscuraError/Code/invalidPath``.
    @discardableResult
    nonisolated(nonsending) public func move(
        _ path: String, to target: String
    ) async throws(ObscuraError) -> LibraryItem {
        try await run { [self] () throws(ObscuraError) in
            try change { lock throws(ObscuraError) in
                let (from, to) = (try existing(path), try LibraryPath(target))
                guard let type = from.type, to.type?.family == type.family else {
                    throw ObscuraError(
                        .library, .invalidPath, subject: "path \"\(target)\"",
                        reason: "its extension does not match the file format of \(from.name)",
                        advice: "Keep the extension of \(from.name).")
                }
                guard from != to else { return try current(from) }
                try MoveJournal(folder, lock).run(item: from.text, to: to.text)
                try reindex([from, to])
                return try current(to)
            }
        }
    }

    /// Changes the notes of items, and updates the index. Checks all paths before the first change.
    nonisolated(nonsending) func changeNotes(
        of paths: [String], _ change: @escaping @Sendable (inout ItemNotes) -> Void
    ) async throws(ObscuraError) {
        try await run { [self] () throws(ObscuraError) in
            try self.change { _ throws(ObscuraError) in
                try changeNotes(of: paths.enumerated().map { ($1, $0) }) { notes, _ in change(&notes) }
            }
        }
    }

    /// Changes the notes of items, each with its number. Blocks; the caller holds the lock.
    func changeNotes(
        of paths: [(path: String, number: Int)], _ change: (inout ItemNotes, Int) -> Void
    ) throws(ObscuraError) {
        var items: [(path: LibraryPath, number: Int)] = []
        for (path, number) in paths { items.append((try existing(path), number)) }
        var changed: [LibraryPath] = []
        // If a write fails, the index still describes the items that were changed before.
        defer { try? reindex(changed) }
        for (path, number) in items where try write(path, { change(&$0, number) }) { changed.append(path) }
    }

    /// Changes the notes of an item. Returns whether they are different.
    private func write(_ path: LibraryPath, _ change: (inout ItemNotes) -> Void) throws(ObscuraError) -> Bool {
        let place = try ObscuraError.about(path.text) { () throws(SystemError) in try folder.folder(path.folder) }
        let name = Sidecar.notes.name(for: path.name)
        let old = reader.notes(of: path.name, in: place)
        guard old != nil || !place.isTaken(name) else {
            throw ObscuraError(
                .library, .damaged, subject: Sidecar.notes.name(for: path.text),
                reason: "this file with favorites and keywords is damaged, so the change was not saved",
                advice: "Repair this file, or delete it together with the favorites and keywords in it.")
        }
        var notes = old ?? ItemNotes()
        change(&notes)
        guard notes != old ?? ItemNotes() else { return false }
        if notes.isEmpty {
            try ObscuraError.about(path.text) { () throws(SystemError) in try place.remove(name) }
        } else {
            try writeSidecar(.notes, of: path, in: place) { try notes.json() }
        }
        return true
    }

    /// Writes a sidecar of an item durably.
    func writeSidecar(
        _ kind: Sidecar, of path: LibraryPath, in place: OpenFolder, _ json: () throws -> [UInt8]
    ) throws(ObscuraError) {
        let name = kind.name(for: path.name)
        try kind.checkName(of: path.name, at: path.text)
        let bytes: [UInt8]
        do {
            bytes = try json()
        } catch {
            throw ObscuraError(wrapping: error, as: .library, .writingFailed, subject: name)
        }
        guard bytes.count <= kind.mostBytes else {
            throw ObscuraError(
                .library, .tooLarge, subject: path.text,
                reason: "its keywords or edits would exceed \(kind.mostBytes) bytes",
                advice: "Use fewer keywords or edits.")
        }
        try folder.write(bytes, to: name, in: place)
    }
}
