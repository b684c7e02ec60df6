// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The number of items in an area of the earth.
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
