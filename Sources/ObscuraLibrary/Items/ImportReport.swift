// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// The result of an import.
public struct ImportReport: Sendable, Hashable {
    /// A file that was imported.
    public struct Imported: Sendable, Hashable {
        /// The path of the source file.
        public let source: String
        /// The path of the item in the library.
        public let path: String
    }

    /// A file that could not be imported, or not be deleted after the import.
    public struct Failure: Sendable, Hashable {
        /// The path of the source file.
        public let source: String
        /// The cause.
        public let error: ObscuraError
    }

    /// The imported files.
    public internal(set) var imported: [Imported] = []
    /// The files skipped as duplicates, each with the path of the item that has the same content.
    public internal(set) var duplicates: [Imported] = []
    /// The files that were found in folders, but skipped because they are neither photos nor movies of a supported
    /// kind, such as raw photos.
    public internal(set) var skipped: [String] = []
    /// The files that could not be imported. With ``ImportOptions/movesFiles``, also the imported or skipped files that
    /// could not be deleted.
    public internal(set) var failures: [Failure] = []
}
