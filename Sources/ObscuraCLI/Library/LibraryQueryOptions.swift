// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if Library

internal import ArgumentParser
internal import Obscura
internal import ObscuraLibrary

/// Conditions for the items of a library.
struct LibraryQueryOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Only photos, or only movies.", valueName: "kind"))
    var kind: KindArgument?

    @Option(help: ArgumentHelp("Only items of this album, in the order of the album.", valueName: "name"))
    var album: String?

    @Option(
        help: ArgumentHelp(
            "Only items with this keyword. If repeated, only items with all of the keywords.", valueName: "keyword"))
    var keyword: [String] = []

    @Flag(help: "Only favorites.")
    var favorites = false

    @Flag(help: "Only photos with edits.")
    var edited = false

    @Flag(help: "Only files that cannot be read.")
    var damaged = false

    @Option(help: ArgumentHelp("Only items in this folder of the library and in its subfolders.", valueName: "folder"))
    var folder: String?

    @Option(
        help: ArgumentHelp("Only items of this date or later, such as 2026-11-27 or 2026-11.", valueName: "date"),
        transform: DayArgument.init(argument:))
    var since: DayArgument?

    @Option(
        help: ArgumentHelp("Only items from before this date, such as 2026-12-01 or 2027.", valueName: "date"),
        transform: DayArgument.init(argument:))
    var before: DayArgument?

    @Option(
        help: ArgumentHelp("Only items of cameras whose names begin with this text, such as Canon.", valueName: "name"))
    var camera: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Only items near this place: latitude,longitude in degrees, such as 52.1,4.3.",
            discussion: "--radius sets the maximum distance.",
            valueName: "place"),
        transform: LocationArgument.init(argument:))
    var near: LocationArgument?

    @Option(help: ArgumentHelp("Maximum distance from --near, in meters (default: 1000).", valueName: "meters"))
    var radius: Double?

    @Option(
        help: ArgumentHelp(
            "Order of the items; 'largest' is by file size, 'longest' by duration (default: newest).",
            discussion: "With --album, the default is the order of the album.",
            valueName: "order"))
    var order: OrderArgument?

    func validate() throws {
        if radius != nil, near == nil { throw ValidationError("--radius needs --near.") }
        if let radius, !(0...20_100_000).contains(radius) {
            throw ValidationError("--radius must be 0 to 20100000 meters.")
        }
        if order == .album, album == nil { throw ValidationError("--order album needs --album.") }
    }

    /// The query, with the identifier of the album.
    func query(_ library: MediaLibrary, text: String? = nil) async throws -> LibraryQuery {
        var query = LibraryQuery(kind: kind?.kind)
        query.text = text
        query.keywords = Set(keyword)
        query.isFavorite = favorites ? true : nil
        query.isEdited = edited ? true : nil
        query.isReadable = damaged ? false : nil
        query.folder = folder.map { folder in
            let path = ItemPath.resolve(folder, in: library)
            return path == "." ? "" : path.hasSuffix("/") ? String(path.dropLast()) : path
        }
        query.from = since?.start
        query.until = before?.start
        query.camera = camera
        query.area = near.map { .circle(center: $0.location, radius: radius ?? 1000) }
        if let album {
            query.album = try await LibraryAlbumsCommand.album(album, library).id
            query.order = .album
        }
        if let order { query.order = order.order }
        return query
    }

    /// Whether any condition is given.
    var isEmpty: Bool {
        kind == nil && album == nil && keyword.isEmpty && !favorites && !edited && !damaged && folder == nil
            && since == nil && before == nil && camera == nil && near == nil
    }
}

/// A kind of items.
enum KindArgument: String, ExpressibleByArgument, CaseIterable {
    case photo, movie

    var kind: LibraryItem.Kind { self == .photo ? .photo : .movie }
}

/// An order of items.
enum OrderArgument: String, ExpressibleByArgument, CaseIterable {
    case newest, oldest, path, largest, longest, album

    var order: LibraryQuery.Order {
        switch self {
        case .newest: .newestFirst
        case .oldest: .oldestFirst
        case .path: .path
        case .largest: .largestFirst
        case .longest: .longestFirst
        case .album: .album
        }
    }
}

#endif
