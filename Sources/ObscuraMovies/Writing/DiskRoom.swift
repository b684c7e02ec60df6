// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase
internal import ObscuraMedia

/// The room on disks for rewriting movies, beside the recordings that are under way.
///
/// A movie that is rewritten needs its size once more, until its partial file goes. Where that would take what
/// recordings are to leave free, it stays in fragments: else a recording would end for a full disk that has room again
/// a moment later. All recordings of the process are seen together. Any thread.
final class DiskRoom: Sendable {
    /// What a recording leaves free, as long as this lives.
    final class Floor: Sendable {
        private let room: DiskRoom
        private let id: Int

        fileprivate init(_ room: DiskRoom, _ id: Int) {
            self.room = room
            self.id = id
        }

        deinit {
            room.books.withLock { $0.floors[id] = nil }
        }
    }

    /// Room for one movie, as long as this lives.
    final class Claim: Sendable {
        private let room: DiskRoom
        private let id: Int
        private let path: String
        private let device: UInt64
        private let byteCount: Int64
        private let lookedAt = Lock<Int64>(0)

        fileprivate init(_ room: DiskRoom, _ id: Int, _ path: String, _ device: UInt64, _ byteCount: Int64) {
            self.room = room
            self.id = id
            self.path = path
            self.device = device
            self.byteCount = byteCount
        }

        deinit {
            room.books.withLock { $0.claims[id] = nil }
        }

        /// So many bytes have been written. Looks at the disk once for half a megabyte.
        ///
        /// - Throws: ``ObscuraError/Code/diskFull`` if it has no more than recordings are to leave free.
        func check(written: Int64, for subject: String) throws(ObscuraError) {
            let isDue = lookedAt.withLock { lookedAt in
                guard written - lookedAt >= DiskRoom.margin / 2 else { return false }
                lookedAt = written
                return true
            }
            if isDue, !holds(written: written) { throw ObscuraError(system: ENOSPC, path: subject) }
        }

        private func holds(written: Int64) -> Bool {
            let floor = room.books.withLock { books in
                books.claims[id]?.byteCount = max(0, byteCount - written)
                return books.floor(on: device)
            }
            guard let free = room.freeSpace(path) else { return true }
            return free >= floor + DiskRoom.margin / 2
        }
    }

    private struct Share {
        var device: UInt64
        var byteCount: Int64
    }

    private struct Books {
        var nextID = 0
        var floors: [Int: Share] = [:]
        var claims: [Int: Share] = [:]

        mutating func makeID() -> Int {
            nextID += 1
            return nextID
        }

        func floor(on device: UInt64) -> Int64 {
            floors.values.filter { $0.device == device }.map(\.byteCount).max() ?? 0
        }

        func claimed(on device: UInt64) -> Int64 {
            claims.values.filter { $0.device == device }.reduce(0) { $0 + $1.byteCount }
        }
    }

    static let shared = DiskRoom(freeSpace: DiskRoom.freeSpace, device: DiskRoom.device)
    /// What recordings may write between two looks at the disk, and the index of the movie.
    static let margin: Int64 = 1 << 20

    private let freeSpace: @Sendable (String) -> Int64?
    private let device: @Sendable (String) -> UInt64
    private let books = Lock(Books())

    /// - Parameters:
    ///   - freeSpace: of the disk of a path, in bytes; nil where it is not known.
    ///   - device: which disk a path is on.
    init(freeSpace: @escaping @Sendable (String) -> Int64?, device: @escaping @Sendable (String) -> UInt64) {
        self.freeSpace = freeSpace
        self.device = device
    }

    /// A recording to this path has begun, and leaves so much free.
    func keep(_ byteCount: Int64, of path: String) -> Floor {
        // No disk is larger, and no sum of it overflows.
        let share = Share(device: device(path), byteCount: min(byteCount, .max / 4))
        return Floor(
            self,
            books.withLock { books in
                let id = books.makeID()
                books.floors[id] = share
                return id
            })
    }

    /// Room for so many bytes beside what recordings leave free and others have claimed; nil if there is none.
    func claim(_ byteCount: Int64, of path: String) -> Claim? {
        let device = device(path)
        let free = freeSpace(path) ?? .max
        let id = books.withLock { books -> Int? in
            let left = free - books.floor(on: device) - books.claimed(on: device) - Self.margin
            guard left >= byteCount else { return nil }
            let id = books.makeID()
            books.claims[id] = Share(device: device, byteCount: byteCount)
            return id
        }
        return id.map { Claim(self, $0, path, device, byteCount) }
    }

    private static func device(of path: String) -> UInt64 {
        let folder = RecordingPath(path).folder
        var status = stat()
        return stat(folder.isEmpty ? "." : folder, &status) == 0 ? UInt64(status.st_dev) : 0
    }
}

extension DiskRoom {
    /// How many bytes the file system of a path has for this process; nil where it does not tell.
    static func freeSpace(of path: String) -> Int64? {
        var status = statvfs()
        // A folder that will be made is where that above it is.
        var folder = Substring(RecordingPath(path).folder)
        while statvfs(folder.isEmpty ? "." : String(folder), &status) != 0 {
            guard errno == ENOENT, !folder.isEmpty else { return nil }
            while folder.hasSuffix("/") { folder.removeLast() }
            folder = folder[..<(folder.lastIndex(of: "/").map { folder.index(after: $0) } ?? folder.startIndex)]
        }
        let (bytes, overflow) = Int64(clamping: status.f_bavail).multipliedReportingOverflow(
            by: Int64(clamping: status.f_frsize))
        return overflow ? .max : bytes
    }
}
