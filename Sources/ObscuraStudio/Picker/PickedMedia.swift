// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import Obscura
public import ObscuraLibrary

/// A photo or movie that a user has picked.
public struct PickedMedia: Sendable, Hashable, Codable {
    /// The path of the file. The file belongs to your program, which can move or delete it.
    public let path: String
    /// Photo or movie.
    public let kind: LibraryItem.Kind
    /// The size as displayed, upright and with the edits, in pixels; nil if it is unknown.
    public let size: PixelSize?
    /// The duration of a movie, in seconds.
    public let duration: Double?
    /// The source from which the user added the photo or movie.
    public let source: MediaPickerConfiguration.Source
    /// The original: its path in the photo library or on the disk, its web address, or the name of a file that the
    /// browser uploaded; nil for a photo or movie of the camera.
    public let original: String?
}
