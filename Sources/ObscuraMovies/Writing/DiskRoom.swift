// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase
internal import ObscuraMedia

/// The disk space reserved for rewriting movies while recordings are running.
///
/// Rewriting a movie needs its size again until the partial file is deleted. If that would use space that recordings
/// must keep free, the movie stays fragmented; otherwise a recording would end because of a disk that is full only
/// temporarily. Covers all recordings of the process. Thread-safe.
final class DiskRoom: Sendable {
    /// The disk space that a recording keeps free, during the lifetime of this object.
    final class Floor: Sendable {
        private let room: DiskRoom
        private let id: Int

        fileprivate init(_ room: DiskRoom, _ id: Int) {
            self.room = room
            self.id = id
        }

        deinit {
            room.reservations.withLock { $0.floors[id] = nil }
        }
    }

    /// A reservation for one movie, during the lifetime of this object.
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
            room.reservations.withLock { $0.claims[id] = nil }
        }

        /// Reports the number of bytes written. Checks the disk once per half megabyte.
        ///
        /// - Throws: ``ObscuraError/Code/diskFull`` if only the space that recordings keep free is left.
        func check(written: Int64, for subject: String) throws(ObscuraError) {
            let isDue = lookedAt.withLock { lookedAt in
                guard written - lookedAt >= DiskRoom.margin / 2 else { return false }
                lookedAt = written
                return true
            }
            if isDue, !holds(written: written) { throw ObscuraError(SystemError(ENOSPC), writing: subject) }
        }

        private func holds(written: Int64) -> Bool {
            let floor = room.reservations.withLock { reservations in
                reservations.claims[id]?.byteCount = max(0, byteCount - written)
                reservations.claims[id]?.written = min(byteCount, written)
                return reservations.floor(on: device)
            }
            guard let free = room.freeSpace(path) else { return true }
            return free >= floor + DiskRoom.margin / 2
        }
    }

    private struct Share {
        var device: UInt64
        var byteCount: Int64
        /// Bytes that have been written of a claim.
        var written: Int64 = 0
    }

    private struct Reservations {
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

        func written(on device: UInt64) -> Int64 {
            claims.values.filter { $0.device == device }.reduce(0) { $0 + $1.written }
        }
    }

    static let shared = DiskRoom(freeSpace: DiskRoom.freeSpace, device: DiskRoom.device)
    /// Space for the data that recordings write between two checks of the disk, and for the index of the movie.
    static let margin: Int64 = 1 << 20

    private let freeSpace: @Sendable (String) -> Int64?
    private let device: @Sendable (String) -> UInt64
    private let reservations = Lock(Reservations())

    /// - Parameters:
    ///   - freeSpace: returns the free space of the disk of a path, in bytes; nil if unknown.
    ///   - device: returns an identifier of the disk of a path.
    init(freeSpace: @escaping @Sendable (String) -> Int64?, device: @escaping @Sendable (String) -> UInt64) {
        self.freeSpace = freeSpace
        self.device = device
    }

    /// Registers a recording to this path and the number of bytes to keep free.
    func keep(_ byteCount: Int64, of path: String) -> Floor {
        // Larger than any disk, and small enough for sums not to overflow.
        let share = Share(device: device(path), byteCount: min(byteCount, .max / 4))
        return Floor(
            self,
            reservations.withLock { reservations in
                let id = reservations.makeID()
                reservations.floors[id] = share
                return id
            })
    }

    /// Reserves space in addition to the floors of recordings and to other claims; returns nil if there is not enough.
    func claim(_ byteCount: Int64, of path: String) -> Claim? {
        let device = device(path)
        let free = freeSpace(path) ?? .max
        let id = reservations.withLock { reservations -> Int? in
            let left = free - reservations.floor(on: device) - reservations.claimed(on: device) - Self.margin
            guard left >= byteCount else { return nil }
            let id = reservations.makeID()
            reservations.claims[id] = Share(device: device, byteCount: byteCount)
            return id
        }
        return id.map { Claim(self, $0, path, device, byteCount) }
    }

    /// Whether this number of bytes is free for a recording to this path, or will be free once the movies that are
    /// being rewritten are complete.
    ///
    /// A copy and its original both take space until the copy is synchronized. On a slow disk that takes seconds, in
    /// which recordings can use more than the margin of the claim.
    func keepsFree(_ byteCount: Int64, of path: String) -> Bool {
        let device = device(path)
        let written = reservations.withLock { $0.written(on: device) }
        guard let free = freeSpace(path) else { return true }
        return free >= byteCount - written
    }

    private static func device(of path: String) -> UInt64 {
        (try? FileStatus(path: PathParts(path).folder))?.device ?? 0
    }

    /// Free bytes for a file at a path, which need not exist; nil if unknown.
    static func freeSpace(of path: String) -> Int64? { DiskSpace.available(at: PathParts(path).folder) }
}
