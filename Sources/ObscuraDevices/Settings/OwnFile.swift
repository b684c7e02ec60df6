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

    /// Returns the bytes; nil if there is no such file.
    func read() throws(ObscuraError) -> [UInt8]? {
        do throws(SystemError) {
            let file = try FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK)
            let status = try FileStatus(of: file)
            if status.kind == .regular, status.size <= Self.mostBytes { return try file.read(upTo: Self.mostBytes) }
        } catch {
            if error.number == ENOENT || error.number == ENOTDIR { return nil }
            throw .unusableSettings(path, "it cannot be read: \(error.reason)", errno: error.number)
        }
        throw .unusableSettings(path, "it is not a regular file, or is larger than 1 MiB")
    }

    /// Replaces the file by the result of `change` for its bytes: atomically, also after a power failure. A link is
    /// kept, and its target replaced.
    func replace(
        _ change: (_ bytes: [UInt8]?) throws(ObscuraError) -> [UInt8]
    ) throws(ObscuraError) {
        let target = try Self.followed(path)
        let parts = PathParts(target)
        let folder: OpenFolder
        do throws(SystemError) {
            try OpenFolder.make(parts.folder, permissions: 0o700)
            folder = try OpenFolder(path: parts.folder)
        } catch {
            throw .unusableSettings(writing: parts.folder, error)
        }
        do {
            // Concurrent changes must not undo each other.
            try folder.file.lock()
        } catch {
            guard error.number == EWOULDBLOCK else { throw .unusableSettings(writing: parts.folder, error) }
            throw .unusableSettings(path, "another program is changing it at this moment", errno: error.number)
        }
        let bytes = try change(try OwnFile(path: target).read())
        do {
            try folder.write(bytes, to: parts.name, overwrites: true, isSynced: true, permissions: 0o600)
        } catch {
            throw .unusableSettings(writing: path, error)
        }
    }

    /// Returns the target of a link, which need not exist.
    private static func followed(_ path: String) throws(ObscuraError) -> String {
        var target = path
        for _ in 0..<40 {
            guard let link = FileTree().link(at: target) else { return target }
            let folder = target.lastIndex(of: "/").map { target[...$0] } ?? ""
            target = link.hasPrefix("/") ? link : folder + link
        }
        throw .unusableSettings(path, "its symbolic links form a loop")
    }
}

extension ObscuraError {
    fileprivate static func unusableSettings(writing path: String, _ error: SystemError) -> ObscuraError {
        .unusableSettings(
            path, "it cannot be written: \(ObscuraError(error, writing: path).reason)", errno: error.number)
    }
}
