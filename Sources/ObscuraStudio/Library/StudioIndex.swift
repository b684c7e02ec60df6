// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase
internal import ObscuraLibrary

/// Searches the Studio's folder by its index, which is shared with `MediaLibrary` and `obscura library`.
final class StudioIndex: Sendable {
    /// What a page searches for.
    struct Search: Sendable, Hashable {
        var text: String?
        var kind: MediaItem.Kind?
        /// The latest month, such as `2026-11`; nil for all.
        var month: String?
        /// An area in degrees, as `SOUTH,WEST,NORTH,EAST`; nil for all places and for items without one.
        var box: String?
    }

    private struct State {
        var library: MediaLibrary?
        var refreshedAt: ContinuousClock.Instant?
    }

    /// The folder is not read again for each letter that a user types, unless the Studio has changed it.
    private static let freshness = Duration.seconds(1)

    private let folder: MediaFolder
    private let state = Lock(State())
    /// One refresh at a time.
    private let mutex = AsyncMutex(waiterLimit: 64)

    /// Opens nothing yet.
    init(of folder: MediaFolder) {
        self.folder = folder
    }

    /// Notes that the Studio has changed the folder.
    func invalidate() { state.withLock { $0.refreshedAt = nil } }

    /// Returns some of the items that match, latest first, and their number.
    func items(
        matching search: Search, offset: Int, limit: Int
    ) async throws -> (items: [MediaItem], total: Int) {
        let library = try await refreshed()
        let query = try Self.query(search)
        let found = try await library.items(matching: query, offset: offset, limit: limit)
        return (try await folder.items(named: found.map(\.path)), try await library.count(matching: query))
    }

    /// Returns the months with items that match, latest first.
    func months(matching search: Search) async throws -> [LibraryMonth] {
        try await refreshed().months(matching: Self.query(search))
    }

    /// Returns the areas with items that match, for a map.
    func places(matching search: Search) async throws -> [LibraryPlace] {
        try await refreshed().places(matching: Self.query(search))
    }

    private static func query(_ search: Search) throws(ObscuraError) -> LibraryQuery {
        var query = LibraryQuery(kind: search.kind)
        query.text = search.text
        query.includesSubfolders = false
        if let month = search.month { query.until = try endOfMonth(month) }
        if let box = search.box {
            let sides = box.split(separator: ",", omittingEmptySubsequences: false).compactMap { Double($0) }
            guard sides.count == 4, sides.allSatisfy(\.isFinite) else {
                throw ObscuraError(
                    .studio, .invalidRequest, subject: "box",
                    reason: "it must be four numbers in degrees: south,west,north,east")
            }
            query.area = .box(south: sides[0], west: sides[1], north: sides[2], east: sides[3])
        }
        return query
    }

    /// Returns the first moment after a month.
    private static func endOfMonth(_ text: String) throws(ObscuraError) -> WallTime {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let year = parts[0], let month = parts[1], (1...12).contains(month),
            // The years of a WallTime.
            (1678...2262).contains(year),
            let end = WallTime(
                WallTime.Fields(year: month == 12 ? year + 1 : year, month: month % 12 + 1, day: 1), secondsFromUTC: 0)
        else {
            throw ObscuraError(
                .studio, .invalidRequest, subject: "month", reason: "it must be a year and a month, such as 2026-11")
        }
        return end
    }

    private func refreshed() async throws -> MediaLibrary {
        guard await mutex.lock() == .locked else {
            throw ObscuraError(
                .studio, .tooMuch, subject: "search", reason: "too many requests at once",
                advice: "Try again in a moment.")
        }
        defer { mutex.unlock() }
        let (known, time) = state.withLock { ($0.library, $0.refreshedAt) }
        if let known, let time, ContinuousClock.now - time < Self.freshness { return known }
        let library: MediaLibrary
        if let known {
            library = known
        } else {
            library = try await MediaLibrary(path: folder.path)
        }
        // Before the folder is read: it may change meanwhile.
        state.withLock { $0 = State(library: library, refreshedAt: .now) }
        do {
            try await library.refresh()
        } catch {
            invalidate()
            throw error
        }
        return library
    }
}
