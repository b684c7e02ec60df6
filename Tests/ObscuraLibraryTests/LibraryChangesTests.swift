// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraImaging
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraLibrary

/// Favorites, keywords, albums, edits, the trash and moves, and what an index that is built anew says of them.
@Suite struct LibraryChangesTests {
    private let fixture: LibraryFixture

    init() throws {
        fixture = try LibraryFixture()
    }

    private func library() async throws -> MediaLibrary {
        for number in 1...3 { try fixture.photo("library/\(number).jpg", gray: UInt8(number * 10)) }
        let library = try await fixture.open()
        try await library.refresh()
        return library
    }

    @Test func theIndexIsOnlyACache() async throws {
        let library = try await library()
        try await library.setFavorite(true, for: ["1.jpg", "2.jpg"])
        try await library.addKeywords(["Sea", " sea ", "old\nhouse"], to: ["2.jpg"])
        try await library.setRecipe(StillRecipe([.rotate(.right)]), of: "3.jpg")
        let album = try await library.createAlbum(named: "Best of")
        try await library.add(["3.jpg", "1.jpg"], to: album.id)
        let before = try library.index.dump()
        let other = try await fixture.open()
        try await other.rebuildIndex()
        #expect(try other.index.dump() == before)
        var query = LibraryQuery()
        query.album = album.id
        query.order = .album
        #expect(try await other.paths(query) == ["3.jpg", "1.jpg"])
        let item = try await other.item(at: "2.jpg")
        #expect(item.keywords == ["Sea", "old house"])
        #expect(item.isFavorite)
        #expect(try await other.item(at: "3.jpg").size == PixelSize(width: 32, height: 48))
        #expect(try await other.refresh().isUnchanged)
        #expect(try await other.verify().problems.isEmpty)
    }

    @Test func notesThatAreEmptyLeaveNoFile() async throws {
        let library = try await library()
        try await library.setFavorite(true, for: ["1.jpg"])
        try await library.addKeywords(["a"], to: ["1.jpg"])
        #expect(fixture.files().contains("1.jpg.library.json"))
        try await library.setFavorite(false, for: ["1.jpg"])
        try await library.removeKeywords(["A"], from: ["1.jpg"])
        #expect(fixture.files() == ["1.jpg", "2.jpg", "3.jpg"])
    }

    @Test func albumsHaveAnOrderAndNames() async throws {
        let library = try await library()
        let album = try await library.createAlbum(named: " Summer ")
        #expect(album.name == "Summer")
        #expect(await code { try await library.createAlbum(named: "SUMMER") } == .fileExists)
        #expect(await code { try await library.createAlbum(named: " ") } == .invalidRequest)
        // One character for Swift.
        let long = "a" + String(repeating: "\u{301}", count: 200)
        #expect(await code { try await library.createAlbum(named: long) } == .invalidRequest)
        try await library.add(["1.jpg", "2.jpg"], to: album.id)
        try await library.add(["2.jpg", "3.jpg"], to: album.id)
        var query = LibraryQuery()
        query.album = album.id
        query.order = .album
        #expect(try await library.paths(query) == ["1.jpg", "2.jpg", "3.jpg"])
        try await library.reorder(["3.jpg", "1.jpg"], in: album.id)
        #expect(try await library.paths(query) == ["3.jpg", "1.jpg", "2.jpg"])
        try await library.remove(["1.jpg"], from: album.id)
        #expect(try await library.paths(query) == ["3.jpg", "2.jpg"])
        #expect(await code { try await library.reorder(["1.jpg"], in: album.id) } == .notFound)
        try await library.renameAlbum(album.id, to: "Winter")
        #expect(try await library.album(named: "winter")?.id == album.id)
        #expect(try await library.albums().map { "\($0.album.name) \($0.count)" } == ["Winter 2"])
        try await library.deleteAlbum(album.id)
        #expect(try await library.albums().isEmpty)
        #expect(await code { try await library.deleteAlbum(album.id) } == .notFound)
        #expect(await code { try await library.add(["1.jpg"], to: album.id) } == .notFound)
    }

    @Test func everythingMovesWithAnItem() async throws {
        let library = try await library()
        try await library.setFavorite(true, for: ["1.jpg"])
        try await library.setRecipe(StillRecipe([.mirror]), of: "1.jpg")
        let moved = try await library.move("1.jpg", to: "new/folder/one.jpeg")
        #expect(moved.path == "new/folder/one.jpeg")
        #expect(moved.isFavorite && moved.isEdited)
        #expect(
            fixture.files() == [
                "2.jpg", "3.jpg", "new/folder/one.jpeg", "new/folder/one.jpeg.library.json",
                "new/folder/one.jpeg.recipe.json",
            ])
        #expect(await code { try await library.move("2.jpg", to: "3.jpg") } == .fileExists)
        #expect(await code { try await library.move("2.jpg", to: "2.mp4") } == .invalidPath)
        #expect(await code { try await library.move("2.jpg", to: "../2.jpg") } == .invalidPath)
        #expect(await code { try await library.move("9.jpg", to: "8.jpg") } == .notFound)
        #expect(try await library.move("2.jpg", to: "2.jpg").path == "2.jpg")
        #expect(try await library.verify().problems.isEmpty)
    }

    @Test func theTrashKeepsEverything() async throws {
        let library = try await library()
        try await library.setFavorite(true, for: ["1.jpg"])
        let trashed = try await library.trash(["1.jpg", "2.jpg"])
        #expect(fixture.files() == ["3.jpg"])
        #expect(try await library.paths() == ["3.jpg"])
        #expect(Set(try await library.trashedItems().map(\.path)) == ["1.jpg", "2.jpg"])
        // Another file has the name by now.
        try fixture.photo("library/1.jpg", gray: 77)
        try await library.refresh()
        let restored = try await library.restore(trashed[0].id)
        #expect(restored.path == "1-2.jpg")
        #expect(restored.isFavorite)
        #expect(try await library.emptyTrash() == 1)
        #expect(try await library.trashedItems().isEmpty)
        #expect(await code { try await library.restore(trashed[1].id) } == .notFound)
        #expect(await code { try await library.restore("../..") } == .notFound)
        #expect(await code { try await library.trash(["3.jpg", "missing.jpg"]) } == .notFound)
        #expect(fixture.files() == ["1-2.jpg", "1-2.jpg.library.json", "1.jpg", "3.jpg"])
        #expect(try await library.verify().problems.isEmpty)
    }

    @Test func editsAreBesideThePhoto() async throws {
        let library = try await library()
        let original = try fixture.folder.bytes(of: "library/1.jpg")
        let crop = StillRecipe([.crop(UnitRect(x: 0, y: 0, width: 0.5, height: 0.5))])
        let item = try await library.setRecipe(crop, of: "1.jpg")
        #expect(item.size == PixelSize(width: 24, height: 16))
        #expect(try await library.recipe(of: "1.jpg") == crop)
        #expect(try await library.picture(of: "1.jpg").size == PixelSize(width: 24, height: 16))
        let small = PixelSize(width: 12, height: 12)
        #expect(try await library.picture(of: "1.jpg", fitting: small).size == PixelSize(width: 12, height: 8))
        #expect(try fixture.folder.bytes(of: "library/1.jpg") == original)
        try await library.addKeywords(["beach"], to: ["1.jpg"])
        var options = ExportOptions()
        options.writesKeywords = true
        let files = try await library.export(["1.jpg", "2.jpg"], to: fixture.folder("out"), options: options)
        let info = try StillInfo(contentsOf: files[0])
        #expect(info.size == PixelSize(width: 24, height: 16))
        #expect(info.metadata.keywords == ["beach"])
        #expect(try fixture.folder.bytes(of: "out/2.jpg") == fixture.folder.bytes(of: "library/2.jpg"))
        #expect(await code { try await library.export(["2.jpg"], to: fixture.folder("out")) } == .fileExists)
        try await library.setRecipe(nil, of: "1.jpg")
        #expect(try await library.recipe(of: "1.jpg") == nil)
        let tilted = StillRecipe([.straighten(degrees: 90)])
        #expect(await code { try await library.setRecipe(tilted, of: "1.jpg") } == .invalidRequest)
    }

    @Test func aPartOfAMovieIsANewItem() async throws {
        let library = try await library()
        try Tool.run("cp", [TestMovies.h264(), fixture.path + "/film.mp4"])
        try await library.refresh()
        func seconds(_ count: Int64) -> MediaTime { MediaTime(value: count, timescale: 2) }
        let part = try await library.trim("film.mp4", from: seconds(1), to: seconds(3))
        #expect(part.path == "film-trimmed.mp4")
        #expect(abs((part.duration ?? 0) - 1) < 0.2)
        #expect(try await library.trim("film.mp4", from: seconds(1)).path == "film-trimmed-2.mp4")
        #expect(await code { try await library.trim("1.jpg", from: .zero) } == .invalidRequest)
        #expect(await code { try await library.trim("film.mp4", from: seconds(100)) } == .invalidRequest)
        #expect(try await library.verify().problems.isEmpty)
    }

    @Test func duplicatesHaveTheSameBytes() async throws {
        let library = try await library()
        try Tool.run("cp", [fixture.path + "/1.jpg", fixture.path + "/copy of 1.jpg"])
        try await library.refresh()
        #expect(try await library.duplicates().map { $0.map(\.path) } == [["1.jpg", "copy of 1.jpg"]])
    }

    @Test func observersSeeChanges() async throws {
        let library = try await library()
        var query = LibraryQuery()
        query.isFavorite = true
        var updates = library.updates(matching: query).makeAsyncIterator()
        #expect(try await updates.next()?.items.isEmpty == true)
        try await library.setFavorite(true, for: ["2.jpg"])
        #expect(try await updates.next()?.items.map(\.path) == ["2.jpg"])
        // A change that does not alter the page is not an element.
        try await library.addKeywords(["x"], to: ["1.jpg"])
        try await library.setFavorite(true, for: ["1.jpg"])
        #expect(try await updates.next()?.items.count == 2)
        let task = Task {
            var updates = library.updates(matching: query).makeAsyncIterator()
            _ = try await updates.next()
            return try await updates.next()
        }
        task.cancel()
        #expect(try await task.value == nil)
    }
}
