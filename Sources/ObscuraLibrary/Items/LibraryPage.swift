// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Some items of a query, in its order.
public struct LibraryPage: Sendable, Hashable {
    /// The place after an item in the order of a query. It stays valid if items are added or removed.
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
    /// The beginning of the next page; nil if this is the last one.
    public let next: Position?
}
