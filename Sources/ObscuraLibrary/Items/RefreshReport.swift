// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The changes that a library found in its folder.
public struct RefreshReport: Sendable, Hashable, Codable {
    /// Number of new items.
    public internal(set) var added = 0
    /// Number of items whose file, edits, favorite mark or keywords changed.
    public internal(set) var changed = 0
    /// Number of items that no longer exist.
    public internal(set) var removed = 0
    /// Number of items that were moved or renamed.
    public internal(set) var moved = 0
    /// The problems found, such as files with invalid names and folders that cannot be read.
    public internal(set) var problems: [LibraryProblem] = []

    /// Whether the folder matched the index.
    public var isUnchanged: Bool { added + changed + removed + moved == 0 }
}
