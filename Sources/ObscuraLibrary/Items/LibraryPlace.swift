// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The items in one cell of a map grid: their number, and the smallest area that contains them.
public struct LibraryPlace: Sendable, Hashable, Codable {
    /// The southernmost latitude of the items, in degrees.
    public let south: Double
    /// The westernmost longitude of the items, in degrees.
    public let west: Double
    /// The northernmost latitude of the items, in degrees.
    public let north: Double
    /// The easternmost longitude of the items, in degrees.
    public let east: Double
    /// The number of items.
    public let count: Int
}
