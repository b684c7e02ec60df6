// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraLibrary

/// The differences between two states of an asset or an album.
public class PHObjectChangeDetails<ObjectType: PHObject>: NSObject, @unchecked Sendable {  // Properties are constants.
    /// The earlier state.
    public let objectBeforeChanges: ObjectType
    /// The present state; nil if it was deleted.
    public let objectAfterChanges: ObjectType?
    /// Whether it was deleted.
    public var objectWasDeleted: Bool { objectAfterChanges == nil }
    /// Whether the file or the edits of an asset have changed, so that its picture must be requested again.
    public var assetContentChanged: Bool {
        guard let before = (objectBeforeChanges as? PHAsset)?.item, let after = (objectAfterChanges as? PHAsset)?.item
        else { return false }
        return before.fileSize != after.fileSize || before.isEdited || after.isEdited || before.size != after.size
    }

    init(from before: ObjectType, to after: ObjectType?) {
        (objectBeforeChanges, objectAfterChanges) = (before, after)
    }
}
