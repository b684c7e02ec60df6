// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraLibrary
import ObscuraMedia
import TestSupport
import Testing

/// Queries on real files.
@Suite struct LibraryQueryTests {
    private let fixture: LibraryFixture

    init() throws {
        fixture = try LibraryFixture()
    }

    /// Five photos and a movie.
    private func library() async throws -> MediaLibrary {
        let day: Int64 = 86_400_000_000_000
        func photo(_ number: Int64, _ path: String, _ change: (inout Metadata) -> Void) throws {
            try fixture.photo("library/" + path, gray: UInt8(number)) { metadata in
                metadata.date = WallTime(nanosecondsSince1970: 20_000 * day + number * day, secondsFromUTC: 3600)
                change(&metadata)
            }
        }
        try photo(1, "a.jpg") { metadata in
            metadata.title = "Crème brûlée"
            metadata.location = try? GeographicLocation(latitude: 48.8584, longitude: 2.2945)
        }
        try photo(2, "2026/b.jpg") { metadata in
            (metadata.make, metadata.model) = ("Canon", "Canon EOS R5")
            metadata.keywords = ["Mountain", "sea"]
        }
        try photo(3, "2026/c.jpg") { metadata in
            (metadata.make, metadata.model) = ("Acme", "Pocket 3")
            metadata.location = try? GeographicLocation(latitude: 48.8606, longitude: 2.3376, altitude: 35)
        }
        try photo(4, "2026/inner/d.jpg") { $0.location = try? GeographicLocation(latitude: -18.1, longitude: 179.99) }
        try photo(5, "e.jpg") { $0.location = try? GeographicLocation(latitude: -18.1, longitude: -179.99) }
        let movie = try TestMovies.h264()
        try #require(fixture.folder.write("note.txt", "no item").isEmpty == false)
        try Tool.run("cp", [movie, fixture.path + "/film.mp4"])
        let library = try await fixture.open()
        let report = try await library.refresh()
        #expect(report.added == 6)
        #expect(report.problems.isEmpty)
        return library
    }

    @Test func conditionsSelectItems() async throws {
        let library = try await library()
        func paths(_ change: (inout LibraryQuery) -> Void) async throws -> Set<String> {
            var query = LibraryQuery()
            change(&query)
            let paths = try await library.paths(query)
            #expect(try await library.count(matching: query) == paths.count)
            return Set(paths)
        }
        #expect(try await paths { $0.kind = .movie } == ["film.mp4"])
        #expect(try await paths { $0.text = "creme BRUL" } == ["a.jpg"])
        #expect(try await paths { $0.text = "mount" } == ["2026/b.jpg"])
        #expect(try await paths { $0.text = "\"; DROP TABLE item" } == [])
        #expect(try await paths { $0.text = "inner" } == ["2026/inner/d.jpg"])
        #expect(try await paths { $0.text = "*" } == [])
        // A letter that joins to what follows.
        #expect(try await paths { $0.text = "\u{D4E}\"" } == [])
        #expect(try await paths { $0.text = " " }.count == 6)
        #expect(try await paths { $0.camera = "canon" } == ["2026/b.jpg"])
        #expect(try await paths { $0.camera = "%" } == [])
        #expect(try await paths { $0.camera = "canon eos r5" } == ["2026/b.jpg"])
        #expect(try await paths { $0.camera = "Acme Pocket 3" } == ["2026/c.jpg"])
        #expect(try await paths { $0.keywords = ["MOUNTAIN", "sea"] } == ["2026/b.jpg"])
        #expect(try await paths { $0.folder = "2026" } == ["2026/b.jpg", "2026/c.jpg", "2026/inner/d.jpg"])
        #expect(
            try await paths {
                $0.folder = "2026"
                $0.includesSubfolders = false
            } == ["2026/b.jpg", "2026/c.jpg"])
        #expect(try await paths { $0.includesSubfolders = false } == ["a.jpg", "e.jpg", "film.mp4"])
        #expect(try await paths { $0.duration = 1...3 } == ["film.mp4"])
        #expect(try await paths { $0.minimumSide = 90 } == ["film.mp4"])
        #expect(try await paths { $0.isFavorite = true } == [])
        let day: Int64 = 86_400_000_000_000
        #expect(
            try await paths {
                $0.from = WallTime(nanosecondsSince1970: 20_002 * day)
                $0.until = WallTime(nanosecondsSince1970: 20_004 * day)
            } == ["2026/b.jpg", "2026/c.jpg"])
    }

    @Test func `Places are counted in cells`() async throws {
        let library = try await library()
        let places = try await library.places()
        // Two photos of Paris, and one on each side of the 180th meridian.
        #expect(places.map(\.count) == [2, 1, 1])
        let paris = try #require(places.first)
        #expect(paris.south == 48.8584 && paris.north == 48.8606 && paris.west == 2.2945 && paris.east == 2.3376)
        #expect(try await library.places(cell: 0.01).count == 4)
        #expect(try await library.places(matching: LibraryQuery(kind: .movie)).isEmpty)
        for cell in [0, -1, .nan, 200] {
            await #expect(throws: ObscuraError.self) { try await library.places(cell: cell) }
        }
    }

    @Test func `Months are those of the clock at the place of capture`() async throws {
        func photo(_ name: String, _ day: String, zone: Int) throws {
            try fixture.photo("library/" + name) { metadata in
                let fields = day.split { "-T:".contains($0) }.compactMap { Int($0) }
                metadata.author = name
                metadata.date = WallTime(
                    WallTime.Fields(
                        year: fields[0], month: fields[1], day: fields[2], hour: fields[3], minute: fields[4]),
                    secondsFromUTC: zone)
            }
        }
        try photo("a.jpg", "2026-10-31T23:30", zone: -36_000)
        try photo("b.jpg", "2026-11-01T00:10", zone: 36_000)
        try photo("c.jpg", "2026-11-30T23:59", zone: 0)
        try photo("inner/d.jpg", "1969-12-31T23:59", zone: 0)
        let library = try await fixture.open()
        try await library.refresh()
        let months = try await library.months()
        #expect(months.map(\.month) == ["2026-11", "2026-10", "1969-12"] && months.map(\.count) == [2, 1, 1])
        var query = LibraryQuery()
        query.includesSubfolders = false
        query.text = "c"
        #expect(try await library.months(matching: query).map(\.month) == ["2026-11"])
        query.kind = .movie
        #expect(try await library.months(matching: query).isEmpty)
    }

    @Test func areasOnTheEarth() async throws {
        let library = try await library()
        func paths(_ area: LibraryQuery.Area) async throws -> Set<String> {
            var query = LibraryQuery()
            query.area = area
            return Set(try await library.paths(query))
        }
        let tower = try GeographicLocation(latitude: 48.8584, longitude: 2.2945)
        // The Louvre is 3.2 km from the tower.
        #expect(try await paths(.circle(center: tower, radius: 3000)) == ["a.jpg"])
        #expect(try await paths(.circle(center: tower, radius: 3300)) == ["a.jpg", "2026/c.jpg"])
        #expect(
            try await paths(.box(south: 48.85, west: 2.2, north: 48.86, east: 2.4)) == ["a.jpg"])
        // Over the 180th meridian: 2 km apart.
        #expect(
            try await paths(.box(south: -19, west: 179, north: -18, east: -179)) == ["2026/inner/d.jpg", "e.jpg"])
        let fiji = try GeographicLocation(latitude: -18.1, longitude: 179.995)
        #expect(try await paths(.circle(center: fiji, radius: 2500)) == ["2026/inner/d.jpg", "e.jpg"])
        let pole = try GeographicLocation(latitude: -90, longitude: 0)
        #expect(try await paths(.circle(center: pole, radius: 9_000_000)) == ["2026/inner/d.jpg", "e.jpg"])
        #expect(await code { _ = try await paths(.circle(center: pole, radius: -1)) } == .invalidRequest)
        #expect(await code { _ = try await paths(.box(south: 10, west: 0, north: 0, east: 1)) } == .invalidRequest)
    }

    @Test(arguments: LibraryQuery.Order.allCases) func pagesAreConsecutive(order: LibraryQuery.Order) async throws {
        let library = try await library()
        let album = try await library.createAlbum(named: "All")
        try await library.add(try await library.paths().reversed(), to: album.id)
        var query = LibraryQuery()
        query.order = order
        query.album = album.id
        let whole = try await library.items(matching: query)
        #expect(whole.items.count == 6)
        #expect(whole.next == nil)
        var pages: [LibraryItem] = []
        var position: LibraryPage.Position?
        repeat {
            let page = try await library.items(matching: query, after: position, limit: 2)
            pages += page.items
            position = page.next
        } while position != nil
        #expect(pages == whole.items)
        switch order {
        case .newestFirst: #expect(zip(pages, pages.dropFirst()).allSatisfy { $0.date.iso8601 >= $1.date.iso8601 })
        case .oldestFirst, .album: #expect(pages.last?.path == "film.mp4")
        case .path: #expect(pages.map(\.path) == pages.map(\.path).sorted())
        case .largestFirst: #expect(zip(pages, pages.dropFirst()).allSatisfy { $0.fileSize >= $1.fileSize })
        case .longestFirst: #expect(pages.first?.path == "film.mp4")
        }
    }

    @Test func anItemHasThePropertiesOfItsFile() async throws {
        let library = try await library()
        let photo = try await library.item(at: "2026/c.jpg")
        #expect(photo.name == "c.jpg")
        #expect(photo.kind == .photo)
        #expect(photo.size == PixelSize(width: 48, height: 32))
        #expect(photo.camera == "Acme Pocket 3")
        #expect(photo.date.iso8601 == "2024-10-07T01:00:00.000+01:00")
        #expect(photo.location?.altitude == 35)
        #expect(photo.duration == nil)
        let movie = try await library.item(at: "film.mp4")
        #expect(movie.kind == .movie)
        #expect(movie.size == PixelSize(width: 160, height: 90))
        #expect(abs((movie.duration ?? 0) - 2) < 0.1)
        #expect(await code { _ = try await library.item(at: "missing.jpg") } == .notFound)
        #expect(await code { _ = try await library.item(at: "../note.txt") } == .invalidPath)
        #expect(await code { _ = try await library.items(limit: 0) } == .invalidRequest)
    }
}
