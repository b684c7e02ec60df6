// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraLibrary

@Suite("Library: lists, and files at a path", .hangLimit) struct LibraryListTests {
    private let fixture: LibraryFixture

    init() throws {
        fixture = try LibraryFixture()
    }

    @Test("A list has all items of a query in its order, or those among some paths") func lists() async throws {
        for number in 1...4 {
            try fixture.photo("library/\(number).jpg", gray: UInt8(number)) {
                $0.date = WallTime(nanosecondsSince1970: Int64(10 - number) * 1_000_000_000)
            }
        }
        let library = try await fixture.open()
        try await library.refresh()
        var query = LibraryQuery()
        query.order = .oldestFirst
        let names = ["4.jpg", "3.jpg", "2.jpg", "1.jpg"]
        #expect(try await library.entries(matching: query).map(\.path) == names)
        #expect(try await library.entries(matching: query, limit: 2).map(\.path) == Array(names.prefix(2)))
        let some = try await library.entries(matching: query, among: ["1.jpg", "none.jpg", "3.jpg", "\"'\\"])
        #expect(some.map(\.path) == ["3.jpg", "1.jpg"])
        #expect(try await library.entries(matching: query, among: []).isEmpty)
        let items = try await library.items(at: ["1.jpg", "none.jpg", "3.jpg"])
        #expect(items.map { $0?.path } == ["1.jpg", nil, "3.jpg"])
    }

    @Test("The version of an entry changes with favorites and with the file") func versions() async throws {
        try fixture.photo("library/1.jpg")
        let library = try await fixture.open()
        try await library.refresh()
        var versions = [try await library.entries(matching: LibraryQuery())]
        #expect(try await library.entries(matching: LibraryQuery()) == versions[0])
        try await library.setFavorite(true, for: ["1.jpg"])
        versions.append(try await library.entries(matching: LibraryQuery()))
        try fixture.photo("library/1.jpg", gray: 7, size: PixelSize(width: 64, height: 64))
        try await library.refresh()
        versions.append(try await library.entries(matching: LibraryQuery()))
        #expect(Set(versions).count == 3)
    }

    @Test("A file is added at an unused path in the folder of its month") func adding() async throws {
        try fixture.photo("source/1.jpg") { $0.date = WallTime(nanosecondsSince1970: 0) }
        let library = try await fixture.open()
        let file = fixture.folder("source/1.jpg")
        let path = try await library.unusedPath(for: file, named: "photo.jpg")
        #expect(path == "1970/01/photo.jpg")
        try await library.add(file, at: path)
        #expect(try await library.paths() == [path])
        #expect(try fixture.folder.bytes(of: "library/\(path)") == fixture.folder.bytes(of: "source/1.jpg"))
        #expect(try await library.unusedPath(for: file, named: "photo.jpg") == "1970/01/photo-2.jpg")
        #expect(await code { try await library.add(file, at: path) } == .fileExists)
        #expect(fixture.files() == [path])
    }

    @Test("A file that cannot be added leaves nothing behind") func badFiles() async throws {
        try fixture.photo("source/1.jpg")
        let text = try fixture.folder.write("source/text.jpg", "no photo")
        let library = try await fixture.open()
        let photo = fixture.folder("source/1.jpg")
        #expect(await code { _ = try await library.unusedPath(for: photo, named: "1.txt") } == .unsupportedFormat)
        #expect(await code { _ = try await library.unusedPath(for: photo, named: "1.mp4") } == .unreadable)
        #expect(await code { _ = try await library.unusedPath(for: text, named: "1.jpg") } == .unreadable)
        let missing = fixture.folder("source/none.jpg")
        #expect(await code { _ = try await library.unusedPath(for: missing, named: "1.jpg") } == .notFound)
        #expect(await code { try await library.add(text, at: "1.jpg") } == .unreadable)
        #expect(await code { try await library.add(missing, at: "1.jpg") } == .notFound)
        #expect(await code { try await library.add(photo, at: "../1.jpg") } == .invalidPath)
        #expect(fixture.files().isEmpty)
    }

    @Test("An item is copied without its edits, and does not replace another file") func copying() async throws {
        try fixture.photo("library/1.jpg")
        let library = try await fixture.open()
        try await library.copy("1.jpg", to: fixture.folder("copy.jpg"))
        #expect(try fixture.folder.bytes(of: "copy.jpg") == fixture.folder.bytes(of: "library/1.jpg"))
        #expect(await code { try await library.copy("1.jpg", to: fixture.folder("copy.jpg")) } == .fileExists)
        #expect(await code { try await library.copy("2.jpg", to: fixture.folder("2.jpg")) } == .notFound)
    }
}
