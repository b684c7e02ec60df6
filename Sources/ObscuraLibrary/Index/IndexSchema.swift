// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import GRDB

/// The tables of the index.
///
/// `item` has a row for each item. `words` has the same rows for full-text search (FTS5), `place` those with a location
/// (R*Tree). `keyword` and `albumItem` are lists of rows. Dates are nanoseconds since 1970 as the clock at the place of
/// capture showed them, so that an evening is before a morning in another time zone. A photo has the duration -1.
enum IndexSchema {
    static let migrator = {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { try $0.execute(sql: tables) }
        return migrator
    }()

    private static let tables = """
        CREATE TABLE item (
            id INTEGER PRIMARY KEY,
            path TEXT NOT NULL UNIQUE,
            folder TEXT NOT NULL,
            stamp TEXT NOT NULL,
            sidecars TEXT NOT NULL,
            isMovie INTEGER NOT NULL,
            size INTEGER NOT NULL,
            print INTEGER NOT NULL,
            date INTEGER NOT NULL,
            zone INTEGER NOT NULL,
            width INTEGER,
            height INTEGER,
            duration REAL NOT NULL,
            latitude REAL,
            longitude REAL,
            altitude REAL,
            camera TEXT COLLATE NOCASE,
            title TEXT,
            description TEXT,
            keywords TEXT NOT NULL,
            isFavorite INTEGER NOT NULL,
            isEdited INTEGER NOT NULL,
            isReadable INTEGER NOT NULL
        );
        CREATE INDEX itemDate ON item (date, id);
        CREATE INDEX itemKind ON item (isMovie, date, id);
        CREATE INDEX itemFolder ON item (folder);
        CREATE INDEX itemStamp ON item (stamp);
        CREATE INDEX itemSize ON item (size, id);
        CREATE INDEX itemPrint ON item (size, print);
        CREATE INDEX itemDuration ON item (duration, id);
        CREATE INDEX itemCamera ON item (camera, date, id);
        CREATE INDEX itemFavorite ON item (date, id) WHERE isFavorite;
        CREATE INDEX itemEdited ON item (date, id) WHERE isEdited;
        CREATE INDEX itemUnreadable ON item (date, id) WHERE NOT isReadable;
        CREATE VIRTUAL TABLE words USING fts5 (text, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
        CREATE VIRTUAL TABLE place USING rtree (id, south, north, west, east);
        CREATE TABLE keyword (keyword TEXT NOT NULL, item INTEGER NOT NULL, PRIMARY KEY (keyword, item)) WITHOUT ROWID;
        CREATE INDEX keywordItem ON keyword (item);
        CREATE TABLE album (id TEXT PRIMARY KEY, name TEXT NOT NULL, created INTEGER NOT NULL, zone INTEGER NOT NULL);
        CREATE TABLE albumItem (
            album TEXT NOT NULL, item INTEGER NOT NULL, position REAL NOT NULL, PRIMARY KEY (album, item)
        ) WITHOUT ROWID;
        CREATE INDEX albumPosition ON albumItem (album, position, item);
        CREATE INDEX albumItemItem ON albumItem (item);
        CREATE TABLE note (name TEXT PRIMARY KEY, value TEXT NOT NULL);
        """
}
