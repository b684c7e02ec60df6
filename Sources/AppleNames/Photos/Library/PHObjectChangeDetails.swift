// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraLibrary

/// The differences of an asset or an album before and after a change.
public class PHObjectChangeDetails<ObjectType: PHObject>: NSObject, @unchecked Sendable {  // Properties are constants.
    /// The asset or the album before the change.
    public let objectBeforeChanges: ObjectType
    /// The asset or the album now; nil if it was deleted.
    public let objectAfterChanges: ObjectType?
    /// Whether the asset or the album was deleted.
    public var objectWasDeleted: Bool { objectAfterChanges == nil }
    /// Whether the file or the edits of an asset have changed. If so, request its image again.
    public var assetContentChanged: Bool {
        guard let before = (objectBeforeChanges as? PHAsset)?.item, let after = (objectAfterChanges as? PHAsset)?.item
        else { return false }
        return before.fileSize != after.fileSize || before.isEdited || after.isEdited || before.size != after.size
    }

    init(from before: ObjectType, to after: ObjectType?) {
        (objectBeforeChanges, objectAfterChanges) = (before, after)
    }
}
