// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase
internal import ObscuraMedia

/// A small file of the user, which is read and replaced as a whole.
struct OwnFile {
    let path: String
    /// Maximum size; no settings are larger.
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

    /// Replaces the file by the result of `change` for its bytes: atomically, also after a power failure. A link is kept,
    /// and its target replaced.
    func replace(
        _ change: (_ bytes: [UInt8]?) throws(ObscuraError) -> [UInt8]
    ) throws(ObscuraError) {
        let target = try Self.followed(path)
        let parent = String(target[..<(target.lastIndex(of: "/") ?? target.startIndex)])
        let folder = parent.isEmpty ? "/" : parent
        do throws(ObscuraError) {
            try OutputFile.makeFolder(folder, permissions: 0o700)
        } catch {
            throw .unusableSettings(folder, error.reason, errno: error.errno)
        }
        let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw .system(folder, "it cannot be opened") }
        defer { close(directory) }
        // Concurrent changes must not undo each other.
        guard flock(directory, LOCK_EX | LOCK_NB) == 0 else {
            throw .unusableSettings(path, "another program is changing it at this moment", errno: errno)
        }
        let bytes = try change(try OwnFile(path: target).read())
        do throws(ObscuraError) {
            try OutputFile.writeWhole(
                bytes, to: target, in: folder, overwrites: true, isSynced: true, permissions: 0o600)
        } catch {
            throw .unusableSettings(path, "it cannot be written: \(error.reason)", errno: error.errno)
        }
    }

    /// The target of a link, which need not exist.
    private static func followed(_ path: String) throws(ObscuraError) -> String {
        var target = path
        for _ in 0..<40 {
            guard let link = FileTree().link(at: target) else { return target }
            let folder = target.lastIndex(of: "/").map { target[...$0] } ?? ""
            target = link.hasPrefix("/") ? link : folder + link
        }
        throw .unusableSettings(path, "its links are circular")
    }
}

extension ObscuraError {
    /// The error of the current `errno` for a settings file.
    fileprivate static func system(_ path: String, _ what: String) -> ObscuraError {
        let error = SystemError.last
        return .unusableSettings(path, "\(what): \(error.reason)", errno: error.number)
    }
}
