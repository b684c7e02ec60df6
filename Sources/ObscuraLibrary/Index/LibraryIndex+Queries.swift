// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Foundation
internal import GRDB
internal import ObscuraBase
internal import ObscuraMedia

extension LibraryIndex {
    /// Returns up to `limit` items after a position, without the first `offset` of them.
    func page(
        _ query: LibraryQuery, after position: LibraryPage.Position? = nil, offset: Int = 0, limit: Int
    ) throws(ObscuraError) -> LibraryPage {
        let sort = QuerySort(query)
        var conditions = QueryConditions(query)
        if let position { sort.add(position, to: &conditions) }
        let sql = """
            SELECT item.*, \(sort.column) AS sortKey FROM item\(sort.join)
            \(conditions.clause) ORDER BY \(sort.order) LIMIT ? OFFSET ?
            """
        let arguments: StatementArguments = StatementArguments(
            sort.joinArguments + conditions.arguments + [limit + 1, offset] as [any DatabaseValueConvertible])
        return try read { database in
            var rows = try Row.fetchAll(database, sql: sql, arguments: arguments)
            let hasMore = rows.count > limit
            if hasMore { rows.removeLast() }
            let next = hasMore ? rows.last.map { sort.position(of: $0) } : nil
            return LibraryPage(items: rows.map(LibraryItem.init), next: next)
        }
    }

    /// Returns all items, or those among `paths`, without their properties.
    func entries(
        _ query: LibraryQuery, among paths: [String]?, limit: Int?
    ) throws(ObscuraError) -> [LibraryEntry] {
        let sort = QuerySort(query)
        var conditions = QueryConditions(query)
        if let paths { conditions.add("item.path IN (SELECT value FROM json_each(?))", try Self.json(paths)) }
        let sql = """
            SELECT item.path, item.stamp, item.sidecars FROM item\(sort.join)
            \(conditions.clause) ORDER BY \(sort.order) LIMIT ?
            """
        let arguments: StatementArguments = StatementArguments(
            sort.joinArguments + conditions.arguments + [limit ?? -1] as [any DatabaseValueConvertible])
        return try read { database in
            let rows = try Row.fetchCursor(database, sql: sql, arguments: arguments)
            var entries: [LibraryEntry] = []
            while let row = try rows.next() {
                let (stamp, sidecars): (String, String) = (row[1], row[2])
                entries.append(LibraryEntry(path: row[0], version: [stamp, sidecars].hashValue))
            }
            return entries
        }
    }

    /// Returns items by their paths; nil for those that the index does not have.
    func items(at paths: [String]) throws(ObscuraError) -> [LibraryItem?] {
        let list = try Self.json(paths)
        return try read { database in
            let rows = try Row.fetchCursor(
                database, sql: "SELECT * FROM item WHERE path IN (SELECT value FROM json_each(?))", arguments: [list])
            var found: [PathKey: LibraryItem] = [:]
            while let row = try rows.next() {
                let item = LibraryItem(row: row)
                found[PathKey(item.path)] = item
            }
            return paths.map { found[PathKey($0)] }
        }
    }

    private static func json(_ paths: [String]) throws(ObscuraError) -> String {
        do {
            return String(decoding: try JSONEncoder().encode(paths), as: UTF8.self)
        } catch {
            throw ObscuraError(wrapping: error, as: .library, .invalidRequest, subject: "list of paths")
        }
    }

    /// Returns the numbers of items by month, latest first.
    func months(_ query: LibraryQuery) throws(ObscuraError) -> [LibraryMonth] {
        let conditions = QueryConditions(query)
        // The division rounds toward zero: a date before 1970 needs its own rounding.
        let sql = """
            SELECT strftime('%Y-%m', (item.date - (item.date < 0) * 999999999) / 1000000000, 'unixepoch') AS month,
            COUNT(*) AS count FROM item \(conditions.clause) GROUP BY month ORDER BY month DESC
            """
        return try read { database in
            try Row.fetchAll(database, sql: sql, arguments: StatementArguments(conditions.arguments))
                .compactMap { row in
                    let month: String? = row["month"]
                    return month.map { LibraryMonth(month: $0, count: row["count"]) }
                }
        }
    }

    /// Returns the numbers of items in the cells of a grid of this many degrees, most items first.
    func places(_ query: LibraryQuery, cell: Double) throws(ObscuraError) -> [LibraryPlace] {
        var conditions = QueryConditions(query)
        conditions.add("item.latitude IS NOT NULL")
        let sql = """
            SELECT CAST((item.latitude + 90) / ? AS INTEGER) AS down, CAST((item.longitude + 180) / ? AS INTEGER) AS across,
            MIN(item.latitude) AS south, MIN(item.longitude) AS west, MAX(item.latitude) AS north,
            MAX(item.longitude) AS east, COUNT(*) AS count
            FROM item \(conditions.clause) GROUP BY down, across ORDER BY count DESC
            """
        let arguments = [cell, cell] as [any DatabaseValueConvertible] + conditions.arguments
        return try read { database in
            try Row.fetchAll(database, sql: sql, arguments: StatementArguments(arguments)).map { row in
                LibraryPlace(
                    south: row["south"], west: row["west"], north: row["north"], east: row["east"], count: row["count"])
            }
        }
    }

    /// Returns the number of items.
    func count(_ query: LibraryQuery) throws(ObscuraError) -> Int {
        let conditions = QueryConditions(query)
        return try read { database in
            try Int.fetchOne(
                database, sql: "SELECT COUNT(*) FROM item \(conditions.clause)",
                arguments: StatementArguments(conditions.arguments)) ?? 0
        }
    }
}

/// The order of a query: the key of an item, and the item's row for equal keys.
private struct QuerySort {
    let column: String
    private let isDescending: Bool
    var join = ""
    var joinArguments: [any DatabaseValueConvertible] = []

    init(_ query: LibraryQuery) {
        switch query.order {
        case .album where query.album != nil:
            (column, isDescending) = ("membership.position", false)
            join = " JOIN albumItem AS membership ON membership.item = item.id AND membership.album = ?"
            joinArguments = [query.album?.description ?? ""]
        case .newestFirst, .album: (column, isDescending) = ("item.date", true)
        case .oldestFirst: (column, isDescending) = ("item.date", false)
        case .path: (column, isDescending) = ("item.path", false)
        case .largestFirst: (column, isDescending) = ("item.size", true)
        case .longestFirst: (column, isDescending) = ("item.duration", true)
        }
    }

    var order: String {
        let direction = isDescending ? "DESC" : "ASC"
        return "\(column) \(direction), item.id \(direction)"
    }

    func add(_ position: LibraryPage.Position, to conditions: inout QueryConditions) {
        let sign = isDescending ? "<" : ">"
        let key: any DatabaseValueConvertible =
            switch position.key {
            case .integer(let value): value
            case .real(let value): value
            case .text(let value): value
            }
        conditions.add("(\(column), item.id) \(sign) (?, ?)", key, position.row)
    }

    func position(of row: Row) -> LibraryPage.Position {
        let value: DatabaseValue = row["sortKey"]
        let key: LibraryPage.Position.Key =
            switch value.storage {
            case .int64(let value): .integer(value)
            case .double(let value): .real(value)
            case .string(let value): .text(value)
            case .blob, .null: .integer(0)
            }
        return LibraryPage.Position(key: key, row: row["id"])
    }
}

/// The conditions of a query, as SQL.
private struct QueryConditions {
    private var parts: [String] = []
    private(set) var arguments: [any DatabaseValueConvertible] = []

    var clause: String { parts.isEmpty ? "" : "WHERE " + parts.joined(separator: " AND ") }

    init(_ query: LibraryQuery) {
        if let text = query.text, text.contains(where: { !$0.isWhitespace }) {
            if let words = Self.searchText(text) {
                add("item.id IN (SELECT rowid FROM words WHERE words MATCH ?)", words)
            } else {
                add("0")
            }
        }
        // There is an index of kinds by date. In other orders, the plus sign leaves the index to the order.
        let isByDate = [.newestFirst, .oldestFirst, .album].contains(query.order)
        if let kind = query.kind { add("\(isByDate ? "" : "+")item.isMovie = ?", kind == .movie) }
        if let from = query.from { add("item.date >= ?", from.localNanoseconds) }
        if let until = query.until { add("item.date < ?", until.localNanoseconds) }
        if let area = query.area { add(area) }
        if let camera = query.camera {
            let escaped = camera.map { "%_\\".contains($0) ? "\\\($0)" : "\($0)" }.joined()
            add("item.camera LIKE ? ESCAPE '\\'", escaped + "%")
        }
        if let duration = query.duration {
            add("item.duration BETWEEN ? AND ?", max(0, duration.lowerBound), duration.upperBound)
        }
        if let size = query.fileSize { add("item.size BETWEEN ? AND ?", size.lowerBound, size.upperBound) }
        if let side = query.minimumSide { add("min(item.width, item.height) >= ?", side) }
        if let album = query.album {
            add("item.id IN (SELECT item FROM albumItem WHERE album = ?)", album.description)
        }
        for keyword in query.keywords.sorted() {
            add("item.id IN (SELECT item FROM keyword WHERE keyword = ?)", LibraryIndex.keywordKey(keyword))
        }
        if !query.includesSubfolders {
            add("item.folder = ?", query.folder ?? "")
        } else if let folder = query.folder, !folder.isEmpty {
            // The character after the slash is 0.
            add("item.path > ? AND item.path < ?", folder + "/", folder + "0")
        }
        // As in the conditions of the partial indexes.
        if let isFavorite = query.isFavorite { add(isFavorite ? "item.isFavorite" : "NOT item.isFavorite") }
        if let isEdited = query.isEdited { add(isEdited ? "item.isEdited" : "NOT item.isEdited") }
        if let isReadable = query.isReadable { add(isReadable ? "item.isReadable" : "NOT item.isReadable") }
    }

    mutating func add(_ condition: String, _ values: any DatabaseValueConvertible...) {
        parts.append(condition)
        arguments += values
    }

    private mutating func add(_ area: LibraryQuery.Area) {
        switch area {
        case .box(let south, let west, let north, let east): addBox(south, west, north, east)
        case .circle(let center, let radius):
            let box = GeographicDistance.box(around: center, radius: radius)
            addBox(box.south, box.west, box.north, box.east)
            add("distance(item.latitude, item.longitude, ?, ?) <= ?", center.latitude, center.longitude, radius)
        }
    }

    private mutating func addBox(_ south: Double, _ west: Double, _ north: Double, _ east: Double) {
        // The R*Tree rounds to 32 bits, outward: it finds candidates. A box over the 180th meridian is two ranges.
        if west <= east {
            add(
                """
                item.id IN (SELECT id FROM place WHERE place.north >= ? AND place.south <= ? AND place.east >= ? AND \
                place.west <= ?)
                """, south, north, west, east)
            add("item.latitude BETWEEN ? AND ? AND item.longitude BETWEEN ? AND ?", south, north, west, east)
        } else {
            add(
                """
                item.id IN (SELECT id FROM place WHERE place.north >= ? AND place.south <= ? AND (place.east >= ? OR \
                place.west <= ?))
                """, south, north, west, east)
            add(
                "item.latitude BETWEEN ? AND ? AND (item.longitude >= ? OR item.longitude <= ?)", south, north, west,
                east)
        }
    }

    /// Returns the words of a text as a query of FTS5: each quoted, and as the beginning of a word. Nil without words.
    private static func searchText(_ text: String) -> String? {
        let words = text.split { !($0.isLetter || $0.isNumber) }
        guard !words.isEmpty else { return nil }
        return words.prefix(16).map { word in
            // A letter that joins to what follows is one character with a quotation mark.
            let scalars = word.unicodeScalars.filter { $0 != "\"" }
            return "\"\(String(String.UnicodeScalarView(scalars)))\"*"
        }.joined(separator: " ")
    }
}
