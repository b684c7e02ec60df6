// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// Conditions for the items of a library, and the order of the items. An item must meet all conditions.
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
        /// By the positions in ``LibraryQuery/album``; if no album is set, the same as ``newestFirst``.
        case album
    }

    /// Text to find in the title, the description, the keywords, the camera and the path. Each of the first 16 words of
    /// the text must be the beginning of a word in one of these. Case and accents are ignored. Text without letters and
    /// digits matches no item. Empty text, and text of spaces only, matches all items.
    public var text: String?
    /// The kind of the items; nil for photos and movies.
    public var kind: LibraryItem.Kind?
    /// The earliest date. Dates are compared in the local time of the capture: an item of 23:30 on the 31st belongs to
    /// the 31st in every time zone.
    public var from: WallTime?
    /// The end of the range of dates. An item with exactly this date is excluded.
    public var until: WallTime?
    /// The area of capture; excludes items without a location.
    public var area: Area?
    /// The beginning of the camera's name, as in ``LibraryItem/camera``, without distinction of case.
    public var camera: String?
    /// The range of durations, in seconds; excludes photos.
    public var duration: ClosedRange<Double>?
    /// The range of file sizes, in bytes.
    public var fileSize: ClosedRange<Int64>?
    /// The minimum length of an item's shorter side, in pixels.
    public var minimumSide: Int?
    /// The album that must contain the items; nil for no such condition.
    public var album: Album.ID?
    /// Keywords that the item must have, without distinction of case.
    public var keywords: Set<String> = []
    /// The folder of the items, relative to the folder of the library; nil for the whole library.
    public var folder: String?
    /// Whether items in subfolders also match: in the subfolders of ``folder`` or, if ``folder`` is nil, of the
    /// library.
    public var includesSubfolders = true
    /// Whether items must be favorites (true) or must not be favorites (false); nil for both.
    public var isFavorite: Bool?
    /// Whether items must have edits (true) or must not have edits (false); nil for both.
    public var isEdited: Bool?
    /// Whether files must be readable (true) or damaged (false); nil for both.
    public var isReadable: Bool?
    /// The order of the items.
    public var order: Order = .newestFirst

    /// Creates a query for all items, or for all items of a kind.
    public init(kind: LibraryItem.Kind? = nil) {
        self.kind = kind
    }
}
