// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Foundation
internal import GRDB
internal import ObscuraMedia

extension LibraryIndex {
    /// A change of the index.
    enum Change: Sendable {
        /// Adds an item, or replaces the item at the same path.
        case put(ItemRecord)
        case remove(path: String)
    }

    /// Applies changes in one transaction.
    func apply(_ changes: [Change]) throws(ObscuraError) {
        guard !changes.isEmpty else { return }
        try write { database in
            for change in changes {
                switch change {
                case .put(let record): try Self.put(record, database)
                case .remove(let path): try Self.remove(path, database)
                }
            }
        }
    }

    /// Replaces the list of albums.
    ///
    /// - Parameter stamp: the state of the file with the list; see ``albumStamp``.
    func setAlbums(_ albums: [Album], stamp: String) throws(ObscuraError) {
        try write { database in
            try database.execute(sql: "DELETE FROM album")
            for album in albums {
                try database.execute(
                    sql: "INSERT OR REPLACE INTO album VALUES (?, ?, ?, ?)",
                    arguments: [
                        album.id.description, album.name, album.created.nanosecondsSince1970,
                        album.created.secondsFromUTC,
                    ])
            }
            try database.execute(sql: "INSERT OR REPLACE INTO note VALUES ('albums', ?)", arguments: [stamp])
        }
    }

    /// The state of the file with the albums when it was read.
    func albumStamp() throws(ObscuraError) -> String {
        try read { try String.fetchOne($0, sql: "SELECT value FROM note WHERE name = 'albums'") ?? "" }
    }

    /// Deletes all contents.
    func removeAll() throws(ObscuraError) {
        try write { database in
            for table in ["item", "words", "place", "keyword", "album", "albumItem", "note"] {
                try database.execute(sql: "DELETE FROM \(table)")
            }
        }
    }

    /// Updates the statistics that the database uses to choose between its indexes.
    func optimize() throws(ObscuraError) {
        try write { try $0.execute(sql: "PRAGMA analysis_limit = 1000; ANALYZE") }
    }

    private static func put(_ record: ItemRecord, _ database: Database) throws {
        let item = record.item
        if let old = try row(of: item.path, database) { try removeParts(of: old, database) }
        try database.cachedStatement(sql: insertion).execute(arguments: [
            item.path, folder(of: item.path), record.stamp, record.sidecars, item.kind == .movie, item.fileSize,
            record.print,
            item.date.localNanoseconds, item.date.secondsFromUTC, item.size?.width, item.size?.height,
            item.duration ?? -1, item.location?.latitude, item.location?.longitude, item.location?.altitude,
            item.camera, item.title, item.description, item.keywords.joined(separator: "\n"), item.isFavorite,
            item.isEdited, item.isReadable,
        ])
        guard let row = try row(of: item.path, database) else { return }
        try database.cachedStatement(sql: "INSERT INTO words (rowid, text) VALUES (?, ?)")
            .execute(arguments: [row, record.searchedText])
        if let place = item.location {
            try database.cachedStatement(sql: "INSERT INTO place VALUES (?, ?, ?, ?, ?)")
                .execute(arguments: [row, place.latitude, place.latitude, place.longitude, place.longitude])
        }
        for keyword in Set(item.keywords.map(keywordKey)) {
            try database.cachedStatement(sql: "INSERT INTO keyword VALUES (?, ?)").execute(arguments: [keyword, row])
        }
        // Different identifiers in a file of another program may be one text here, which ends at a zero byte.
        for (album, position) in record.albums {
            try database.cachedStatement(sql: "INSERT OR REPLACE INTO albumItem VALUES (?, ?, ?)")
                .execute(arguments: [album, row, position])
        }
    }

    /// Returns the form in which keywords are stored and found: without distinction of case, and with each accented letter
    /// in the form that most programs write, since the database compares bytes.
    static func keywordKey(_ keyword: String) -> String {
        keyword.lowercased().precomposedStringWithCanonicalMapping
    }

    private static let columns = [
        "path", "folder", "stamp", "sidecars", "isMovie", "size", "print", "date", "zone", "width", "height",
        "duration",
        "latitude", "longitude", "altitude", "camera", "title", "description", "keywords", "isFavorite", "isEdited",
        "isReadable",
    ]

    /// Keeps the row's number if the path exists.
    private static let insertion = """
        INSERT INTO item (\(columns.joined(separator: ", ")))
        VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
        ON CONFLICT (path) DO UPDATE SET \(columns.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
        """

    private static func remove(_ path: String, _ database: Database) throws {
        guard let row = try row(of: path, database) else { return }
        try removeParts(of: row, database)
        try database.cachedStatement(sql: "DELETE FROM item WHERE id = ?").execute(arguments: [row])
    }

    private static func removeParts(of row: Int64, _ database: Database) throws {
        for (table, column) in [("words", "rowid"), ("place", "id"), ("keyword", "item"), ("albumItem", "item")] {
            try database.cachedStatement(sql: "DELETE FROM \(table) WHERE \(column) = ?").execute(arguments: [row])
        }
    }

    private static func row(of path: String, _ database: Database) throws -> Int64? {
        try Int64.fetchOne(database.cachedStatement(sql: "SELECT id FROM item WHERE path = ?"), arguments: [path])
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }
}
