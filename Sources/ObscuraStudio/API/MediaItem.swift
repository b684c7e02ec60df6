// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraLibrary

/// A photo or a movie in the folder.
struct MediaItem: Codable, Sendable, Equatable {
    typealias Kind = LibraryItem.Kind

    /// One line of metadata, as displayed.
    struct Fact: Codable, Sendable, Equatable {
        var label: String
        var value: String
    }

    /// The file name in the folder.
    var name: String
    var kind: Kind
    /// File size, in bytes.
    var size: Int64
    /// Capture date, or else the modification date of the file; ISO 8601.
    var date: String
    /// Width as displayed, upright and after edits, in pixels. Nil if the file cannot be read.
    var width: Int?
    var height: Int?
    /// Width of a photo with edits before them, upright, in pixels.
    var originalWidth: Int?
    var originalHeight: Int?
    /// Duration of a movie, in seconds.
    var duration: Double?
    var recipe: StillRecipe?
    var place: GeographicLocation?
    /// The file's metadata; present only if a single item is requested.
    var metadata: [Fact]?

    /// The size as displayed; nil if the file cannot be read.
    var pixelSize: PixelSize? {
        guard let width, let height else { return nil }
        return PixelSize(width: width, height: height)
    }
}
