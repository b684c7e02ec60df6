// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Foundation
internal import ObscuraBase
internal import ObscuraMedia

/// The albums of a library, in a file of its hidden folder.
///
/// The items are in the ``ItemNotes`` of each item, by the identifier of the album. Therefore renaming or deleting an
/// album writes one file; identifiers of deleted albums in notes are ignored.
enum AlbumList {
    static let name = "albums.json"
    static let mostAlbums = 10_000
    /// More than the most albums with the longest names take.
    private static let mostBytes = 16 << 20
    /// In Unicode scalars: a character can have any number of them.
    private static let longestName = 200

    /// Reads the albums; none if the file is missing.
    ///
    /// - Throws: ``ObscuraError/Code/damaged``, and errors of the disk. The list must not be written then.
    static func read(_ folder: LibraryFolder) throws(ObscuraError) -> [Album] {
        let path = "\(LibraryFolder.hidden)/\(name)"
        guard folder.hasFile(path) else { return [] }
        let bytes = try ObscuraError.about(path) { () throws(SystemError) in
            try folder.folder(LibraryFolder.hidden).open(name).read(at: 0, count: mostBytes)
        }
        guard let albums = LibraryJSON.decode([Album].self, bytes) else {
            throw ObscuraError(
                .library, .damaged, subject: "\(folder.path)/\(path)", reason: "the list of albums is damaged",
                advice: "Repair or delete the file. Deleting it deletes the albums, but no photos or movies.")
        }
        return albums
    }

    /// Returns the status of the file as text; empty if there is none.
    static func stamp(_ folder: LibraryFolder) -> String {
        (try? folder.folder(LibraryFolder.hidden))?.status(of: name).map(\.stamp) ?? ""
    }

    static func write(_ albums: [Album], _ folder: LibraryFolder, _ lock: LibraryLock) throws(ObscuraError) {
        try folder.write(LibraryJSON.encode(albums, to: name), to: name, in: lock.hidden)
    }

    /// Returns a name without spaces at its ends.
    ///
    /// - Throws: ``ObscuraError/Code/invalidRequest``.
    static func checked(_ name: String) throws(ObscuraError) -> String {
        let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
        guard (1...longestName).contains(name.unicodeScalars.count),
            !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else {
            throw ObscuraError(
                .library, .invalidRequest, subject: "album name",
                reason: "it must have 1 to \(longestName) characters, without control characters")
        }
        return name
    }
}

extension FileStatus {
    /// Text that changes with the content of the file.
    package var stamp: String { "\(inode)-\(size)-\(modified)" }
}
