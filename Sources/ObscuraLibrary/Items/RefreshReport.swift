// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The changes that a library found in its folder.
public struct RefreshReport: Sendable, Hashable, Codable {
    /// Number of new items.
    public internal(set) var added = 0
    /// Number of items whose file, edits or notes changed.
    public internal(set) var changed = 0
    /// Number of items that no longer exist.
    public internal(set) var removed = 0
    /// Number of items with another path.
    public internal(set) var moved = 0
    /// Files and folders that are not part of the library.
    public internal(set) var problems: [LibraryProblem] = []

    /// Whether the folder was as the index described it.
    public var isUnchanged: Bool { added + changed + removed + moved == 0 }
}
