// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase
internal import ObscuraMedia

/// File access in the folder of a library: each file is opened by relative paths, and never through a link.
///
/// Thread-safe; all methods block on the disk.
final class LibraryFolder: Sendable {
    /// The hidden folder with the lists, the trash and the lock of the library.
    static let hidden = ".obscura"

    let root: OpenFolder
    /// The number of bytes to leave free on the disk.
    let minimumFreeSpace: Int64

    /// - Throws: ``ObscuraError/Code/notFound``, ``ObscuraError/Code/notAuthorized``.
    convenience init(path: String, minimumFreeSpace: Int64) throws(ObscuraError) {
        do {
            self.init(root: try OpenFolder(path: path), minimumFreeSpace: minimumFreeSpace)
        } catch {
            throw ObscuraError(error, reading: path, domain: .library)
        }
    }

    init(root: OpenFolder, minimumFreeSpace: Int64) {
        self.root = root
        self.minimumFreeSpace = minimumFreeSpace
    }

    var path: String { root.path }

    /// - Throws: ``ObscuraError/Code/notFound`` if the folder was deleted, or its disk was removed.
    func requirePresence() throws(ObscuraError) {
        guard !root.isDeleted, (try? FileStatus(of: root.file)) != nil else { throw .folderGone(path) }
    }

    /// Opens a folder of the library by its relative path; empty for the folder of the library itself. A path may lead
    /// into the hidden folder. A dot is the folder itself.
    func folder(_ path: String) throws(SystemError) -> OpenFolder {
        var folder = root
        for name in path.pathNames where !name.isEmpty && name != "." { folder = try folder.subfolder(name) }
        return folder
    }

    /// Opens a folder, and creates it if it is missing.
    func makeFolder(_ path: String) throws(SystemError) -> OpenFolder {
        var folder = root
        for name in path.pathNames where !name.isEmpty && name != "." { folder = try folder.makeSubfolder(name) }
        return folder
    }

    /// Opens the file of an item.
    func open(_ path: LibraryPath) throws(ObscuraError) -> MediaFile {
        try ObscuraError.about(path.text) { () throws(SystemError) in
            MediaFile(try folder(path.folder).open(path.name))
        }
    }

    /// Returns the status of a file; nil if there is no regular file.
    func status(of path: LibraryPath) -> FileStatus? {
        (try? folder(path.folder))?.status(of: path.name)
    }

    /// Whether a file exists at a path.
    func hasFile(_ path: String) -> Bool {
        let parts = PathParts(path)
        return (try? folder(parts.folder))?.isTaken(parts.name) ?? false
    }

    /// - Throws: ``ObscuraError/Code/diskFull`` if less than the minimum would be free after writing `count` bytes.
    func requireSpace(for count: Int64, _ subject: String) throws(ObscuraError) {
        guard let free = DiskSpace.available(on: root.file), free - count < minimumFreeSpace else { return }
        throw ObscuraError(SystemError(ENOSPC), writing: subject, domain: .library)
    }

    /// Writes a small file atomically and durably.
    func write(_ bytes: [UInt8], to name: String, in folder: OpenFolder) throws(ObscuraError) {
        try requireSpace(for: Int64(bytes.count), name)
        do {
            try folder.write(bytes, to: name, overwrites: true, isSynced: true)
        } catch {
            throw ObscuraError(error, writing: name, domain: .library)
        }
    }
}
