// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if Library

internal import Obscura
internal import ObscuraLibrary

/// An item as a line of text, and as a `--json` object.
struct LibraryItemListing: Codable, Hashable {
    let path: String
    /// `photo` or `movie`.
    let kind: String
    /// ISO 8601.
    let date: String
    let fileSize: Int64
    let width: Int?
    let height: Int?
    /// In seconds.
    let duration: Double?
    let location: GeographicLocation?
    let camera: String?
    let title: String?
    let description: String?
    let keywords: [String]
    let isFavorite: Bool
    let isEdited: Bool
    let isReadable: Bool

    init(_ item: LibraryItem) {
        path = item.path
        kind = item.kind.rawValue
        date = item.date.iso8601
        fileSize = item.fileSize
        width = item.size?.width
        height = item.size?.height
        duration = item.duration
        location = item.location
        camera = item.camera
        title = item.title
        description = item.description
        keywords = item.keywords
        (isFavorite, isEdited, isReadable) = (item.isFavorite, item.isEdited, item.isReadable)
    }

    /// The date, the size, and the path with marks: `*` favorite, `e` edited, `!` damaged.
    var text: String {
        let marks = (isFavorite ? "*" : "-") + (isEdited ? "e" : "-") + (isReadable ? "-" : "!")
        let size = width.flatMap { width in height.map { "\(width)x\($0)" } } ?? ""
        let day = date.prefix(19).replacing("T", with: " ")
        // A line for each item, whatever its name is.
        let name = path.unicodeScalars.map { $0 == "\n" ? "\\n" : $0 == "\u{1B}" ? "\\e" : String($0) }.joined()
        return "\(day)  \(marks)  \(Self.padded(size, 11))\(name)\n"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }

    /// Prints the items of a query, page by page.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of items; nil for all.
    ///   - isJSON: whether to print a JSON object per line.
    static func print(_ library: MediaLibrary, _ query: LibraryQuery, limit: Int?, isJSON: Bool) async throws {
        var left = limit ?? .max
        var position: LibraryPage.Position?
        repeat {
            let page = try await library.items(matching: query, after: position, limit: min(1000, left))
            for item in page.items {
                let listing = LibraryItemListing(item)
                guard Terminal.write(isJSON ? try JSONText.makeLine(listing) + "\n" : listing.text) else { return }
            }
            left -= page.items.count
            position = page.next
        } while position != nil && left > 0
    }
}

#endif
