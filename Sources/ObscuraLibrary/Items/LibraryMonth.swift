// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The number of items of a month.
public struct LibraryMonth: Sendable, Hashable, Codable {
    /// The year and the month of the local time at the place of capture, such as `2026-11`.
    public let month: String
    /// The number of items.
    public let count: Int
}
