// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import Obscura
public import ObscuraLibrary

/// A photo or movie that a user has picked.
public struct PickedMedia: Sendable, Hashable, Codable {
    /// The path of the file. The program owns it.
    public let path: String
    /// Photo or movie.
    public let kind: LibraryItem.Kind
    /// The size as displayed, upright and with the edits, in pixels; nil if it is unknown.
    public let size: PixelSize?
    /// The duration of a movie, in seconds.
    public let duration: Double?
    /// The place from which the user has added it.
    public let source: MediaPickerConfiguration.Source
    /// The path of the original in the photo library or on the disk, its address, or the name of a file that the browser
    /// has sent; nil for the camera.
    public let original: String?
}
