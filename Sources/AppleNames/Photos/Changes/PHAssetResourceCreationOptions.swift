// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Settings for the file of a new asset.
public class PHAssetResourceCreationOptions: NSObject, NSCopying {
    /// The name of the file in the library. If it is nil, a file keeps its name, and data gets a name with the date. If
    /// the name is taken, a number is added.
    public var originalFilename: String?
    /// The type of a movie whose name has no extension of a movie format. For photos, the type has no effect: it is
    /// read from the contents.
    public var uniformTypeIdentifier: String?
    /// Whether the source file is deleted after it has been copied into the library.
    public var shouldMoveFile = false

    /// Creates the default settings.
    override public init() {}

    /// Returns a copy.
    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = PHAssetResourceCreationOptions()
        copy.originalFilename = originalFilename
        copy.uniformTypeIdentifier = uniformTypeIdentifier
        copy.shouldMoveFile = shouldMoveFile
        return copy
    }
}
