// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraImaging
package import ObscuraMedia
internal import ObscuraMovies

/// The properties of a photo or movie that its file contains, with texts of bounded length.
///
/// Lengths are in Unicode scalars: a character can have any number of them.
package struct ItemContents: Sendable, Hashable {
    private static let longestText = 2000
    private static let mostKeywords = 100
    private static let longestKeyword = 100

    /// The upright size, before edits.
    package var size: PixelSize?
    /// The duration in seconds.
    package var duration: Double?
    package var date: WallTime?
    package var location: GeographicLocation?
    package var camera: String?
    package var title: String?
    package var description: String?
    package var keywords: [String] = []

    package init(_ reading: MediaReading) {
        switch reading {
        case .still(let info):
            size = info.orientation.isTransposed ? info.size.transposed : info.size
            add(info.metadata)
        case .movie(let movie):
            let pictures = movie.pictures
            size = pictures?.uprightTurn.isTransposed == true ? pictures?.size?.transposed : pictures?.size
            duration = (movie.duration ?? pictures?.duration)?.seconds
            add(movie.metadata)
            // Most movies have their date in UTC, and no time zone.
            if let date, date.secondsFromUTC == 0 {
                self.date = .local(nanosecondsSince1970: date.nanosecondsSince1970)
            }
        }
    }

    private mutating func add(_ metadata: Metadata) {
        date = metadata.date
        location = metadata.location
        camera = metadata.camera.map { Self.bounded($0) }
        title = metadata.title.map { Self.bounded($0) }
        description = metadata.description.map { Self.bounded($0) }
        keywords = metadata.keywords.prefix(Self.mostKeywords).map { Self.bounded($0, to: Self.longestKeyword) }
    }

    private static func bounded(_ text: String, to length: Int = longestText) -> String {
        String(text.unicodeScalars.prefix(length))
    }
}

extension Metadata {
    /// The manufacturer and the model of the camera.
    package var camera: String? {
        guard let model else { return make }
        // Many model names already begin with the manufacturer.
        guard let make, !model.lowercased().hasPrefix(make.lowercased()) else { return model }
        return "\(make) \(model)"
    }
}
