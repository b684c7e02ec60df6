// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

/// A file that nobody sees until it is whole and is given its name; gone if it never is.
///
/// Where the file system allows it, the draft has no name, and nothing is left of it if the process is killed. Else its
/// name is hidden and random: processes in two containers may have one number and share a folder. Only a name that
/// this draft has made is ever removed. One thread at a time.
final class Draft {
    let file: OutputFile
    private let folder: String
    /// Its hidden path; nil while it has none.
    private var path: String?

    /// - Parameters:
    ///   - subject: the file that it is to become, for errors.
    ///   - isNameless: whether to try without a name first.
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
        // Who tidies the folder up tells by the lock that somebody still writes it.
        file.lock()
    }

    deinit {
        if let path { unlink(path) }
    }

    /// Whether it has no name, not even a hidden one.
    var isNameless: Bool { path == nil }

    /// Gives it its name.
    ///
    /// - Throws: ``ObscuraError/Code/fileExists`` where the name is taken and must not be overwritten.
    func take(_ target: String, overwrites: Bool) throws(ObscuraError) {
        let hasName = overwrites ? replace(target) : claim(target)
        guard hasName else { throw ObscuraError(system: errno, path: target) }
    }

    /// A link cannot replace a file: the draft needs a name of its own first.
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
        // No hard links here (FAT, some network file systems): look first.
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
