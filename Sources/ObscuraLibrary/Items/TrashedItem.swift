// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// An item in the trash of a library.
public struct TrashedItem: Sendable, Hashable, Codable, Identifiable {
    /// The identifier in the trash.
    public let id: String
    /// The path that the item had, relative to the folder of the library.
    public let path: String
    /// The time of deletion.
    public let deleted: WallTime
}
