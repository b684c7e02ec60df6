// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraLibrary

/// The differences between two lists of entries.
struct ListDifferences: Sendable {
    /// Indexes in the earlier list.
    private(set) var removed = IndexSet()
    /// Indexes in the later list.
    private(set) var inserted = IndexSet()
    /// Indexes in the later list, of entries with another version.
    private(set) var changed = IndexSet()
    /// Indexes in the earlier list after entries were removed and inserted, and in the later list.
    private(set) var moves: [(from: Int, to: Int)] = []

    init(from before: [LibraryEntry], to after: [LibraryEntry]) {
        let later = Dictionary(after.enumerated().map { ($1.path, $0) }) { first, _ in first }
        let versions = Dictionary(before.map { ($0.path, $0.version) }) { first, _ in first }
        // The later indexes of the entries that remain, in their earlier order.
        var remaining: [Int] = []
        for (index, entry) in before.enumerated() {
            if let place = later[entry.path] { remaining.append(place) } else { removed.insert(index) }
        }
        var free: [Int] = []
        for (index, entry) in after.enumerated() {
            guard let version = versions[entry.path] else {
                inserted.insert(index)
                continue
            }
            free.append(index)
            if version != entry.version { changed.insert(index) }
        }
        // The entries that remain fill the places between the inserted ones.
        moves = zip(free, remaining).filter { $0 != $1 }.map { (from: $0, to: $1) }
    }
}
