// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import GRDB
internal import ObscuraBase
internal import ObscuraMedia

extension LibraryIndex {
    /// The state of an item's files when they were read.
    struct Known: Sendable, Hashable {
        let stamp: String
        let sidecars: String
        let isReadable: Bool
        /// Whether the file could be opened.
        let wasOpened: Bool
    }

    /// Returns the items directly in a folder, by their names.
    func known(in folder: String) throws(ObscuraError) -> [PathKey: Known] {
        try read { database in
            let rows = try Row.fetchCursor(
                database, sql: "SELECT path, stamp, sidecars, isReadable, print FROM item WHERE folder = ?",
                arguments: [folder])
            var known: [PathKey: Known] = [:]
            while let row = try rows.next() {
                let path: String = row[0]
                let print: Int64 = row[4]
                known[PathKey(PathParts(path).name)] = Known(
                    stamp: row[1], sidecars: row[2], isReadable: row[3], wasOpened: print != ItemRecord.noPrint)
            }
            return known
        }
    }

    /// Returns all folders with items.
    func folders() throws(ObscuraError) -> [String] {
        try read { try String.fetchAll($0, sql: "SELECT DISTINCT folder FROM item") }
    }

    /// Returns the path of the items whose file had this state.
    func paths(ofStamp stamp: String) throws(ObscuraError) -> [String] {
        try read { try String.fetchAll($0, sql: "SELECT path FROM item WHERE stamp = ?", arguments: [stamp]) }
    }

    /// Returns the paths of the items whose files may have the same content.
    func paths(ofSize size: Int64, _ print: ContentPrint) throws(ObscuraError) -> [String] {
        try read { database in
            try String.fetchAll(
                database, sql: "SELECT path FROM item WHERE size = ? AND print = ? ORDER BY path",
                arguments: [size, print.value])
        }
    }

    /// Returns the groups of items whose files may have the same content, largest files first.
    func candidatesForDuplicates() throws(ObscuraError) -> [[String]] {
        try read { database in
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT size, print, path FROM item
                    WHERE (size, print) IN (SELECT size, print FROM item GROUP BY size, print HAVING COUNT(*) > 1)
                    ORDER BY size DESC, print, path
                    """)
            var groups: [[String]] = []
            var last: (Int64, Int64)?
            while let row = try rows.next() {
                let key: (Int64, Int64) = (row[0], row[1])
                if last.map({ $0 != key }) ?? true { groups.append([]) }
                last = key
                groups[groups.count - 1].append(row[2])
            }
            return groups
        }
    }

    /// Returns an item; nil if the index has none at this path.
    func item(at path: String) throws(ObscuraError) -> LibraryItem? {
        try read { database in
            try Row.fetchOne(database, sql: "SELECT * FROM item WHERE path = ?", arguments: [path]).map(
                LibraryItem.init)
        }
    }

    /// Returns the albums, ordered by name.
    func albums() throws(ObscuraError) -> [(album: Album, count: Int)] {
        try read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT id, name, created, zone, (SELECT COUNT(*) FROM albumItem WHERE album = id) FROM album
                    ORDER BY name COLLATE NOCASE, id
                    """
            ).map { row in
                let date = WallTime(nanosecondsSince1970: row[2], secondsFromUTC: row[3])
                return (Album(id: Album.ID(row[0]), name: row[1], created: date), row[4])
            }
        }
    }

    /// Returns the largest position in an album; 0 for an empty one.
    func lastPosition(in album: Album.ID) throws(ObscuraError) -> Double {
        try read { database in
            try Double.fetchOne(
                database, sql: "SELECT MAX(position) FROM albumItem WHERE album = ?", arguments: [album.description])
                ?? 0
        }
    }

    /// Returns the paths of the items in an album, in its order.
    func paths(in album: Album.ID) throws(ObscuraError) -> [String] {
        try read { database in
            try String.fetchAll(
                database,
                sql: """
                    SELECT path FROM item JOIN albumItem ON item = id WHERE album = ? ORDER BY position, id
                    """,
                arguments: [album.description])
        }
    }

    /// Returns the keywords with the number of their items, most frequent first.
    func keywords(limit: Int) throws(ObscuraError) -> [(keyword: String, count: Int)] {
        try read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT keyword, COUNT(*) AS count FROM keyword GROUP BY keyword ORDER BY count DESC, keyword LIMIT ?
                    """,
                arguments: [limit]
            ).map { ($0[0], $0[1]) }
        }
    }

    /// Returns everything in the index as text, a line for each item, ordered by path; for comparisons.
    func dump() throws(ObscuraError) -> [String] {
        try read { database in
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT item.*,
                        (SELECT text FROM words WHERE rowid = item.id),
                        (SELECT COUNT(*) FROM place WHERE place.id = item.id),
                        (SELECT group_concat(keyword) FROM keyword WHERE keyword.item = item.id),
                        (SELECT group_concat(album || ' ' || position) FROM albumItem WHERE albumItem.item = item.id)
                    FROM item ORDER BY path
                    """)
            var lines: [String] = []
            while let row = try rows.next() {
                lines.append(row.databaseValues.dropFirst().map { "\($0)" }.joined(separator: "|"))
            }
            return lines
        }
    }
}

extension LibraryItem {
    private static func date(local: Int64, zone: Int) -> WallTime {
        WallTime(
            nanosecondsSince1970: local.subtractingReportingOverflow(Int64(zone) * 1_000_000_000).partialValue,
            secondsFromUTC: zone)
    }

    init(row: Row) {
        let keywords: String = row["keywords"]
        let (latitude, longitude): (Double?, Double?) = (row["latitude"], row["longitude"])
        let (width, height): (Int?, Int?) = (row["width"], row["height"])
        let duration: Double = row["duration"]
        self.init(
            path: row["path"], kind: row["isMovie"] ? .movie : .photo, fileSize: row["size"],
            date: Self.date(local: row["date"], zone: row["zone"]),
            size: width.flatMap { width in height.map { PixelSize(width: width, height: $0) } },
            duration: duration < 0 ? nil : duration,
            location: latitude.flatMap { latitude in
                longitude.flatMap {
                    try? GeographicLocation(latitude: latitude, longitude: $0, altitude: row["altitude"])
                }
            },
            camera: row["camera"], title: row["title"], description: row["description"],
            keywords: keywords.isEmpty ? [] : keywords.split(separator: "\n").map(String.init),
            isFavorite: row["isFavorite"], isEdited: row["isEdited"], isReadable: row["isReadable"])
    }
}
