// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Foundation
internal import Glibc
internal import Obscura
internal import ObscuraBase

/// The folder of the library: each file is opened by one name and never through a link; see ``OpenFolder``.
///
/// Any thread; everything blocks on the disk.
final class MediaDirectory: Sendable {
    private let folder: OpenFolder
    private let freeSpaceFloor: Int64

    /// Creates the folder, and those above it, where they are missing, and removes the drafts of killed processes.
    ///
    /// - Parameter freeSpaceFloor: number of bytes that stay free on the disk.
    /// - Throws: ``ObscuraError/Code/unusableFolder``.
    init(path: String, freeSpaceFloor: Int64) throws(ObscuraError) {
        func unusable(_ reason: String) -> ObscuraError {
            ObscuraError(
                .studio, .unusableFolder, subject: path.isEmpty ? "folder" : path, reason: reason,
                remedy: .chooseLibrary)
        }
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw unusable("its name is empty or has a zero byte")
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
            throw unusable("this process may not read and write there")
        }
        self.freeSpaceFloor = freeSpaceFloor
        removeLeftovers()
    }

    /// Where the folder was found, without links.
    var path: String { folder.path }

    /// Opens a regular file for reading.
    ///
    /// - Throws: ``ObscuraError/Code/noSuchItem`` also for a link, a pipe, a socket, a device and a folder.
    func open(_ name: String) throws(ObscuraError) -> MediaFile {
        try about(name) { () throws(SystemError) in MediaFile(try folder.open(name)) }
    }

    /// Of a regular file; nil for all others, and for links.
    func status(of name: String) -> FileStatus? { folder.status(of: name) }

    /// Whether anything has this name.
    func isTaken(_ name: String) -> Bool { folder.isTaken(name) }

    /// All names, of whatever kind, in no order. Through the descriptor, so that a folder that was renamed still lists
    /// itself.
    func names() throws(ObscuraError) -> [String] {
        guard !folder.isDeleted else { throw .folderGone(path) }
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder.file.path)
        } catch {
            throw ObscuraError(
                .studio, .unusableFolder, subject: path, reason: "its files cannot be listed",
                advice: "Change its rights.")
        }
    }

    /// Removes a name; of a link, the link itself.
    ///
    /// - Throws: ``ObscuraError/Code/wrongState`` for a file that is being written: its writer has locked it.
    func remove(_ name: String) throws(ObscuraError) {
        let file = try? folder.openForReading(name)
        do {
            try file?.lock()
        } catch {
            // Other errors come from file systems without locks.
            if error.number == EWOULDBLOCK {
                throw ObscuraError(
                    .studio, .wrongState, subject: name, reason: "it is being recorded at this moment",
                    advice: "End the recording first.")
            }
        }
        // Locked until the name is gone, so that no process begins to write in between.
        defer { withExtendedLifetime(file) {} }
        try about(name) { () throws(SystemError) in try folder.remove(name) }
    }

    /// A new hidden file that can be written in pieces.
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

    /// Gives a complete draft its name; both are on the disk when this returns.
    ///
    /// - Returns: false if the name is taken.
    func give(_ name: String, to draft: DraftFile) throws(ObscuraError) -> Bool {
        do {
            try draft.take(name, overwrites: false, isSynced: true)
            return true
        } catch {
            guard error.number == EEXIST else { throw ObscuraError(error, name) }
            return false
        }
    }

    /// Writes a file whose name never leads to a part of it, and replaces the existing one.
    func write(_ bytes: [UInt8], to name: String) throws(ObscuraError) {
        try requireSpace(for: bytes.count, name)
        try about(name) { () throws(SystemError) in
            try folder.write(bytes, to: name, overwrites: true, isSynced: true)
        }
    }

    /// Runs `body`; its failures are those of the file `name`.
    private func about<R>(_ name: String, _ body: () throws(SystemError) -> R) throws(ObscuraError) -> R {
        do {
            return try body()
        } catch {
            throw ObscuraError(error, name)
        }
    }

    /// Free bytes on the disk of the folder; 0 if the system does not report them.
    var freeSpace: Int64 { DiskSpace.available(on: folder.file) ?? 0 }

    /// - Throws: ``ObscuraError/Code/diskFull`` when the disk would have less left than it should.
    func requireSpace(for count: Int, _ subject: String) throws(ObscuraError) {
        guard freeSpace - Int64(count) >= freeSpaceFloor else { throw .diskFull(subject) }
    }

    /// Where a file of this name lies, for those who write by paths.
    ///
    /// - Throws: ``ObscuraError/Code/unusableFolder`` if the path has come to lead to another folder, or nowhere.
    func path(of name: String) throws(ObscuraError) -> String {
        guard folder.isAtItsPath else { throw .folderGone(path) }
        return path == "/" ? "/\(name)" : "\(path)/\(name)"
    }

    private func removeLeftovers() {
        let names = (try? self.names()) ?? []
        for name in names where DraftFile.isDraft(name) { folder.removeLeftover(name) }
    }
}
