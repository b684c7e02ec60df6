// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import Logging
internal import ObscuraBase
internal import ObscuraMedia

/// Moves an item together with its sidecars, so that a killed process never leaves a part of them behind.
///
/// The moves are written to a file before they begin. The next process that takes the lock completes those that it
/// finds. Only the owner of the lock runs or completes moves. A move that fails because of the disk stays in the file,
/// and is tried again before the next change. One that can never succeed is skipped, since it would block all changes.
struct MoveJournal {
    /// One move; both paths are relative to the folder of the library.
    struct Move: Sendable, Hashable, Codable {
        let from: String
        let to: String
    }

    /// The contents of the file.
    private struct Contents: Codable {
        let moves: [Move]
        /// The number of the file of the first move, an item. Without it, the others do not follow: they are its
        /// sidecars. Nil for independent moves.
        let inode: UInt64?
    }

    /// The folder for files between their old and their new place.
    static let waitingFolder = "\(LibraryFolder.hidden)/moving"
    private static let name = "moves.json"
    private static let mostBytes = 64 << 20
    /// No sidecar exceeds it, in bytes.
    private static let mostOfSidecar = 256 << 10
    private static let log = Logger(label: "obscura.library")

    private let folder: LibraryFolder
    private let hidden: OpenFolder

    init(_ folder: LibraryFolder, _ lock: LibraryLock) {
        self.folder = folder
        hidden = lock.hidden
    }

    /// Moves an item and its sidecars durably.
    ///
    /// - Throws: ``ObscuraError/Code/fileExists`` if a target is taken; ``ObscuraError/Code/notFound`` if the item does
    ///   not exist; ``ObscuraError/Code/invalidPath`` if its sidecars cannot have the new name. Nothing is moved then.
    func run(item: String, to target: String) throws(ObscuraError) {
        let (from, to) = (PathParts(item), PathParts(target))
        let (source, place) = try ObscuraError.about(item) { () throws(SystemError) in
            (try folder.folder(from.folder), try folder.makeFolder(to.folder))
        }
        guard let status = source.status(of: from.name) else { throw .noSuchItem(item) }
        let sidecars = Sidecar.allCases.filter { source.isTaken($0.name(for: from.name)) }
        for sidecar in sidecars { try sidecar.checkName(of: to.name, at: target) }
        for name in [to.name] + sidecars.map({ $0.name(for: to.name) }) where place.isTaken(name) {
            throw .taken(target)
        }
        let moves =
            [Move(from: item, to: target)]
            + sidecars.map { Move(from: $0.name(for: item), to: $0.name(for: target)) }
        try write(Contents(moves: moves, inode: status.inode))
        do {
            try perform(moves[0])
        } catch {
            finish()
            throw ObscuraError(error, about: item)
        }
        try performSidecars(moves.dropFirst())
        finish()
    }

    /// Runs independent moves in their order. Moves that can never succeed, such as one to a name that is taken and one of
    /// a missing file, are skipped.
    func run(_ moves: [Move]) throws(ObscuraError) {
        guard !moves.isEmpty else { return }
        try write(Contents(moves: moves, inode: nil))
        try performSidecars(moves[...], skipsForbidden: true)
        finish()
    }

    /// Whether a killed process left moves to complete.
    static func isPending(_ folder: LibraryFolder) -> Bool {
        (try? folder.folder(LibraryFolder.hidden))?.isTaken(name) ?? false
    }

    /// Completes the moves of a killed process, and returns them.
    ///
    /// - Throws: ``ObscuraError/Code/damaged`` if another program has damaged the list; the error of a move.
    func complete() throws(ObscuraError) -> [Move] {
        guard hidden.isTaken(Self.name) else { return [] }
        let bytes = try ObscuraError.about(Self.name) { () throws(SystemError) in
            try hidden.open(Self.name).read(at: 0, count: Self.mostBytes)
        }
        guard let contents = LibraryJSON.decode(Contents.self, bytes),
            contents.moves.allSatisfy({ Self.isInside($0.from) && Self.isInside($0.to) })
        else {
            throw ObscuraError(
                .library, .damaged, subject: "\(folder.path)/\(LibraryFolder.hidden)/\(Self.name)",
                reason: "this list of files that still have to be moved or renamed is damaged",
                advice: "Check the names of the photos and movies in the list, then delete only the list.")
        }
        try complete(contents)
        finish()
        return contents.moves
    }

    private func complete(_ contents: Contents) throws(ObscuraError) {
        guard let inode = contents.inode, let first = contents.moves.first else {
            return try performSidecars(contents.moves[...], skipsForbidden: true)
        }
        do throws(SystemError) {
            try perform(first)
        } catch {
            // Moved already, or another program has taken the name, or replaced a folder by a link.
            guard [ENOENT, EEXIST, ENOTDIR, ELOOP].contains(error.number) else {
                throw ObscuraError(error, about: first.from)
            }
        }
        let to = PathParts(first.to)
        guard (try? folder.folder(to.folder))?.status(of: to.name)?.inode == inode else { return }
        try performSidecars(contents.moves.dropFirst())
    }

    /// - Parameter skipsForbidden: whether moves in folders that this process may not change are skipped.
    private func performSidecars(
        _ moves: ArraySlice<Move>, skipsForbidden: Bool = false
    ) throws(ObscuraError) {
        for move in moves {
            do throws(SystemError) {
                try performSidecar(move)
            } catch {
                switch error.number {
                case ENOENT: continue
                case EEXIST: Self.log.warning("\(move.from): not moved, because \(move.to) exists")
                // A name that is too long with the suffix of a sidecar, a link instead of a folder, no sidecar.
                case ENAMETOOLONG, ELOOP, ENOTDIR, EFBIG:
                    Self.log.warning("\(move.from): not moved to \(move.to): \(error.reason)")
                case EACCES where skipsForbidden, EPERM where skipsForbidden, EROFS where skipsForbidden: continue
                default: throw ObscuraError(error, about: move.from)
                }
            }
        }
    }

    /// Moves a sidecar, also to another file system: a folder of the library may be on another disk.
    private func performSidecar(_ move: Move) throws(SystemError) {
        do throws(SystemError) {
            try perform(move)
        } catch {
            guard error.number == EXDEV else { throw error }
            try copy(move)
        }
    }

    private func copy(_ move: Move) throws(SystemError) {
        let (from, to) = (PathParts(move.from), PathParts(move.to))
        let source = try folder.folder(from.folder)
        let target = try folder.makeFolder(to.folder)
        let file = try source.open(from.name)
        guard file.status.size <= Int64(Self.mostOfSidecar) else { throw SystemError(EFBIG) }
        try target.write(
            file.read(at: 0, count: Self.mostOfSidecar), to: to.name, overwrites: false, isSynced: true)
        try source.remove(from.name)
        source.synchronize()
    }

    private func finish() {
        try? hidden.remove(Self.name)
        hidden.synchronize()
    }

    private func perform(_ move: Move) throws(SystemError) {
        let (from, to) = (PathParts(move.from), PathParts(move.to))
        let source = try folder.folder(from.folder)
        let target = try folder.makeFolder(to.folder)
        try source.move(from.name, to: target, as: to.name, isResumed: true)
        target.synchronize()
        source.synchronize()
    }

    private func write(_ contents: Contents) throws(ObscuraError) {
        let json = try LibraryJSON.encode(contents, to: Self.name)
        // It is deleted after the moves, so it need not leave the space free that other files do.
        try ObscuraError.writing(Self.name, domain: .library) { () throws(SystemError) in
            try hidden.write(json, to: Self.name, overwrites: true, isSynced: true)
        }
    }

    /// Whether a path of a journal, which other programs may have written, stays in the folder.
    private static func isInside(_ path: String) -> Bool {
        let names = path.pathNames
        return names.enumerated().allSatisfy { index, name in
            (index == 0 && name == LibraryFolder.hidden && names.count > 1)
                || (!name.isEmpty && name.utf8.first != UInt8(ascii: "."))
        }
    }
}
