// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// What the list shows of a file, and is kept while the file does not change.
struct MediaOutline: Sendable, Hashable {
    /// Upright, before any edit; nil where the file cannot be read.
    var size: PixelSize?
    /// In seconds.
    var duration: Double?
    /// ISO 8601; nil where the file does not say when it was taken.
    var date: String?
    var place: GeographicLocation?

    /// Of a file that cannot be read.
    init() {}

    init(_ reading: MediaReading) {
        switch reading {
        case .still(let info):
            size = info.orientation.isTransposed ? info.size.transposed : info.size
            date = info.metadata.date?.iso8601
            place = info.metadata.location
        case .movie(let movie):
            let pictures = movie.pictures
            size = pictures?.uprightTurn.isTransposed == true ? pictures?.size?.transposed : pictures?.size
            duration = (movie.duration ?? pictures?.duration)?.seconds
            date = movie.metadata.date?.iso8601
            place = movie.metadata.location
        }
    }
}

extension MediaItem {
    /// A file of the folder as pages get it.
    init(_ name: MediaName, _ status: FileStatus, _ outline: MediaOutline, _ recipe: StillRecipe?) {
        let size = recipe.flatMap { recipe in outline.size.map { recipe.size(of: $0) } } ?? outline.size
        self.init(
            name: name.text, kind: name.type.kind, size: status.size, date: outline.date ?? status.wallTime.iso8601,
            width: size?.width, height: size?.height, duration: outline.duration, recipe: recipe,
            place: outline.place)
    }
}
