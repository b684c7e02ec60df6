// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Glibc
import ObscuraBase
import ObscuraImaging
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraLibrary

/// Folders as they are outside of tests: other programs, links, strange names, damaged files, missing rights.
@Suite struct LibraryFolderTests {
    @Test func otherProgramsChangeFiles() async throws {
        let fixture = try LibraryFixture()
        for number in 1...4 { try fixture.photo("library/\(number).jpg", gray: UInt8(number)) }
        let library = try await fixture.open()
        try await library.refresh()
        try await library.setFavorite(true, for: ["1.jpg"])
        try FileManager.default.createDirectory(atPath: fixture.path + "/moved", withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: fixture.path + "/1.jpg", toPath: fixture.path + "/moved/one.jpg")
        try FileManager.default.removeItem(atPath: fixture.path + "/2.jpg")
        try fixture.photo("library/3.jpg", gray: 200, size: PixelSize(width: 64, height: 64))
        try fixture.photo("library/new/5.jpg")
        let report = try await library.refresh()
        let counts: [Int] = [report.added, report.changed, report.removed, report.moved]
        #expect(counts == Array(repeating: 1, count: 4))
        #expect(Set(try await library.paths()) == ["moved/one.jpg", "3.jpg", "4.jpg", "new/5.jpg"])
        // The mark of a favorite was beside the old path.
        #expect(try await library.item(at: "moved/one.jpg").isFavorite)
        #expect(try await library.item(at: "3.jpg").size?.width == 64)
        #expect(try await library.verify().problems.isEmpty)
        try FileManager.default.removeItem(atPath: fixture.path + "/new")
        #expect(try await library.refresh().removed == 1)
        #expect(try await library.refresh().isUnchanged)
    }

    @Test func namesOfAllKinds() async throws {
        let fixture = try LibraryFixture()
        let names = [
            "写真.jpg", "Äpfel & Birnen.jpg", "new\nline.jpg", "quote\"'`$(x).jpg", "😀.jpg", "-rf.jpg", "a%20b.jpg",
        ]
        for (number, name) in names.enumerated() { try fixture.photo("library/\(name)", gray: UInt8(number)) }
        // Not UTF-8.
        let bytes: [CChar] = Array(fixture.path.utf8CString.dropLast()) + [47, -1, -2] + ".jpg".utf8CString
        #expect(link(fixture.path + "/-rf.jpg", fixture.path + "/x.txt") == 0)
        #expect(rename(fixture.path + "/x.txt", bytes) == 0)
        try fixture.photo("library/.hidden.jpg")
        let library = try await fixture.open()
        let report = try await library.refresh()
        #expect(Set(try await library.paths()) == Set(names))
        #expect(report.problems == [LibraryProblem(kind: .invalidName, path: "\u{FFFD}\u{FFFD}.jpg")])
        for name in names {
            try await library.setFavorite(true, for: [name])
            let trashed = try await library.trash([name])
            #expect(try await library.restore(trashed[0].id).path == name)
        }
        try await library.rebuildIndex()
        #expect(try await library.items().items.allSatisfy(\.isFavorite))
    }

    @Test func linksAreNotFollowed() async throws {
        let fixture = try LibraryFixture()
        try fixture.photo("library/a/1.jpg")
        try fixture.photo("source/secret.jpg")
        for (link, target) in [("a/loop", ".."), ("out", fixture.source), ("file.jpg", fixture.source + "/secret.jpg")]
        {
            try FileManager.default.createSymbolicLink(
                atPath: "\(fixture.path)/\(link)", withDestinationPath: target)
        }
        #expect(mkfifo(fixture.path + "/pipe.jpg", 0o600) == 0)
        let library = try await fixture.open()
        try await library.refresh()
        #expect(try await library.paths() == ["a/1.jpg"])
        #expect(await code { _ = try await library.item(at: "file.jpg") } == .notFound)
        #expect(await code { _ = try await library.item(at: "out/secret.jpg") } == .notFound)
        #expect(await code { _ = try await library.trash(["out/secret.jpg"]) } == .notFound)
        #expect(await code { _ = try await library.move("a/1.jpg", to: "out/1.jpg") } == .notFound)
        #expect(fixture.folder.names(in: "source") == ["secret.jpg"])
        #expect(fixture.exists("library/a/1.jpg"))
    }

    @Test func damagedFilesAreItemsThatCannotBeRead() async throws {
        let fixture = try LibraryFixture()
        try fixture.photo("library/good.jpg")
        let bytes = try fixture.folder.bytes(of: "library/good.jpg")
        func write(_ name: String, _ bytes: [UInt8]) throws {
            try Data(bytes).write(to: fixture.folder.url.appending(path: "library/\(name)"))
        }
        try write("truncated.jpg", Array(bytes.dropLast(20)))
        try write("header.jpg", Array(bytes.prefix(20)))
        try write("empty.png", [])
        try write("text.mp4", Array("no movie".utf8))
        try write("film.recording.mp4", [])
        // A PNG of 60,000 x 60,000 pixels, without any.
        try write(
            "bomb.png",
            [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13] + Array("IHDR".utf8)
                + [0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60, 8, 6, 0, 0, 0, 0, 0, 0, 0])
        let library = try await fixture.open()
        try await library.refresh()
        var query = LibraryQuery()
        query.isReadable = false
        #expect(Set(try await library.paths(query)) == ["header.jpg", "empty.png", "text.mp4"])
        #expect(await code { _ = try await library.picture(of: "bomb.png") } == .tooLarge)
        #expect(await code { _ = try await library.picture(of: "empty.png") } == .unreadable)
        let problems = try await library.verify().problems
        #expect(problems.filter { $0.kind == .damaged }.count == 3)
        #expect(problems.contains(LibraryProblem(kind: .interruptedRecording, path: "film.recording.mp4")))
        #expect(try await library.trash(["empty.png"]).count == 1)
    }

    @Test func damagedNotesAreKept() async throws {
        let fixture = try LibraryFixture()
        try fixture.photo("library/1.jpg")
        _ = try fixture.folder.write("library/1.jpg.library.json", "{")
        _ = try fixture.folder.write("library/gone.jpg.library.json", "{}")
        let library = try await fixture.open()
        try await library.refresh()
        #expect(await code { try await library.setFavorite(true, for: ["1.jpg"]) } == .damaged)
        #expect(try fixture.folder.text(of: "library/1.jpg.library.json") == "{")
        #expect(
            try await library.verify().problems == [
                LibraryProblem(kind: .damagedNotes, path: "1.jpg"),
                LibraryProblem(kind: .withoutItem, path: "gone.jpg.library.json"),
            ])
        // Never used for another photo.
        try fixture.photo("source/gone.jpg")
        var options = ImportOptions()
        options.layout = .folder("")
        options.skipsDuplicates = false
        let report = try await library.importFiles([fixture.source], options: options)
        #expect(report.imported.map(\.path) == ["gone-2.jpg"])
    }

    @Test func aFolderThatDisappearsLeavesTheIndex() async throws {
        let fixture = try LibraryFixture()
        try fixture.photo("library/1.jpg")
        let library = try await fixture.open()
        try await library.refresh()
        try FileManager.default.moveItem(atPath: fixture.path, toPath: fixture.folder("elsewhere"))
        // The open folder is still the same.
        #expect(try await library.refresh().isUnchanged)
        try FileManager.default.removeItem(atPath: fixture.folder("elsewhere"))
        #expect(await code { try await library.refresh() } == .notFound)
        #expect(await code { try await library.setFavorite(true, for: ["1.jpg"]) } == .notFound)
        #expect(try await library.paths() == ["1.jpg"])
        #expect(MediaLibrary.authorizationStatus(forFolder: fixture.path) == .none)
        var options = MediaLibrary.Options()
        options.createsFolder = false
        #expect(await code { _ = try await MediaLibrary(path: fixture.path, options: options) } == .notFound)
    }

    @Test(.enabled(if: geteuid() != 0, "root may write everywhere")) func aFolderThatCanOnlyBeRead() async throws {
        let fixture = try LibraryFixture()
        try fixture.photo("library/1.jpg")
        #expect(MediaLibrary.authorizationStatus(forFolder: fixture.path) == .readWrite)
        #expect(chmod(fixture.path, 0o500) == 0)
        defer { chmod(fixture.path, 0o700) }
        #expect(MediaLibrary.authorizationStatus(forFolder: fixture.path) == .readOnly)
        let library = try await fixture.open()
        try await library.refresh()
        #expect(try await library.paths() == ["1.jpg"])
        #expect(await code { try await library.setFavorite(true, for: ["1.jpg"]) } == .notAuthorized)
        #expect(try await library.verify().problems.isEmpty)
    }

    @Test func aDamagedIndexIsReplaced() async throws {
        let fixture = try LibraryFixture()
        try fixture.photo("library/1.jpg")
        let name = try await fixture.open().index.location.name
        // In another folder: the first one is open, and SQLite would restore it.
        let other = fixture.folder("other cache")
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
        _ = try fixture.folder.write("other cache/\(name)", String(repeating: "no database", count: 1000))
        var options = MediaLibrary.Options()
        options.cacheFolder = other
        let library = try await MediaLibrary(path: fixture.path, options: options)
        #expect(try await library.paths() == [])
        try await library.refresh()
        #expect(try await library.paths() == ["1.jpg"])
    }

    /// In Swift, a slash and an accent after it are one character; to the system they are a slash and another name.
    @Test func slashesAreFoundByTheirBytes() async throws {
        let fixture = try LibraryFixture()
        try fixture.photo("library/1.jpg")
        for name in ["link", "link\u{600}"] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(fixture.path)/\(name)", withDestinationPath: fixture.source)
        }
        let library = try await fixture.open()
        for path in ["link/\u{301}y.jpg", "link\u{600}/y.jpg", "/\u{301}y.jpg", "a/\u{301}/../../y.jpg"] {
            #expect(await code { try await library.move("1.jpg", to: path) } != nil)
        }
        #expect(fixture.folder.names(in: "source").isEmpty)
        #expect(PathParts("a/\u{301}b").folder == "a")
        #expect(try LibraryPath("a/\u{301}b.jpg").name == "\u{301}b.jpg")
    }

    /// `é` as one scalar and as two are different names of files, but equal strings.
    @Test func namesAreComparedByTheirBytes() async throws {
        let fixture = try LibraryFixture()
        try fixture.photo("library/\u{e9}.jpg", gray: 10)
        try fixture.photo("library/e\u{301}.jpg", gray: 200)
        try fixture.photo("library/d\u{e9}/1.jpg", gray: 20)
        try fixture.photo("library/de\u{301}/1.jpg", gray: 30)
        let library = try await fixture.open()
        #expect(try await library.refresh().added == 4)
        try await library.setFavorite(true, for: ["\u{e9}.jpg"])
        #expect(try await library.refresh().isUnchanged)
        try FileManager.default.removeItem(atPath: fixture.path + "/e\u{301}.jpg")
        #expect(rename(fixture.path + "/\u{e9}.jpg", fixture.path + "/e\u{301}.jpg") == 0)
        try await library.refresh()
        #expect(try await library.count() == 3)
        #expect(try await library.item(at: "e\u{301}.jpg").isFavorite)
        #expect(try await library.verify().problems.isEmpty)
    }

    @Test func renumberedPhotosKeepTheirMarks() async throws {
        let fixture = try LibraryFixture()
        for number in 1...3 { try fixture.photo("library/\(number).jpg", gray: UInt8(number * 20)) }
        let library = try await fixture.open()
        try await library.refresh()
        for number in 1...3 { try await library.addKeywords(["k\(number)"], to: ["\(number).jpg"]) }
        for (from, to) in [("3", "4"), ("2", "3"), ("1", "2")] {
            try FileManager.default.moveItem(atPath: "\(fixture.path)/\(from).jpg", toPath: "\(fixture.path)/\(to).jpg")
        }
        let report = try await library.refresh()
        #expect(report.moved == 3)
        for number in 1...3 { #expect(try await library.item(at: "\(number + 1).jpg").keywords == ["k\(number)"]) }
        #expect(fixture.files().count == 6)
        #expect(try await library.verify().problems.isEmpty)
        #expect(try await library.refresh().isUnchanged)
    }

    @Test func whatIsDamagedIsNotOverwritten() async throws {
        let fixture = try LibraryFixture()
        try fixture.photo("library/1.jpg")
        let library = try await fixture.open()
        try await library.createAlbum(named: "One")
        let albums = try fixture.folder.text(of: "library/.obscura/albums.json")
        _ = try fixture.folder.write("library/.obscura/albums.json", albums + "x")
        #expect(await code { try await library.createAlbum(named: "Two") } == .damaged)
        #expect(try await library.albums().map(\.album.name) == ["One"])
        #expect(try fixture.folder.text(of: "library/.obscura/albums.json") == albums + "x")
        _ = try fixture.folder.write("library/1.jpg.recipe.json", #"{"version":99}"#)
        #expect(await code { try await library.setRecipe(StillRecipe([.mirror]), of: "1.jpg") } == .damaged)
        try await library.setRecipe(nil, of: "1.jpg")
        try await library.setRecipe(StillRecipe([.mirror]), of: "1.jpg")
        // The target is taken by another program after the process was killed: its photo gets no edits.
        try fixture.photo("library/2.jpg", gray: 30)
        _ = try fixture.folder.write(
            "library/.obscura/moves.json",
            """
            {"inode": 1, "moves": [{"from": "1.jpg", "to": "2.jpg"},
                {"from": "1.jpg.recipe.json", "to": "2.jpg.recipe.json"}]}
            """)
        try await library.refresh()
        #expect(fixture.files() == ["1.jpg", "1.jpg.recipe.json", "2.jpg"])
        _ = try fixture.folder.write(
            "library/.obscura/moves.json", #"{"moves": [{"from": "1.jpg", "to": "../3.jpg"}]}"#)
        #expect(await code { try await library.setFavorite(true, for: ["1.jpg"]) } == .damaged)
        #expect(!fixture.exists("3.jpg"))
    }

    /// As a process leaves them that is killed while it writes.
    @Test func temporaryFilesOfKilledProcessesAreDeleted() async throws {
        let fixture = try LibraryFixture()
        try fixture.photo("library/1.jpg")
        let library = try await fixture.open()
        let trashed = try await library.trash(["1.jpg"])
        try FileManager.default.createDirectory(
            atPath: fixture.path + "/.obscura/trash/1-a", withIntermediateDirectories: true)
        for folder in ["", ".obscura/", ".obscura/trash/1-a/"] {
            _ = try fixture.folder.write("library/\(folder).obscura-1a2b.part", "a part")
        }
        try await library.refresh()
        #expect(try await library.verify().problems.isEmpty)
        #expect(fixture.folder.names(in: "library") == [".obscura"])
        try await library.restore(trashed[0].id)
        try await library.emptyTrash()
        #expect(fixture.folder.names(in: "library/.obscura/trash").isEmpty)
        #expect(fixture.folder.names(in: "library/.obscura").contains { $0.hasSuffix(".part") } == false)
    }

    @Test func anExportNeverGoesIntoTheLibrary() async throws {
        let fixture = try LibraryFixture()
        try fixture.photo("library/1.jpg")
        let before = try fixture.folder.bytes(of: "library/1.jpg")
        let library = try await fixture.open()
        try await library.setRecipe(StillRecipe([.mirror]), of: "1.jpg")
        var options = ExportOptions()
        options.overwrites = true
        for folder in [fixture.path, fixture.path + "/inner"] {
            #expect(await code { try await library.export(["1.jpg"], to: folder, options: options) } == .invalidRequest)
        }
        #expect(try fixture.folder.bytes(of: "library/1.jpg") == before)
    }
}
