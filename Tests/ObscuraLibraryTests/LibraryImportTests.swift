// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Glibc
import ObscuraBase
import ObscuraImaging
import ObscuraLibrary
import ObscuraMedia
import TestSupport
import Testing

/// Imports: which files, under which names, and what remains after an error.
@Suite struct LibraryImportTests {
    @Test func filesAreSortedByMonth() async throws {
        let fixture = try LibraryFixture()
        let date = WallTime(nanosecondsSince1970: 1_772_370_309_000_000_000, secondsFromUTC: 3600)
        try fixture.photo("source/card/one.jpg", gray: 1) { $0.date = date }
        try fixture.photo("source/card/.two.JPG", gray: 2) { $0.date = date }
        try fixture.photo("source/other/one.jpg", gray: 3) { $0.date = date }
        try fixture.photo("source/again/copy.jpg", gray: 1) { $0.date = date }
        _ = try fixture.folder.write("source/notes.txt", "no photo")
        let library = try await fixture.open()
        let progress = Lock([LibraryProgress]())
        let report = try await library.importFiles([fixture.source, fixture.source + "/card/.two.JPG"]) { now in
            progress.withLock { $0.append(now) }
        }
        #expect(fixture.files() == ["2026/03/one-2.jpg", "2026/03/one.jpg", "2026/03/two.JPG"])
        #expect(report.imported.count == 3)
        #expect(report.duplicates.map(\.path).count == 1)
        #expect(report.failures.isEmpty)
        #expect(progress.withLock { $0.last?.completed } == 4)
        #expect(progress.withLock { $0.last?.total } == 4)
        #expect(try await library.refresh().isUnchanged)
        // The modification date is kept.
        let source = try FileManager.default.attributesOfItem(atPath: fixture.source + "/card/.two.JPG")
        let item = try FileManager.default.attributesOfItem(atPath: fixture.path + "/2026/03/two.JPG")
        #expect(source[.modificationDate] as? Date == item[.modificationDate] as? Date)
    }

    @Test func whatCannotBeImportedIsAFailure() async throws {
        let fixture = try LibraryFixture()
        try fixture.photo("source/good.jpg")
        try fixture.photo("library/inside.jpg", gray: 9)
        let text = try fixture.folder.write("source/text.jpg", "no photo")
        let note = try fixture.folder.write("source/note.txt", "no photo")
        let library = try await fixture.open()
        try await library.refresh()
        var options = ImportOptions()
        options.movesFiles = true
        options.layout = .folder("new")
        let report = try await library.importFiles(
            [fixture.source, note, fixture.folder("missing.jpg"), fixture.path, fixture.path + "/inside.jpg"],
            options: options)
        #expect(report.imported.map(\.path) == ["new/good.jpg"])
        var codes: [String: ObscuraError.Code] = [:]
        for failure in report.failures { codes[failure.source] = failure.error.code }
        let expected: [String: ObscuraError.Code] = [
            text: .unreadable, note: .unsupportedFormat, fixture.folder("missing.jpg"): .notFound,
            fixture.path: .invalidRequest, fixture.path + "/inside.jpg": .invalidRequest,
        ]
        #expect(codes == expected)
        // Imported files were moved, the others are where they were.
        #expect(fixture.folder.names(in: "source") == ["note.txt", "text.jpg"])
        #expect(fixture.files() == ["inside.jpg", "new/good.jpg"])
        options.layout = .folder("../out")
        #expect(await code { try await library.importFiles([note], options: options) } == .invalidPath)
    }

    @Test func nothingIsDeletedThatIsNotInTheLibrary() async throws {
        let fixture = try LibraryFixture()
        try Tool.run("cp", [TestMovies.h264(), fixture.source + "/clip.recording.mp4"])
        try fixture.photo("source/1.jpg", gray: 1)
        try fixture.photo("source/raw.cr3", gray: 1)
        _ = try fixture.folder.write("source/1.jpg.library.json", #"{"isFavorite": true, "albums": {"x": 1}}"#)
        let library = try await fixture.open()
        var options = ImportOptions()
        options.movesFiles = true
        options.layout = .folder("")
        let clip = fixture.source + "/clip.recording.mp4"
        let report = try await library.importFiles([clip, clip, fixture.source], options: options)
        #expect(report.failures.map(\.error.code) == [.invalidPath, .invalidPath])
        #expect(report.skipped.count == 2)
        #expect(report.imported.map(\.path) == ["1.jpg"])
        #expect(fixture.folder.names(in: "source") == ["clip.recording.mp4", "raw.cr3"])
        // The marks of another library come along, without its albums.
        #expect(try await library.item(at: "1.jpg").isFavorite)
        #expect(try !fixture.folder.text(of: "library/1.jpg.library.json").contains("x"))
        // The item itself, by another name.
        #expect(link(fixture.path + "/1.jpg", fixture.source + "/linked.jpg") == 0)
        let again = try await library.importFiles([fixture.source + "/linked.jpg"], options: options)
        #expect(again.duplicates.map(\.path) == ["1.jpg"])
        #expect(fixture.exists("source/linked.jpg") && fixture.exists("library/1.jpg"))
    }

    @Test func aDuplicateGivesItsMarksBeforeItIsDeleted() async throws {
        let fixture = try LibraryFixture()
        for name in ["library/1.jpg", "library/2.jpg", "source/a.jpg"] {
            try fixture.photo(name, gray: name.contains("2") ? 90 : 10)
        }
        try fixture.photo("source/b.jpg", gray: 90)
        _ = try fixture.folder.write("source/a.jpg.library.json", #"{"isFavorite": true, "keywords": ["precious"]}"#)
        let recipe = String(decoding: try StillRecipe([.mirror]).json(), as: UTF8.self)
        _ = try fixture.folder.write("source/b.jpg.recipe.json", recipe)
        let library = try await fixture.open()
        try await library.refresh()
        try await library.setRecipe(StillRecipe([.rotate(.left)]), of: "2.jpg")
        var options = ImportOptions()
        options.movesFiles = true
        let report = try await library.importFiles([fixture.source], options: options)
        #expect(report.duplicates.count == 2)
        #expect(try await library.item(at: "1.jpg").keywords == ["precious"])
        #expect(try await library.item(at: "1.jpg").isFavorite)
        // Other edits of the same photo are kept where they are.
        #expect(report.failures.map(\.error.code) == [.invalidRequest])
        #expect(fixture.folder.names(in: "source") == ["b.jpg", "b.jpg.recipe.json"])
    }

    @Test func aFileWhoseMarksCannotBeStoredIsNotDeleted() async throws {
        let fixture = try LibraryFixture()
        try fixture.photo("source/1.jpg")
        // Not too large, but so in the form of the library, with a keyword in each line.
        let keywords = (0..<1000).map { "\"\($0.zeroPadded(to: 4))\(String(repeating: "x", count: 254))\"" }
        let json = "{\"keywords\":[\(keywords.joined(separator: ","))]}"
        #expect(json.utf8.count <= 256 << 10)
        _ = try fixture.folder.write("source/1.jpg.library.json", json)
        let library = try await fixture.open()
        var options = ImportOptions()
        options.movesFiles = true
        options.layout = .folder("")
        let progress = Lock(0)
        let report = try await library.importFiles([fixture.source], options: options) { now in
            progress.withLock { $0 = now.completed }
        }
        #expect(report.imported.map(\.path) == ["1.jpg"])
        #expect(report.failures.map(\.error.code) == [.tooLarge])
        #expect(progress.withLock(\.self) == 1)
        #expect(fixture.folder.names(in: "source") == ["1.jpg", "1.jpg.library.json"])
    }

    @Test func aCancelledImportKeepsWhatIsComplete() async throws {
        let fixture = try LibraryFixture()
        for number in 0..<200 { try fixture.photo("source/\(number).jpg", gray: UInt8(number)) }
        let library = try await fixture.open()
        let task = Lock<Task<ImportReport, any Error>?>(nil)
        let running = Task {
            try await library.importFiles([fixture.source]) { now in
                if now.completed > 10 { task.withLock { $0?.cancel() } }
            }
        }
        task.withLock { $0 = running }
        let result = await running.result
        if case .failure(let error) = result { #expect((error as? ObscuraError)?.code == .cancelled) }
        let files = fixture.files()
        #expect(files.allSatisfy { $0.hasSuffix(".jpg") })
        #expect(try await library.paths().sorted() == files)
        #expect(try await library.importFiles([fixture.source]).imported.count == 200 - files.count)
    }

    @Test func aFullDiskEndsTheImport() async throws {
        let fixture = try LibraryFixture()
        for number in 0..<3 { try fixture.photo("source/\(number).jpg", gray: UInt8(number)) }
        var options = MediaLibrary.Options()
        options.cacheFolder = fixture.folder("cache")
        options.minimumFreeSpace = .max
        let library = try await MediaLibrary(path: fixture.path, options: options)
        #expect(await code { try await library.importFiles([fixture.source]) } == .diskFull)
        #expect(fixture.files() == [])
        #expect(try await library.verify().problems.isEmpty)
        // Deleting is what helps.
        try fixture.photo("library/1.jpg")
        let trashed = try await library.trash(["1.jpg", "1.jpg"])
        #expect(trashed.map(\.path) == ["1.jpg"])
        #expect(try await library.restore(trashed[0].id).path == "1.jpg")
        // Another program renames a photo with marks.
        _ = try fixture.folder.write("library/1.jpg.library.json", #"{"isFavorite": true}"#)
        try await library.refresh()
        #expect(rename(fixture.path + "/1.jpg", fixture.path + "/2.jpg") == 0)
        #expect(try await library.refresh().moved == 1)
        #expect(try await library.move("2.jpg", to: "3.jpg").isFavorite)
    }
}
