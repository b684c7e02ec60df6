// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraImaging
internal import ObscuraMedia

/// The trash of a library: a folder for each deleted item, in the hidden folder of the library.
struct Trash {
    /// The description of a deleted item, in its folder.
    private struct Note: Codable {
        var path: String
        var deleted: WallTime
    }

    private static let folderName = "trash"
    private static let noteName = "item.json"
    private static let mostOfNote = 64 << 10

    private let folder: LibraryFolder

    init(_ folder: LibraryFolder) {
        self.folder = folder
    }

    /// Lists the items, most recently deleted first.
    func items() -> [TrashedItem] {
        guard let trash = try? folder.folder(Self.path), let names = try? trash.listing().names else { return [] }
        return names.compactMap { item($0, in: trash) }.sorted {
            ($0.deleted.nanosecondsSince1970, $0.id) > ($1.deleted.nanosecondsSince1970, $1.id)
        }
    }

    /// Returns an item.
    ///
    /// - Throws: ``ObscuraError/Code/notFound``.
    func item(_ id: String) throws(ObscuraError) -> TrashedItem {
        guard let trash = try? folder.folder(Self.path), let item = item(id, in: trash) else {
            throw ObscuraError(
                .library, .notFound, subject: "deleted item \"\(id)\"", reason: "the trash has no such item",
                advice: "List the trash.")
        }
        return item
    }

    /// Moves an existing item, with everything that belongs to it, into the trash.
    func put(_ path: LibraryPath, _ lock: LibraryLock) throws(ObscuraError) -> TrashedItem {
        let item = try makeEntry(for: path)
        try MoveJournal(folder, lock).run(item: path.text, to: Self.filePath(of: item))
        return item
    }

    /// Returns an item to its path, or to a similar one if another file has it by now.
    ///
    /// - Returns: the path.
    func restore(_ id: String, _ lock: LibraryLock) throws(ObscuraError) -> LibraryPath {
        let item = try item(id)
        let path = try UnusedPath(folder).path(like: try LibraryPath(item.path), keepsLength: true)
        try MoveJournal(folder, lock).run(item: Self.filePath(of: item), to: path.text)
        closeEntry(id)
        return path
    }

    /// Deletes items for good.
    func delete(_ items: [TrashedItem]) throws(ObscuraError) {
        for item in items { try removeEntry(item.id) }
        removeLeftovers()
    }

    /// Opens the file of an item, and reads its edits.
    func open(_ id: String) throws(ObscuraError) -> (file: MediaFile, recipe: StillRecipe?) {
        let item = try item(id)
        let name = Self.name(of: item.path)
        return try ObscuraError.about(item.path) { () throws(SystemError) in
            let entry = try folder.folder("\(Self.path)/\(id)")
            let recipe = Sidecar.recipe.contents(of: name, in: entry).flatMap(StillRecipe.init(json:))
            return (MediaFile(try entry.open(name)), recipe)
        }
    }

    /// The path of a deleted item's file, relative to the folder of the library.
    private static func filePath(of item: TrashedItem) -> String { "\(path)/\(item.id)/\(name(of: item.path))" }

    /// Creates the folder of an item that is going to be deleted.
    private func makeEntry(for path: LibraryPath) throws(ObscuraError) -> TrashedItem {
        let now = WallTime.now
        let id = "\(now.nanosecondsSince1970 / 1_000_000)-\(String(UInt32.random(in: 0 ... .max), radix: 16))"
        let entry = try ObscuraError.about(path.text) { () throws(SystemError) in
            try folder.makeFolder("\(Self.path)/\(id)")
        }
        let note = Note(path: path.text, deleted: now)
        try folder.write(LibraryJSON.encode(note, to: Self.noteName), to: Self.noteName, in: entry)
        return TrashedItem(id: id, path: path.text, deleted: now)
    }

    /// Deletes the folder of an item with everything in it: the item first, so that an interrupted call leaves no item
    /// without its edits.
    private func removeEntry(_ id: String) throws(ObscuraError) {
        try ObscuraError.about(id) { () throws(SystemError) in
            let trash = try folder.folder(Self.path)
            let entry = try trash.subfolder(id)
            let names = try entry.listing().names
            let note = (try? readNote(in: entry)).flatMap { $0 }
            let first = note.map { Self.name(of: $0.path) }
            for name in names.sorted(by: { ($0 == first ? 0 : 1, $0) < ($1 == first ? 0 : 1, $1) })
            where name != Self.noteName {
                try entry.remove(name)
            }
            if entry.isTaken(Self.noteName) { try entry.remove(Self.noteName) }
            try trash.removeSubfolder(id)
        }
    }

    /// Deletes the folder of an item that was restored. Other files in it are kept.
    private func closeEntry(_ id: String) {
        guard let trash = try? folder.folder(Self.path), let entry = try? trash.subfolder(id),
            (try? entry.listing().names) == [Self.noteName]
        else { return }
        try? entry.remove(Self.noteName)
        try? trash.removeSubfolder(id)
    }

    /// Deletes the folders that a killed process left without an item.
    func removeLeftovers() {
        guard let trash = try? folder.folder(Self.path), let names = try? trash.listing().names else { return }
        for name in names where item(name, in: trash) == nil && isEmpty(name, in: trash) { try? removeEntry(name) }
    }

    /// Returns the paths of folders without an item, which have other files. They may be all that is left of an item,
    /// and are therefore kept.
    func incompleteEntries() -> [String] {
        guard let trash = try? folder.folder(Self.path), let names = try? trash.listing().names else { return [] }
        return names.filter { item($0, in: trash) == nil && !isEmpty($0, in: trash) }.map { "\(Self.path)/\($0)" }
    }

    /// Whether a folder has nothing but the description of an item, sidecars, and temporary files of killed processes.
    private func isEmpty(_ id: String, in trash: OpenFolder) -> Bool {
        guard let entry = try? trash.subfolder(id), let content = try? entry.listing() else { return false }
        return content.invalidNames.isEmpty
            && content.names.allSatisfy {
                $0 == Self.noteName || Sidecar.owner(of: $0) != nil || DraftFile.isDraft($0)
            }
    }

    private static let path = "\(LibraryFolder.hidden)/\(folderName)"

    private func item(_ id: String, in trash: OpenFolder) -> TrashedItem? {
        guard let entry = id.hasPrefix(".") ? nil : try? trash.subfolder(id),
            let note = try? readNote(in: entry), entry.status(of: Self.name(of: note.path)) != nil
        else { return nil }
        return TrashedItem(id: id, path: note.path, deleted: note.deleted)
    }

    private func readNote(in entry: OpenFolder) throws(SystemError) -> Note? {
        let bytes = try entry.open(Self.noteName).read(at: 0, count: Self.mostOfNote)
        guard let note = LibraryJSON.decode(Note.self, bytes), (try? LibraryPath(note.path)) != nil else { return nil }
        return note
    }

    private static func name(of path: String) -> String { PathParts(path).name }
}
