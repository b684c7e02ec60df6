// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

extension OpenFolder {
    /// Opens a folder in this folder.
    ///
    /// - Throws: `ELOOP` or `ENOTDIR` for a link, also one to a folder.
    package func subfolder(_ name: String) throws(SystemError) -> OpenFolder {
        try OpenFolder(
            FileDescriptor(opening: single(name), in: file, O_RDONLY | O_DIRECTORY | O_NOFOLLOW),
            path: "\(path)/\(name)")
    }

    /// Opens a folder in this folder, and creates it if it is missing.
    package func makeSubfolder(_ name: String) throws(SystemError) -> OpenFolder {
        guard mkdirat(file.number, try single(name), 0o777) == 0 || errno == EEXIST else { throw .last }
        return try subfolder(name)
    }

    /// Removes an empty folder in this folder.
    package func removeSubfolder(_ name: String) throws(SystemError) {
        guard unlinkat(file.number, try single(name), AT_REMOVEDIR) == 0 else { throw .last }
    }

    /// Moves a file to another folder of the same file system.
    ///
    /// A process that is killed in between may leave the file with both names.
    ///
    /// - Parameter isResumed: whether a file that has both names loses the old one, after such an end.
    /// - Throws: `EEXIST` if the name is taken; `EXDEV` for a folder on another file system.
    package func move(
        _ name: String, to folder: OpenFolder, as target: String, isResumed: Bool = false
    ) throws(SystemError) {
        let (name, target) = (try single(name), try single(target))
        if linkat(file.number, name, folder.file.number, target, 0) == 0 {
            do {
                return try remove(name)
            } catch {
                try? folder.remove(target)
                throw error
            }
        }
        let error = SystemError.last
        switch error.number {
        case EEXIST where isResumed && hasTwoNames(name, in: folder, target): try remove(name)
        case EEXIST, EXDEV, ENOENT, ENOTDIR, ENOSPC, EDQUOT, EACCES, EROFS: throw error
        default:
            // A file system without hard links (FAT, some network file systems): look first.
            guard !folder.isTaken(target) else { throw SystemError(EEXIST) }
            guard renameat(file.number, name, folder.file.number, target) == 0 else { throw .last }
        }
    }

    private func hasTwoNames(_ name: String, in folder: OpenFolder, _ target: String) -> Bool {
        guard let own = status(of: name), let other = folder.status(of: target), own.isOfSameFile(as: other),
            let place = try? FileStatus(of: file), let targetPlace = try? FileStatus(of: folder.file)
        else { return false }
        return PathKey(name) != PathKey(target) || !place.isOfSameFile(as: targetPlace)
    }

    /// Whether this is a folder, or is below it, also by another path (a bind mount).
    package func isInside(_ folder: OpenFolder) -> Bool {
        guard let root = try? FileStatus(of: folder.file), var place = try? FileStatus(of: file) else { return false }
        var current = file
        // The longest path has fewer names.
        for _ in 0..<4096 {
            if place.isOfSameFile(as: root) { return true }
            guard let parent = try? FileDescriptor(opening: "..", in: current, O_RDONLY | O_DIRECTORY),
                let status = try? FileStatus(of: parent), !status.isOfSameFile(as: place)
            else { return false }
            (current, place) = (parent, status)
        }
        return false
    }
}
