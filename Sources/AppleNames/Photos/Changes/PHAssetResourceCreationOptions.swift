// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Settings for the file of a new asset.
public class PHAssetResourceCreationOptions: NSObject, NSCopying {
    /// The name of the file in the library; nil for that of the source, or for one with the date. If another file has the
    /// name, a number is added.
    public var originalFilename: String?
    /// The type of a movie without a name. The type of a photo is that of its contents.
    public var uniformTypeIdentifier: String?
    /// Whether the source file is deleted when its copy is in the library.
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
