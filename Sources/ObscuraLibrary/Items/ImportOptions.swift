// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Settings for importing files into a library.
public struct ImportOptions: Sendable, Hashable {
    /// The folders for imported files.
    public enum Layout: Sendable, Hashable {
        /// A folder for each month of the date of capture, such as `2026/11`.
        case byMonth
        /// One folder, relative to the folder of the library. An empty string is the folder of the library itself.
        case folder(String)
    }

    /// The folders for the files.
    public var layout = Layout.byMonth
    /// Whether files are skipped if the library already contains an item with the same content.
    public var skipsDuplicates = true
    /// Whether each source file is deleted after it was imported.
    public var movesFiles = false

    /// Creates the default settings.
    public init() {}
}
