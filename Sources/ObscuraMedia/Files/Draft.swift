// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

/// A temporary file that appears under its final name only when it is complete, and is deleted otherwise.
///
/// Where the file system allows it, the draft has no name, so nothing remains if the process is killed. Otherwise its
/// name is hidden and random, because processes in two containers may have the same process id and share a folder. A
/// draft only ever removes names that it created itself. Not thread-safe: use one thread at a time.
final class Draft {
    let file: OutputFile
    private let folder: String
    /// The hidden path; nil while the file has no name.
    private var path: String?

    /// - Parameters:
    ///   - subject: the final file, for errors.
    ///   - isNameless: whether to try a file without a name first.
    init(in folder: String, for subject: String, isNameless: Bool = true) throws(ObscuraError) {
        self.folder = folder
        if isNameless, let file = OutputFile.nameless(in: folder, for: subject), file.linkSource != nil {
            self.file = file
            file.lock()
            return
        }
        let path = Self.hiddenPath(in: folder)
        do {
            file = try OutputFile.create(path, overwrites: false)
        } catch {
            throw error.about(subject)
        }
        self.path = path
        // The lock shows a cleanup of the folder that the file is still being written.
        file.lock()
    }

    deinit {
        if let path { unlink(path) }
    }

    /// Whether the draft has no name, not even a hidden one.
    var isNameless: Bool { path == nil }

    /// Moves the draft to its final name.
    ///
    /// - Throws: ``ObscuraError/Code/fileExists`` if the name is in use and must not be overwritten.
    func take(_ target: String, overwrites: Bool) throws(ObscuraError) {
        let hasName = overwrites ? replace(target) : claim(target)
        guard hasName else { throw ObscuraError(system: errno, path: target) }
    }

    /// Replaces the target by renaming: a link cannot replace a file, so the draft needs a hidden name first.
    private func replace(_ target: String) -> Bool {
        if path == nil {
            let hidden = Self.hiddenPath(in: folder)
            guard link(to: hidden) else { return false }
            path = hidden
        }
        guard let path, rename(path, target) == 0 else { return false }
        self.path = nil
        return true
    }

    private func claim(_ target: String) -> Bool {
        if link(to: target) { return true }
        guard errno != EEXIST, let path else { return false }
        // Hard links are not supported here (FAT, some network file systems): check for the file first.
        if access(target, F_OK) == 0 {
            errno = EEXIST
            return false
        }
        guard rename(path, target) == 0 else { return false }
        self.path = nil
        return true
    }

    private func link(to target: String) -> Bool {
        if let path { return Glibc.link(path, target) == 0 }
        guard let source = file.linkSource else {
            errno = ENOENT
            return false
        }
        return linkat(AT_FDCWD, source, AT_FDCWD, target, AT_SYMLINK_FOLLOW) == 0
    }

    private static func hiddenPath(in folder: String) -> String {
        "\(folder)/.obscura-\(String(UInt64.random(in: .min ... .max), radix: 16)).part"
    }
}
