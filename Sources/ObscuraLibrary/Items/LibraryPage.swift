// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A page of the items that match a query, in the order of the query.
public struct LibraryPage: Sendable, Hashable {
    /// A position between two items in the order of a query. It stays valid if items are added or removed.
    public struct Position: Sendable, Hashable, Codable {
        enum Key: Sendable, Hashable, Codable {
            case integer(Int64)
            case real(Double)
            case text(String)
        }

        let key: Key
        let row: Int64
    }

    /// The items.
    public let items: [LibraryItem]
    /// The position at which the next page begins; nil if this is the last page.
    public let next: Position?
}
