// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import GRDB
internal import Glibc
internal import ObscuraBase
internal import ObscuraMedia

/// The index of a library: an SQLite database in the user's cache folder. It can be deleted at any time, and is rebuilt
/// from the files.
///
/// Thread-safe; several processes can use one index at once. All methods block, except asynchronous ones.
final class LibraryIndex: Sendable {
    /// The place of the database of a library.
    struct Location: Sendable, Hashable {
        let folder: String
        let name: String

        var path: String { "\(folder)/\(name)" }
    }

    let location: Location
    let database: DatabasePool

    /// Opens the database, which is created if missing. A damaged database is replaced.
    init(_ location: Location) throws(ObscuraError) {
        self.location = location
        try OutputFile.makeFolder(location.folder, permissions: 0o700)
        do {
            database = try Self.open(location)
        } catch let error as DatabaseError where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) {
            for suffix in ["", "-wal", "-shm"] { unlink(location.path + suffix) }
            do {
                database = try Self.open(location)
            } catch {
                throw ObscuraError(index: error, location.path)
            }
        } catch {
            throw ObscuraError(index: error, location.path)
        }
    }

    /// Runs `body` in a transaction that sees one state of the index.
    func read<R>(_ body: (Database) throws -> R) throws(ObscuraError) -> R {
        do {
            return try database.read(body)
        } catch {
            throw ObscuraError(index: error, location.path)
        }
    }

    /// Runs `body` in a transaction that can change the index.
    func write<R>(_ body: (Database) throws -> R) throws(ObscuraError) -> R {
        do {
            return try database.write(body)
        } catch {
            throw ObscuraError(index: error, location.path)
        }
    }

    private static func open(_ location: Location) throws -> DatabasePool {
        var configuration = Configuration()
        configuration.label = "obscura.library"
        configuration.busyMode = .timeout(30)
        configuration.maximumReaderCount = 4
        configuration.prepareDatabase { database in
            // The index is a cache: after a power loss, the last changes are read from the files again.
            try database.execute(sql: "PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16384")
            database.add(function: GeographicDistance.function)
        }
        let pool = try DatabasePool(path: location.path, configuration: configuration)
        try IndexSchema.migrator.migrate(pool)
        return pool
    }
}

extension ObscuraError {
    /// Converts an error of the database.
    init(index error: any Error, _ path: String) {
        guard let error = error as? DatabaseError else {
            self.init(wrapping: error, as: .library, .writingFailed, subject: path)
            return
        }
        let (code, reason): (Code, String) =
            switch error.resultCode {
            case .SQLITE_FULL: (.diskFull, "the disk is full")
            case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM:
                (.notWritable, "the index of the library cannot be written")
            case .SQLITE_BUSY, .SQLITE_LOCKED: (.timedOut, "another process has been using the index for 30 seconds")
            default: (.writingFailed, "the index of the library cannot be used")
            }
        self.init(
            .library, code, subject: path, reason: reason,
            advice: code == .timedOut
                ? "Wait for the other process, or end it."
                : "Free disk space, make this index file writable, or delete the index file, which is then rebuilt.",
            libraryMessage: error.message)
    }
}
