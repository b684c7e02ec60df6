// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

extension OpenFolder {
    /// Renames a file of this folder.
    ///
    /// - Parameters:
    ///   - overwrites: whether an existing file of the new name is replaced.
    ///   - isSynced: whether the names are on the disk when this returns: after a power loss either the old or the new
    ///     name exists.
    /// - Throws: `EEXIST` if the name is taken and must not be overwritten.
    package func rename(
        _ name: String, to target: String, overwrites: Bool, isSynced: Bool = false
    ) throws(SystemError) {
        if !overwrites, linkat(file.number, name, file.number, target, 0) == 0 {
            unlinkat(file.number, name, 0)
        } else {
            if !overwrites {
                guard errno != EEXIST else { throw .last }
                // A file system without hard links (FAT, some network file systems): look first.
                guard !isTaken(target) else { throw SystemError(EEXIST) }
            }
            guard renameat(file.number, name, file.number, target) == 0 else { throw .last }
        }
        if isSynced { synchronize() }
    }

    /// Creates a file that is locked (flock(2)) before another process can use it.
    ///
    /// The lock distinguishes a file that is being written from one that a killed process has left.
    ///
    /// - Parameter isLeftover: returns whether an existing regular file that no process has locked may lose this name;
    ///   called with the file, which is then locked. The bytes of the file are not changed, because it may have another
    ///   name.
    /// - Returns: the file, empty and for reading and writing.
    /// - Throws: `EEXIST` for a file that is in use or not a leftover.
    package func createLocked(
        _ name: String, replacing isLeftover: (FileDescriptor) -> Bool = { _ in false }
    ) throws(SystemError) -> FileDescriptor {
        // Another process may create or remove the file between two steps; then the steps are repeated.
        for _ in 0..<16 {
            do throws(SystemError) {
                let created = try FileDescriptor(opening: name, in: file, O_RDWR | O_CREAT | O_EXCL)
                // Another process may have the lock for a moment; if it takes the file for a leftover, it removes it.
                try? created.lock(waits: true)
                if created.isFile(at: name, in: file) { return created }
            } catch {
                guard error.number == EEXIST, removeLeftover(name, isLeftover) else { throw error }
            }
        }
        throw SystemError(EEXIST)
    }

    /// Whether ``createLocked(_:replacing:)`` would create the file.
    package func canCreateLocked(_ name: String, replacing isLeftover: (FileDescriptor) -> Bool) -> Bool {
        !isTaken(name) || withLeftover(name, isLeftover) { true }
    }

    /// Removes a file that no process has locked, if it is a leftover.
    ///
    /// - Returns: whether the name is free.
    @discardableResult
    package func removeLeftover(_ name: String, _ isLeftover: (FileDescriptor) -> Bool = { _ in true }) -> Bool {
        withLeftover(name, isLeftover) { unlinkat(file.number, name, 0) == 0 }
    }

    /// Whether `body` returns true for a leftover, which is locked during the call; also true if the file no longer
    /// exists.
    private func withLeftover(_ name: String, _ isLeftover: (FileDescriptor) -> Bool, _ body: () -> Bool) -> Bool {
        do throws(SystemError) {
            // A link may lead anywhere, and a pipe would block.
            let found = try openForReading(name).locked()
            guard try FileStatus(of: found).kind == .regular, isLeftover(found) else { return false }
            return !found.isFile(at: name, in: file) || body()
        } catch {
            return error.number == ENOENT
        }
    }
}
