// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A problem with a file of a library.
public struct LibraryProblem: Sendable, Hashable, Codable {
    /// The kind of a problem.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// The name is not valid UTF-8, or too long: the file is not in the library. Rename it.
        case invalidName
        /// The folder cannot be read; the items in it are kept in the index.
        case unreadableFolder
        /// The photo or movie is damaged.
        case damaged
        /// A file with edits, favorites or keywords whose photo or movie is missing.
        case withoutItem
        /// The file with the edits, favorites or keywords of an item, or the file with the albums, is damaged.
        case damagedNotes
        /// A movie whose recording was interrupted; it can be recovered.
        case interruptedRecording
        /// A folder in the trash whose item is missing.
        case incompleteTrash
        /// The file differs from the index.
        case outdatedIndex
    }

    /// The kind of the problem.
    public let kind: Kind
    /// The path of the file, relative to the folder of the library; with invalid characters replaced.
    public let path: String
}
