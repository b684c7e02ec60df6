// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Foundation
internal import Glibc
internal import Obscura
internal import ObscuraBase

/// File access in the library's folder: each file is opened by a single name, and never through a link; see
/// ``OpenFolder``.
///
/// Thread-safe; all methods block on disk access.
final class MediaDirectory: Sendable {
    private static let draftPrefix = ".obscura-studio-"

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
        guard faccessat(folder.descriptor, ".", R_OK | W_OK | X_OK, 0) == 0 else {
            throw unusable("this process may not read and write there")
        }
        self.freeSpaceFloor = freeSpaceFloor
        removeLeftovers()
    }

    /// Path of the folder, with links resolved.
    var path: String { folder.path }

    /// Opens a regular file for reading.
    ///
    /// - Throws: ``ObscuraError/Code/noSuchItem``, also for a link, pipe, socket, device or folder.
    func open(_ name: String) throws(ObscuraError) -> MediaFile {
        do {
            return MediaFile(try folder.open(name))
        } catch {
            throw ObscuraError(error, name)
        }
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
            return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd/\(folder.descriptor)")
        } catch {
            throw ObscuraError(
                .studio, .unusableFolder, subject: path, reason: "its files cannot be listed",
                advice: "Change its rights.")
        }
    }

    /// Deletes the file; for a link, deletes the link and not its target.
    ///
    /// - Throws: ``ObscuraError/Code/wrongState`` for a file that is being written, which its writer has locked.
    func remove(_ name: String) throws(ObscuraError) {
        let file = openat(folder.descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        defer { if file >= 0 { close(file) } }
        // Locked until the file is deleted, so that no process starts to write it in between.
        if file >= 0, flock(file, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            throw ObscuraError(
                .studio, .wrongState, subject: name, reason: "it is being recorded at this moment",
                advice: "End the recording first.")
        }
        guard unlinkat(folder.descriptor, name, 0) == 0 else { throw ObscuraError(SystemError.last, name) }
    }

    /// Creates a hidden temporary file.
    func makeDraft() throws(ObscuraError) -> DraftFile {
        // Random instead of the process id: processes in two containers that share a folder may have the same id.
        let number = UInt64.random(in: .min ... .max)
        return try DraftFile("\(Self.draftPrefix)\(String(number, radix: 16)).part", in: folder.descriptor, path: path)
    }

    /// Renames a complete draft durably.
    ///
    /// - Returns: false if a file of that name exists and is not to be replaced.
    func give(_ name: String, to draft: DraftFile, replacing: Bool = false) throws(ObscuraError) -> Bool {
        if replacing {
            guard renameat(folder.descriptor, draft.name, folder.descriptor, name) == 0 else {
                throw ObscuraError(SystemError.last, name)
            }
        } else if linkat(folder.descriptor, draft.name, folder.descriptor, name, 0) == 0 {
            unlinkat(folder.descriptor, draft.name, 0)
        } else {
            guard errno != EEXIST else { return false }
            guard errno == EPERM || errno == ENOTSUP || errno == EMLINK else {
                throw ObscuraError(SystemError.last, name)
            }
            // The file system has no hard links (FAT, some network file systems): check before renaming.
            guard !isTaken(name) else { return false }
            guard renameat(folder.descriptor, draft.name, folder.descriptor, name) == 0 else {
                throw ObscuraError(SystemError.last, name)
            }
        }
        fsync(folder.descriptor)
        return true
    }

    /// Writes a file atomically, replacing an existing one.
    func write(_ bytes: [UInt8], to name: String) throws(ObscuraError) {
        let draft = try makeDraft()
        try requireSpace(for: bytes.count, name)
        try draft.write(bytes, for: name)
        try draft.synchronize(for: name)
        _ = try give(name, to: draft, replacing: true)
    }

    /// Free disk space, in bytes.
    var freeSpace: Int64 {
        var status = statvfs()
        guard fstatvfs(folder.descriptor, &status) == 0 else { return 0 }
        return Int64(
            clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
    }

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
        for name in names where name.hasPrefix(Self.draftPrefix) && name.hasSuffix(".part") {
            let file = openat(folder.descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
            guard file >= 0 else { continue }
            if flock(file, LOCK_EX | LOCK_NB) == 0 { unlinkat(folder.descriptor, name, 0) }
            close(file)
        }
    }
}
