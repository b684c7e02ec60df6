// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// The files of one folder of a library.
struct FolderScan: Sendable {
    /// A photo or movie.
    struct Found: Sendable, Hashable {
        let path: LibraryPath
        let stamp: String
        let sidecars: String
        let size: Int64
    }

    let folder: OpenFolder
    private(set) var items: [Found] = []
    /// Paths of the folders in this folder.
    private(set) var subfolders: [String] = []
    /// Sidecars without an item, by name.
    private(set) var orphans: [String] = []
    private(set) var problems: [LibraryProblem] = []

    /// Reads a folder, and deletes the temporary files of killed processes if possible.
    ///
    /// - Parameter willRead: called when the folder is open.
    init(
        _ path: String, in library: LibraryFolder, willRead: (OpenFolder) -> Void = { _ in }
    ) throws(SystemError) {
        folder = try library.folder(path)
        willRead(folder)
        let listing = try folder.listing()
        func whole(_ name: String) -> String { path.isEmpty ? name : "\(path)/\(name)" }
        problems = listing.invalidNames.map { LibraryProblem(kind: .invalidName, path: whole($0)) }
        var owners: [PathKey: [String]] = [:]
        for name in listing.names {
            if DraftFile.isDraft(name) { folder.removeLeftover(name) }
            guard name.utf8.first != UInt8(ascii: ".") else { continue }
            guard let status = try? FileStatus(path: name, in: folder.file, followsLinks: false),
                status.kind == .regular || status.kind == .folder
            else { continue }
            guard let found = LibraryPath(name: name, in: path) else {
                problems.append(LibraryProblem(kind: .invalidName, path: whole(name)))
                continue
            }
            if status.kind == .folder {
                subfolders.append(found.text)
            } else if let owner = Sidecar.owner(of: name) {
                owners[PathKey(owner), default: []].append(name)
            } else if found.type != nil {
                items.append(Found(path: found, stamp: status.stamp, sidecars: "", size: status.size))
            } else if found.isRecording, folder.canCreateLocked(name, replacing: { _ in true }) {
                // A recording that is running is locked.
                problems.append(LibraryProblem(kind: .interruptedRecording, path: found.text))
            }
        }
        items = items.map { item in
            guard owners.removeValue(forKey: PathKey(item.path.name)) != nil else { return item }
            return Found(
                path: item.path, stamp: item.stamp, sidecars: ItemReader.sidecars(of: item.path.name, in: folder),
                size: item.size)
        }
        orphans = owners.values.flatMap(\.self).sorted()
    }
}

extension FolderScan {
    /// Whether the files of an item are as the index knows them. A file that could not be opened does not change when it
    /// can be.
    func isUnchanged(_ item: Found, since known: LibraryIndex.Known) -> Bool {
        known.stamp == item.stamp && known.sidecars == item.sidecars
            && (known.wasOpened || (try? folder.open(item.path.name)) == nil)
    }
}
