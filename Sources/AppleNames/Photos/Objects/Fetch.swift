// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraLibrary

/// The objects to fetch: their list, which is read at once, and the objects, which are created when they are needed.
struct Fetch<ObjectType: AnyObject>: Sendable {
    /// Returns the present list. Blocks.
    let entries: @Sendable () throws(ObscuraError) -> [LibraryEntry]
    /// Returns the objects of a part of a list. Blocks.
    let objects: @Sendable ([LibraryEntry]) -> [ObjectType]
    /// See ``PHFetchOptions/wantsIncrementalChangeDetails``.
    let hasDetails: Bool
}
