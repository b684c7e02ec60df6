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
    private static let draftPrefix = ".obscura-studio-"

    private let folder: OpenFolder
    private let freeSpaceFloor: Int64

    /// Makes the folder, and those above it, where they are missing, and takes away what a killed Studio left.
    ///
    /// - Parameter freeSpaceFloor: so many bytes are left free on the disk.
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

    /// Where the folder was found, without links.
    var path: String { folder.path }

    /// Opens a regular file for reading.
    ///
    /// - Throws: ``ObscuraError/Code/noSuchItem`` also for a link, a pipe, a socket, a device and a folder.
    func open(_ name: String) throws(ObscuraError) -> MediaFile {
        do {
            return MediaFile(try folder.open(name))
        } catch {
            throw ObscuraError(error, name)
        }
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
            return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd/\(folder.descriptor)")
        } catch {
            throw ObscuraError(
                .studio, .unusableFolder, subject: path, reason: "its files cannot be listed",
                advice: "Change its rights.")
        }
    }

    /// Takes the name away; a link goes, and not what it leads to.
    ///
    /// - Throws: ``ObscuraError/Code/wrongState`` for a file that is being written: it is locked by who does.
    func remove(_ name: String) throws(ObscuraError) {
        let file = openat(folder.descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        defer { if file >= 0 { close(file) } }
        // Held until the name is gone, so that nobody begins to write in between.
        if file >= 0, flock(file, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            throw ObscuraError(
                .studio, .wrongState, subject: name, reason: "it is being recorded at this moment",
                advice: "End the recording first.")
        }
        guard unlinkat(folder.descriptor, name, 0) == 0 else { throw ObscuraError(SystemError.last, name) }
    }

    /// A new hidden file.
    func makeDraft() throws(ObscuraError) -> DraftFile {
        // Not by the process: in containers, two that share a folder may have the same number.
        let number = UInt64.random(in: .min ... .max)
        return try DraftFile("\(Self.draftPrefix)\(String(number, radix: 16)).part", in: folder.descriptor, path: path)
    }

    /// Gives a whole draft its name, for good.
    ///
    /// - Returns: false if somebody else has the name and it is not to be replaced.
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
            // No hard links here (FAT, some network file systems): look first.
            guard !isTaken(name) else { return false }
            guard renameat(folder.descriptor, draft.name, folder.descriptor, name) == 0 else {
                throw ObscuraError(SystemError.last, name)
            }
        }
        fsync(folder.descriptor)
        return true
    }

    /// Writes a file that is never seen in part, and replaces the one that is there.
    func write(_ bytes: [UInt8], to name: String) throws(ObscuraError) {
        let draft = try makeDraft()
        try requireSpace(for: bytes.count, name)
        try draft.write(bytes, for: name)
        try draft.synchronize(for: name)
        _ = try give(name, to: draft, replacing: true)
    }

    /// Bytes that may still be written.
    var freeSpace: Int64 {
        var status = statvfs()
        guard fstatvfs(folder.descriptor, &status) == 0 else { return 0 }
        return Int64(
            clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
    }

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

    /// Drafts that nobody holds a lock on belong to nobody.
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
