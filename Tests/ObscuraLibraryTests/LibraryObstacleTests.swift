// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Glibc
import ObscuraBase
import ObscuraLibrary
import ObscuraMedia
import TestSupport
import Testing

/// Obstacles that must not end the work of a library: long names, missing rights, large texts, files of other programs.
@Suite struct LibraryObstacleTests {
    /// The names of the files beside a photo are longer than its own.
    @Test func longNamesDoNotBlockTheLibrary() async throws {
        let fixture = try LibraryFixture()
        try fixture.photo("library/1.jpg", gray: 10)
        try fixture.photo("library/2.jpg", gray: 50)
        let library = try await fixture.open()
        try await library.refresh()
        try await library.setFavorite(true, for: ["1.jpg"])
        let long = String(repeating: "a", count: 245) + ".jpg"
        #expect(await code { try await library.move("1.jpg", to: long) } == .invalidPath)
        #expect(fixture.files() == ["1.jpg", "1.jpg.library.json", "2.jpg"])
        // Another program does it all the same: the mark is kept, where it is found.
        #expect(rename(fixture.path + "/1.jpg", "\(fixture.path)/\(long)") == 0)
        #expect(try await library.refresh().moved == 1)
        #expect(try await library.verify().problems.map(\.kind) == [.withoutItem])
        try await library.setFavorite(true, for: ["2.jpg"])
        #expect(try await library.move("2.jpg", to: "3.jpg").isFavorite)
    }

    @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
    func aSubfolderThatCanOnlyBeReadDoesNotBlockTheLibrary() async throws {
        let fixture = try LibraryFixture()
        for name in ["library/1.jpg", "library/a/1.jpg"] { try fixture.photo(name, gray: name.contains("a/") ? 9 : 90) }
        let library = try await fixture.open()
        try await library.refresh()
        try await library.setFavorite(true, for: ["a/1.jpg"])
        #expect(rename(fixture.path + "/a/1.jpg", fixture.path + "/a/2.jpg") == 0)
        #expect(chmod(fixture.path + "/a", 0o500) == 0)
        defer { chmod(fixture.path + "/a", 0o700) }
        #expect(try await library.refresh().moved == 1)
        try await library.setFavorite(true, for: ["1.jpg"])
        #expect(try await library.count() == 2)
    }

    @Test(.enabled(if: geteuid() != 0, "root may read everything"))
    func aFileThatMayBeReadAgainIsRead() async throws {
        let fixture = try LibraryFixture()
        try fixture.photo("library/1.jpg")
        #expect(chmod(fixture.path + "/1.jpg", 0) == 0)
        let library = try await fixture.open()
        try await library.refresh()
        #expect(try await library.items().items.map(\.isReadable) == [false])
        #expect(try await library.refresh().isUnchanged)
        #expect(chmod(fixture.path + "/1.jpg", 0o600) == 0)
        #expect(try await library.refresh().changed == 1)
        #expect(try await library.items().items.map(\.isReadable) == [true])
        #expect(try await library.refresh().isUnchanged)
    }

    @Test func aRunningRecordingIsNoProblem() async throws {
        let fixture = try LibraryFixture()
        let library = try await fixture.open()
        let recording = try OpenFolder(path: fixture.path).createLocked("film.recording.mp4")
        #expect(try await library.verify().problems.isEmpty)
        recording.unlock()
        #expect(try await library.verify().problems.map(\.kind) == [.interruptedRecording])
        #expect(fixture.exists("library/film.recording.mp4"))
    }

    @Test func textsOfAFileAreBounded() async throws {
        let fixture = try LibraryFixture()
        // One character for Swift.
        let long = "a" + String(repeating: "\u{301}", count: 5000)
        try fixture.photo("library/1.jpg") { $0.title = long }
        let library = try await fixture.open()
        let title = try await library.item(at: "1.jpg").title
        #expect((1...2000).contains(title?.unicodeScalars.count ?? 0))
    }

    @Test func noFileBesideAPhotoEndsARefresh() async throws {
        let fixture = try LibraryFixture()
        try fixture.photo("library/1.jpg")
        _ = try fixture.folder.write(
            "library/1.jpg.library.json", #"{"isFavorite": true, "albums": {"a\u0000b": 1, "a\u0000c": 2}}"#)
        let library = try await fixture.open()
        try await library.refresh()
        #expect(try await library.items().items.map(\.isFavorite) == [true])
    }

    @Test func namesInAlbumsAreComparedByTheirBytes() async throws {
        let fixture = try LibraryFixture()
        for (number, name) in ["\u{e9}.jpg", "1.jpg", "e\u{301}.jpg"].enumerated() {
            try fixture.photo("library/\(name)", gray: UInt8(number * 50))
        }
        let library = try await fixture.open()
        try await library.refresh()
        let album = try await library.createAlbum(named: "One")
        try await library.add(["\u{e9}.jpg", "1.jpg", "e\u{301}.jpg"], to: album.id)
        try await library.reorder(["1.jpg", "e\u{301}.jpg", "\u{e9}.jpg"], in: album.id)
        var query = LibraryQuery()
        (query.album, query.order) = (album.id, .album)
        #expect(
            try await library.paths(query).map { PathKey($0) }
                == ["1.jpg", "e\u{301}.jpg", "\u{e9}.jpg"].map { PathKey($0) })
    }

    /// `é` as one scalar and as two are equal keywords.
    @Test func keywordsAreFoundInBothForms() async throws {
        let fixture = try LibraryFixture()
        for name in ["1.jpg", "2.jpg"] { try fixture.photo("library/\(name)", gray: name == "1.jpg" ? 10 : 90) }
        let library = try await fixture.open()
        try await library.refresh()
        try await library.addKeywords(["Caf\u{e9}"], to: ["1.jpg"])
        try await library.addKeywords(["cafe\u{301}"], to: ["2.jpg"])
        for keyword in ["CAF\u{c9}", "cafe\u{301}"] {
            var query = LibraryQuery()
            query.keywords = [keyword]
            #expect(try await library.count(matching: query) == 2)
        }
        #expect(try await library.keywords().map(\.count) == [2])
    }
}
