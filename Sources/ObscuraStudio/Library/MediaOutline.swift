// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase
internal import ObscuraLibrary

/// The properties of a file that the list shows, cached while the file does not change.
struct MediaOutline: Sendable, Hashable {
    /// Upright size before edits; nil if the file cannot be read.
    var size: PixelSize?
    /// Duration in seconds.
    var duration: Double?
    /// Capture date in ISO 8601; nil if the file does not contain it.
    var date: String?
    var place: GeographicLocation?

    /// Creates the outline of an unreadable file.
    init() {}

    init(_ reading: MediaReading) {
        let contents = ItemContents(reading)
        size = contents.size
        duration = contents.duration
        date = contents.date?.iso8601
        place = contents.location
    }
}

extension MediaItem {
    /// Creates the description of a file for pages.
    init(_ name: MediaName, _ status: FileStatus, _ outline: MediaOutline, _ recipe: StillRecipe?) {
        let size = recipe.flatMap { recipe in outline.size.map { recipe.size(of: $0) } } ?? outline.size
        self.init(
            name: name.text, kind: name.type.kind, size: status.size, date: outline.date ?? status.wallTime.iso8601,
            width: size?.width, height: size?.height, duration: outline.duration, recipe: recipe,
            place: outline.place)
        if recipe != nil { (originalWidth, originalHeight) = (outline.size?.width, outline.size?.height) }
    }
}
