// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// Conditions for the items of a library, all of which must hold, and their order.
///
/// ```swift
/// var query = LibraryQuery(kind: .photo)
/// query.text = "garden"
/// query.area = .circle(center: home, radius: 5000)
/// let page = try await library.items(matching: query, limit: 60)
/// ```
public struct LibraryQuery: Sendable, Hashable, Codable {
    /// An area on the earth.
    public enum Area: Sendable, Hashable, Codable {
        /// The area between two latitudes and two longitudes, in degrees. An area with `west` greater than `east`
        /// contains the 180th meridian.
        case box(south: Double, west: Double, north: Double, east: Double)
        /// All places within `radius` meters of a center.
        case circle(center: GeographicLocation, radius: Double)
    }

    /// The order of items. Items with equal values are ordered by their age in the library.
    public enum Order: String, Sendable, Hashable, Codable, CaseIterable {
        /// By date, latest first.
        case newestFirst
        /// By date, earliest first.
        case oldestFirst
        /// By path, in the order of its Unicode code points.
        case path
        /// By the size of the file, largest first.
        case largestFirst
        /// By duration, longest first; photos last.
        case longestFirst
        /// By the positions in ``LibraryQuery/album``; without an album, as ``newestFirst``.
        case album
    }

    /// Words that the title, the description, the keywords, the camera or the path must contain: each as the beginning
    /// of a word, without distinction of case and accents. A text of other characters than letters and digits finds
    /// nothing; spaces are no condition.
    public var text: String?
    /// The kind; nil for both.
    public var kind: LibraryItem.Kind?
    /// The earliest date. Dates are compared as clocks show them: an item of 23:30 on the 31st belongs to the 31st in every
    /// time zone.
    public var from: WallTime?
    /// The end of the dates, which is excluded.
    public var until: WallTime?
    /// The area of capture; excludes items without a location.
    public var area: Area?
    /// The beginning of the camera's name, as in ``LibraryItem/camera``, without distinction of case.
    public var camera: String?
    /// The range of durations, in seconds; excludes photos.
    public var duration: ClosedRange<Double>?
    /// The range of file sizes, in bytes.
    public var fileSize: ClosedRange<Int64>?
    /// The minimum of width and height, in pixels.
    public var minimumSide: Int?
    /// The album.
    public var album: Album.ID?
    /// Keywords that the item must have, without distinction of case.
    public var keywords: Set<String> = []
    /// A folder, relative to that of the library; nil for the whole library.
    public var folder: String?
    /// Whether the subfolders of ``folder`` are included; without a folder, those of the library.
    public var includesSubfolders = true
    /// Whether the item must be a favorite (true) or must not (false).
    public var isFavorite: Bool?
    /// Whether the item must have edits (true) or must not (false).
    public var isEdited: Bool?
    /// Whether the file must be readable (true) or damaged (false).
    public var isReadable: Bool?
    /// The order.
    public var order: Order = .newestFirst

    /// Creates a query for all items, or for all items of a kind.
    public init(kind: LibraryItem.Kind? = nil) {
        self.kind = kind
    }
}
