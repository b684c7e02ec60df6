// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraCapture
internal import ObscuraMedia

/// A small file of the user, read whole and replaced whole.
struct OwnFile {
    let path: String
    /// No settings are larger.
    private static let mostBytes = 1 << 20

    /// The bytes; nil if there is no such file.
    func read() throws(ObscuraError) -> [UInt8]? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw .system(path, "it cannot be read")
        }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.mostBytes else {
            throw .unusableSettings(path, "it is not a file of at most 1 MiB")
        }
        guard let bytes = FileTree().bytes(of: path, limit: Self.mostBytes) else {
            throw .system(path, "it cannot be read")
        }
        return bytes
    }

    /// Replaces the file by what `change` makes of its bytes. Nobody sees a part of it, and after a power
    /// failure either the old or the new one is there. A link stays one; what it names is replaced.
    func replace(
        _ change: (_ bytes: [UInt8]?) throws(ObscuraError) -> [UInt8]
    ) throws(ObscuraError) {
        let target = try Self.followed(path)
        let folder = String(target[..<(target.lastIndex(of: "/") ?? target.startIndex)])
        try Self.make(folder.isEmpty ? "/" : folder)
        let directory = open(folder.isEmpty ? "/" : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw .system(folder, "it cannot be opened") }
        defer { close(directory) }
        // Two that change it at once must not undo each other's change.
        guard flock(directory, LOCK_EX | LOCK_NB) == 0 else {
            throw .unusableSettings(path, "another program is changing it at this moment", errno: errno)
        }
        let file = OwnFile(path: target)
        let bytes = try change(try file.read())
        try file.write(bytes)
        fsync(directory)
    }

    private func write(_ bytes: [UInt8]) throws(ObscuraError) {
        var old = stat()
        let isThere = stat(path, &old) == 0
        // The folder is locked: what has this name was left by a process that was killed.
        let draft = "\(path).part"
        unlink(draft)
        let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .system(draft, "it cannot be made") }
        var isWhole = true
        var rest = bytes[...]
        while isWhole, !rest.isEmpty {
            let count = Glibc.write(file, Array(rest), rest.count)
            if count > 0 { rest = rest.dropFirst(count) } else { isWhole = count < 0 && errno == EINTR }
        }
        // Root that changes a user's file leaves it to the user.
        if isThere { isWhole = isWhole && fchmod(file, old.st_mode & 0o777) == 0 }
        if isThere, geteuid() == 0 { isWhole = isWhole && fchown(file, old.st_uid, old.st_gid) == 0 }
        isWhole = isWhole && fsync(file) == 0
        isWhole = close(file) == 0 && isWhole
        guard isWhole, rename(draft, path) == 0 else {
            let error = ObscuraError.system(path, "it cannot be written")
            unlink(draft)
            throw error
        }
    }

    /// Where a link leads, also one that leads to nothing yet.
    private static func followed(_ path: String) throws(ObscuraError) -> String {
        var target = path
        for _ in 0..<40 {
            guard let link = FileTree().link(at: target) else { return target }
            let folder = target.lastIndex(of: "/").map { target[...$0] } ?? ""
            target = link.hasPrefix("/") ? link : folder + link
        }
        throw .unusableSettings(path, "its links lead in a circle")
    }

    /// Makes the folder and those above it, for this user alone.
    private static func make(_ folder: String) throws(ObscuraError) {
        var status = stat()
        if stat(folder, &status) == 0 { return }
        if let slash = folder.lastIndex(of: "/"), slash != folder.startIndex { try make(String(folder[..<slash])) }
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw .system(folder, "it cannot be made") }
    }
}

extension ObscuraError {
    /// What `errno` says of a file of settings.
    fileprivate static func system(_ path: String, _ what: String) -> ObscuraError {
        let status = Glibc.errno
        return .unusableSettings(path, "\(what): \(String(cString: strerror(status)).lowercased())", errno: status)
    }
}
