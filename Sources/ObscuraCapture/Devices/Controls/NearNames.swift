// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Suggestions for a misspelled name.
enum NearNames {
    /// Returns at most three names, the most similar first: those that differ from `name` in few letters, contain it,
    /// or are part of it.
    static func of(_ name: String, among names: [String]) -> [String] {
        let written = name.lowercased()
        guard !written.isEmpty else { return [] }
        let limit = max(2, written.count / 3)
        let rated = names.compactMap { candidate -> (name: String, distance: Int)? in
            let distance = distance(written, candidate)
            if distance <= limit { return (candidate, distance) }
            let isPart = written.count >= 3 && (candidate.contains(written) || written.contains(candidate))
            return isPart ? (candidate, limit + distance) : nil
        }
        return rated.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(3).map(\.name)
    }

    /// Returns the number of insertions, removals and changes.
    private static func distance(_ left: String, _ right: String) -> Int {
        // Limited, since an input may have any length; longer names are not suggested anyway.
        let left = Array(left.utf8.prefix(64))
        let right = Array(right.utf8.prefix(64))
        var row = Array(0...right.count)
        for (index, byte) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in right.indices {
                let change = diagonal + (right[column] == byte ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(change, diagonal + 1, row[column] + 1)
            }
        }
        return row[right.count]
    }
}
