// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraMedia

extension MediaLibrary {
    /// The maximum number of items in a page.
    public static let longestPage = 10_000

    /// Returns a page of the items that match a query, in the order of the query, as of the last
    /// ``refresh(progress:)``.
    ///
    /// - Parameters:
    ///   - query: the conditions and the order; by default all items, latest first.
    ///   - position: ``LibraryPage/next`` of the page before; nil for the first page.
    ///   - limit: the maximum number of items, 1 to ``longestPage``.
    /// - Throws: ``ObscuraError/Code/invalidRequest`` for an invalid limit or an invalid area.
    nonisolated(nonsending) public func items(
        matching query: LibraryQuery = LibraryQuery(), after position: LibraryPage.Position? = nil, limit: Int = 100
    ) async throws(ObscuraError) -> LibraryPage {
        guard (1...Self.longestPage).contains(limit) else {
            throw ObscuraError(
                .library, .invalidRequest, subject: "page of \(limit) items",
                reason: "it must have 1 to \(Self.longestPage) items")
        }
        try query.check()
        return try await run { [index] () throws(ObscuraError) in
            try index.page(query, after: position, limit: limit)
        }
    }

    /// Returns some of the items that match a query, by their position in its order.
    nonisolated(nonsending) package func items(
        matching query: LibraryQuery, offset: Int, limit: Int
    ) async throws(ObscuraError) -> [LibraryItem] {
        try query.check()
        return try await run { [index] () throws(ObscuraError) in
            try index.page(query, offset: offset, limit: limit).items
        }
    }

    /// Returns all items that match a query, in its order, without their properties.
    ///
    /// - Parameters:
    ///   - query: the conditions and the order.
    ///   - paths: the items to choose from; nil for all.
    ///   - limit: the maximum number of items; nil for no limit.
    nonisolated(nonsending) package func entries(
        matching query: LibraryQuery, among paths: [String]? = nil, limit: Int? = nil
    ) async throws(ObscuraError) -> [LibraryEntry] {
        try query.check()
        return try await run { [index] () throws(ObscuraError) in
            try index.entries(query, among: paths, limit: limit)
        }
    }

    /// Returns items by their paths, as of the last ``refresh(progress:)``; nil for those that do not exist.
    nonisolated(nonsending) package func items(at paths: [String]) async throws(ObscuraError) -> [LibraryItem?] {
        try await run { [index] () throws(ObscuraError) in try index.items(at: paths) }
    }

    /// Returns the number of items that match a query.
    nonisolated(nonsending) public func count(
        matching query: LibraryQuery = LibraryQuery()
    ) async throws(ObscuraError) -> Int {
        try query.check()
        return try await run { [index] () throws(ObscuraError) in try index.count(query) }
    }

    /// Returns the months with items that match a query, latest first; months without items are omitted.
    nonisolated(nonsending) public func months(
        matching query: LibraryQuery = LibraryQuery()
    ) async throws(ObscuraError) -> [LibraryMonth] {
        try query.check()
        return try await run { [index] () throws(ObscuraError) in try index.months(query) }
    }

    /// Counts the items that match a query in the cells of a map grid, for display on a map. Returns the cells that
    /// have items, those with most items first. Items without a location are omitted.
    ///
    /// - Parameters:
    ///   - query: the conditions; by default all items.
    ///   - cell: the side of a grid cell, 0.001 to 180 degrees.
    /// - Throws: ``ObscuraError/Code/invalidRequest`` if `cell` is out of range, or for an invalid area.
    nonisolated(nonsending) public func places(
        matching query: LibraryQuery = LibraryQuery(), cell: Double = 3
    ) async throws(ObscuraError) -> [LibraryPlace] {
        guard (0.001...180).contains(cell) else {
            throw ObscuraError(
                .library, .invalidRequest, subject: "map grid",
                reason: "the side of a cell must be 0.001 to 180 degrees, not \(cell)")
        }
        try query.check()
        return try await run { [index] () throws(ObscuraError) in try index.places(query, cell: cell) }
    }

    /// Returns an item with the properties that its file has now, without the index.
    ///
    /// - Throws: ``ObscuraError/Code/notFound``.
    nonisolated(nonsending) public func item(at path: String) async throws(ObscuraError) -> LibraryItem {
        try await run { [self] () throws(ObscuraError) in try current(try existing(path)) }
    }

    /// Returns a text that changes with the file and the edits of an item.
    nonisolated(nonsending) package func stamp(of path: String) async throws(ObscuraError) -> String {
        try await run { [self] () throws(ObscuraError) in
            let path = try existing(path)
            guard let status = folder.status(of: path) else { throw .noSuchItem(path.text) }
            let sidecars = (try? folder.folder(path.folder)).map { ItemReader.sidecars(of: path.name, in: $0) } ?? ""
            return "\(status.stamp) \(sidecars)"
        }
    }

    /// Opens the file of an item for reading.
    nonisolated(nonsending) package func file(of path: String) async throws(ObscuraError) -> MediaFile {
        try await run { [self] () throws(ObscuraError) in try folder.open(try existing(path)) }
    }

    /// Returns the keywords, each with the number of its items, most frequent first.
    ///
    /// - Parameter limit: the maximum number of keywords.
    nonisolated(nonsending) public func keywords(
        limit: Int = 1000
    ) async throws(ObscuraError) -> [(keyword: String, count: Int)] {
        try await run { [index] () throws(ObscuraError) in try index.keywords(limit: max(0, limit)) }
    }

    /// Returns the groups of items whose files have the same content, largest files first. Compares the files byte by
    /// byte.
    nonisolated(nonsending) public func duplicates() async throws(ObscuraError) -> [[LibraryItem]] {
        try await cancellable { [self] isCancelled throws(ObscuraError) in
            var groups: [[LibraryItem]] = []
            for paths in try index.candidatesForDuplicates() {
                guard !isCancelled() else { throw .cancelled(.library, "search for duplicates") }
                for group in EqualFiles(folder).groups(of: paths) {
                    let items = group.compactMap { try? index.item(at: $0) }
                    if items.count > 1 { groups.append(items) }
                }
            }
            return groups
        }
    }

    /// Reads an item. Blocks.
    func current(_ path: LibraryPath) throws(ObscuraError) -> LibraryItem {
        guard let record = reader.record(at: path) else { throw .noSuchItem(path.text) }
        return record.item
    }
}

extension LibraryQuery {
    /// - Throws: ``ObscuraError/Code/invalidRequest`` for an area that does not exist.
    func check() throws(ObscuraError) {
        switch area {
        case .box(let south, let west, let north, let east):
            guard (-90.0...90).contains(south), (-90.0...90).contains(north), south <= north,
                (-180.0...180).contains(west), (-180.0...180).contains(east)
            else {
                throw ObscuraError(
                    .library, .invalidRequest, subject: "area \(south), \(west) to \(north), \(east)",
                    reason: "latitudes must be -90 to 90, longitudes -180 to 180, and south must not exceed north")
            }
        case .circle(_, let radius):
            guard radius.isFinite, radius >= 0 else {
                throw ObscuraError(
                    .library, .invalidRequest, subject: "area",
                    reason: "the radius must be 0 meters or more, not \(radius)")
            }
        case nil: return
        }
    }
}
