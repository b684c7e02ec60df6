// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

/// A new file in a folder. The file gets its name when it is complete; otherwise it is deleted with this object.
///
/// Where the file system allows it, the draft has no name, and nothing is left of it if the process is killed.
/// Otherwise its name is hidden and random, since processes in two containers may have the same number and share a
/// folder. Only a name that this draft has created is ever removed. The file is locked (flock(2)), which distinguishes
/// it from one that a killed process has left. One thread at a time.
package final class DraftFile: Sendable {
    package let file: FileDescriptor
    private let folder: OpenFolder
    /// Nil while it has no hidden name.
    private let hiddenName: Lock<String?>

    /// - Parameter isNameless: whether a file without a name is tried first. Some systems create such a file but do not
    ///   allow it to be named, so use this only for bytes that can be written again.
    package init(in folder: OpenFolder, isNameless: Bool) throws(SystemError) {
        self.folder = folder
        if isNameless, let file = Self.nameless(in: folder) {
            self.file = file
            hiddenName = Lock(nil)
        } else {
            let name = Self.makeName()
            file = try folder.createLocked(name)
            hiddenName = Lock(name)
        }
    }

    /// Creates a draft with a hidden name of the caller's choice.
    ///
    /// - Parameter isLeftover: see ``OpenFolder/createLocked(_:replacing:)``.
    package init(
        in folder: OpenFolder, name: String, replacing isLeftover: (FileDescriptor) -> Bool
    ) throws(SystemError) {
        self.folder = folder
        file = try folder.createLocked(name, replacing: isLeftover)
        hiddenName = Lock(name)
    }

    deinit {
        discard()
    }

    /// Whether the file has no name yet, not even a hidden one.
    package var isNameless: Bool { hiddenName.withLock { $0 == nil } }

    /// Whether a name has the form of a draft's hidden name.
    package static func isDraft(_ name: String) -> Bool { name.hasPrefix(prefix) && name.hasSuffix(suffix) }

    /// Removes the hidden name now. Does nothing after ``take(_:overwrites:isSynced:)``.
    package func discard() {
        hiddenName.withLock { name in
            if let hidden = name { try? folder.remove(hidden) }
            name = nil
        }
    }

    /// Opens the draft for reading; see ``OpenFolder/open(_:)``.
    ///
    /// - Parameter name: the name that the result reports.
    package func open(as name: String) throws(SystemError) -> OpenFile {
        try OpenFile(FileDescriptor(opening: file.path, O_RDONLY), name: name)
    }

    /// Renames the draft to its final name, and ends its lock: others may use the file at once, although this object may
    /// be released later.
    ///
    /// - Parameters:
    ///   - overwrites: whether an existing file is replaced.
    ///   - isSynced: whether the bytes and the name are on the disk when this returns.
    /// - Throws: `EEXIST` if the name is taken and must not be overwritten. The draft stays as it is.
    package func take(_ target: String, overwrites: Bool, isSynced: Bool = false) throws(SystemError) {
        if isSynced { try file.synchronize() }
        try hiddenName.withLock { name throws(SystemError) in
            if name == nil, !overwrites { return try link(to: target) }
            // A link cannot replace a file: the draft needs a name of its own first.
            let hidden = name ?? Self.makeName()
            if name == nil { try link(to: hidden) }
            name = hidden
            try folder.rename(hidden, to: target, overwrites: overwrites)
            name = nil
        }
        file.unlock()
        if isSynced { folder.synchronize() }
    }

    private func link(to name: String) throws(SystemError) {
        guard linkat(AT_FDCWD, file.path, folder.file.number, name, AT_SYMLINK_FOLLOW) == 0 else { throw .last }
    }

    /// Nil where the file system has no files without names, or the system cannot name them.
    private static func nameless(in folder: OpenFolder) -> FileDescriptor? {
        // Swift does not import O_TMPFILE; these are its bits on all systems that Swift supports.
        let flags = 0o20_000_000 | O_DIRECTORY | O_RDWR
        guard let file = try? FileDescriptor(opening: ".", in: folder.file, flags), access(file.path, F_OK) == 0 else {
            return nil
        }
        // It may get a hidden name before its own; it must be locked by then.
        try? file.lock()
        return file
    }

    private static let prefix = ".obscura-"
    private static let suffix = ".part"

    private static func makeName() -> String {
        prefix + String(UInt64.random(in: .min ... .max), radix: 16) + suffix
    }
}

extension OpenFolder {
    /// Writes a file atomically: its name never refers to a part of it.
    ///
    /// - Parameters:
    ///   - overwrites: whether an existing file is replaced; if it is a link, the link itself.
    ///   - isSynced: whether bytes and name are on the disk when this returns. Otherwise a power loss soon afterwards
    ///     may leave an empty file of this name.
    ///   - permissions: the permissions of a new file; a replaced file keeps its permissions and its owner. Nil: the
    ///     default permissions, also for a replaced file.
    package func write(
        _ bytes: [UInt8], to name: String, overwrites: Bool, isSynced: Bool = false, permissions: UInt32? = nil
    ) throws(SystemError) {
        func write(_ draft: DraftFile) throws(SystemError) {
            if let permissions { try draft.file.copyPermissions(of: name, in: self, otherwise: permissions) }
            try draft.file.write(bytes)
            try draft.take(name, overwrites: overwrites, isSynced: isSynced)
        }
        let draft = try DraftFile(in: self, isNameless: true)
        do throws(SystemError) {
            try write(draft)
        } catch {
            // Some systems create files without names, but do not allow them to be named (AppArmor: ENOENT).
            guard draft.isNameless, [ENOENT, EPERM, EACCES].contains(error.number) else { throw error }
            try write(DraftFile(in: self, isNameless: false))
        }
    }
}

extension FileDescriptor {
    /// Copies the permissions of a file, and its owner: if root changes a user's file, the user keeps it.
    ///
    /// - Parameter permissions: for the case that the file does not exist.
    fileprivate func copyPermissions(
        of name: String, in folder: OpenFolder, otherwise permissions: UInt32
    ) throws(SystemError) {
        let old = try? FileStatus(path: name, in: folder.file)
        guard fchmod(number, old?.permissions ?? permissions) == 0 else { throw .last }
        guard let old, geteuid() == 0 else { return }
        guard fchown(number, old.owner, old.group) == 0 else { throw .last }
    }
}
