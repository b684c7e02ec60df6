// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import Obscura
internal import ObscuraBase
internal import ObscuraLibrary

/// File access in the library's folder: each file is opened by a single name, and never through a link; see
/// ``OpenFolder``.
///
/// Thread-safe; all methods block on disk access.
final class MediaDirectory: Sendable {
    /// The deleted items, in the hidden folder of the library.
    let trash: LibraryTrash
    private let folder: OpenFolder
    private let freeSpaceFloor: Int64

    /// Creates the folder and its parents if missing, and deletes the temporary files of killed processes.
    ///
    /// - Parameter freeSpaceFloor: number of bytes to leave free on the disk.
    /// - Throws: ``ObscuraError/Code/unusableFolder``.
    init(path: String, freeSpaceFloor: Int64) throws(ObscuraError) {
        func unusable(_ reason: String) -> ObscuraError {
            ObscuraError(
                .studio, .unusableFolder, subject: path.isEmpty ? "folder" : path, reason: reason,
                remedy: .chooseLibrary)
        }
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw unusable("its path is empty or contains a zero byte")
        }
        do {
            try OutputFile.makeFolder(path)
        } catch {
            throw unusable(error.reason)
        }
        do {
            folder = try OpenFolder(path: path)
        } catch {
            throw unusable(error.number == ENOTDIR ? "it is a file, not a folder" : error.reason)
        }
        guard faccessat(folder.file.number, ".", R_OK | W_OK | X_OK, 0) == 0 else {
            throw unusable("this process has no permission to read and write it")
        }
        trash = LibraryTrash(in: folder)
        self.freeSpaceFloor = freeSpaceFloor
        removeLeftovers()
    }

    /// Path of the folder, with links resolved.
    var path: String { folder.path }

    /// Opens a regular file for reading.
    ///
    /// - Throws: ``ObscuraError/Code/noSuchItem``, also for a link, pipe, socket, device or folder.
    func open(_ name: String) throws(ObscuraError) -> MediaFile {
        try about(name) { () throws(SystemError) in MediaFile(try folder.open(name)) }
    }

    /// Returns the status of a regular file; nil for other kinds of files, including links.
    func status(of name: String) -> FileStatus? { folder.status(of: name) }

    /// Whether any file, of whatever kind, has this name.
    func isTaken(_ name: String) -> Bool { folder.isTaken(name) }

    /// Returns all names, of files of any kind, unordered. Reads through the descriptor, which remains valid if the
    /// folder is renamed.
    func names() throws(ObscuraError) -> [String] {
        guard !folder.isDeleted else { throw .folderGone(path) }
        do {
            return try folder.listing().names
        } catch {
            throw ObscuraError(
                .studio, .unusableFolder, subject: path, reason: "its files cannot be listed",
                advice: "Change the permissions of the folder.")
        }
    }

    /// Deletes the file; for a link, deletes the link and not its target.
    ///
    /// - Throws: ``ObscuraError/Code/wrongState`` for a file that is being written, which its writer has locked.
    func remove(_ name: String) throws(ObscuraError) {
        try whileUnused(name) { () throws(ObscuraError) in
            try about(name) { () throws(SystemError) in try folder.remove(name) }
        }
    }

    /// Runs `body` while no process writes the file.
    ///
    /// - Throws: ``ObscuraError/Code/wrongState`` for a file that is being written, which its writer has locked.
    func whileUnused<R>(_ name: String, _ body: () throws(ObscuraError) -> R) throws(ObscuraError) -> R {
        let file = try? folder.openForReading(name)
        do {
            try file?.lock()
        } catch {
            // Other errors come from file systems without locks.
            if error.number == EWOULDBLOCK {
                throw ObscuraError(
                    .studio, .wrongState, subject: name, reason: "it is being recorded",
                    advice: "Stop the recording first.")
            }
        }
        // Locked until the end, so that no process starts to write it in between.
        defer { withExtendedLifetime(file) {} }
        return try body()
    }

    /// Creates a hidden temporary file, which can be written in pieces.
    func makeDraft() throws(ObscuraError) -> DraftFile {
        do {
            return try DraftFile(in: folder, isNameless: false)
        } catch {
            throw error.number == ENOENT ? .folderGone(path) : ObscuraError(error, path)
        }
    }

    /// Adds bytes to a draft.
    ///
    /// - Throws: ``ObscuraError/Code/diskFull``.
    func append(_ bytes: [UInt8], to draft: DraftFile, for subject: String) throws(ObscuraError) {
        try requireSpace(for: bytes.count, subject)
        try about(subject) { () throws(SystemError) in try draft.file.write(bytes) }
    }

    /// Opens a draft for reading.
    func open(_ draft: DraftFile, for subject: String) throws(ObscuraError) -> MediaFile {
        try about(subject) { () throws(SystemError) in MediaFile(try draft.open(as: subject)) }
    }

    /// Renames a complete draft durably.
    ///
    /// - Returns: false if a file of that name exists.
    func give(_ name: String, to draft: DraftFile) throws(ObscuraError) -> Bool {
        do {
            try draft.take(name, overwrites: false, isSynced: true)
            return true
        } catch {
            guard error.number == EEXIST else { throw ObscuraError(error, name) }
            return false
        }
    }

    /// Writes a file atomically, replacing an existing one.
    func write(_ bytes: [UInt8], to name: String) throws(ObscuraError) {
        try requireSpace(for: bytes.count, name)
        try about(name) { () throws(SystemError) in
            try folder.write(bytes, to: name, overwrites: true, isSynced: true)
        }
    }

    /// The states of an item's edits and notes.
    func sidecarStamps(of name: String) -> String { ItemReader.sidecars(of: name, in: folder) }

    /// The file with the ribbon, in the hidden folder of the library.
    private static let hiddenName = "ribbon.json"

    /// Reads the file with the ribbon; nil if it is missing or larger than `limit`.
    func hiddenFile(upTo limit: Int) -> [UInt8]? {
        guard let file = try? folder.subfolder(MediaLibrary.hiddenFolder).open(Self.hiddenName),
            file.status.size <= Int64(limit)
        else { return nil }
        return try? file.read(at: 0, count: limit)
    }

    /// Writes the file with the ribbon atomically.
    func writeHiddenFile(_ bytes: [UInt8]) throws {
        try requireSpace(for: bytes.count, Self.hiddenName)
        try folder.makeSubfolder(MediaLibrary.hiddenFolder).write(bytes, to: Self.hiddenName, overwrites: true)
    }

    /// Runs `body`, and converts its errors to those of the file `name`.
    private func about<R>(_ name: String, _ body: () throws(SystemError) -> R) throws(ObscuraError) -> R {
        do {
            return try body()
        } catch {
            throw ObscuraError(error, name)
        }
    }

    /// Free disk space, in bytes; 0 if unknown.
    var freeSpace: Int64 { DiskSpace.available(on: folder.file) ?? 0 }

    /// - Throws: ``ObscuraError/Code/diskFull`` if the disk would then have less free space than the floor.
    func requireSpace(for count: Int, _ subject: String) throws(ObscuraError) {
        guard freeSpace - Int64(count) >= freeSpaceFloor else { throw .diskFull(subject) }
    }

    /// Returns the path of a file, for code that opens files by path.
    ///
    /// - Throws: ``ObscuraError/Code/unusableFolder`` if the path no longer leads to this folder.
    func path(of name: String) throws(ObscuraError) -> String {
        guard folder.isAtItsPath else { throw .folderGone(path) }
        return path == "/" ? "/\(name)" : "\(path)/\(name)"
    }

    /// Deletes temporary files that no process has locked.
    private func removeLeftovers() {
        let names = (try? self.names()) ?? []
        for name in names where DraftFile.isDraft(name) { folder.removeLeftover(name) }
    }
}
