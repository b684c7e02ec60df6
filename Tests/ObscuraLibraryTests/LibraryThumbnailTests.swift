// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraFFmpeg
import ObscuraImaging
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraLibrary

/// Thumbnails in the form that file managers read.
@Suite struct LibraryThumbnailTests {
    @Test func aThumbnailNamesItsFile() async throws {
        let fixture = try LibraryFixture()
        let name = "Möwe & Co (1) #x%;,.jpg"
        try fixture.photo("library/\(name)", size: PixelSize(width: 400, height: 300))
        let library = try await fixture.open()
        let bytes = try await library.thumbnail(of: name)
        #expect(try Still(bytes).picture.size == PixelSize(width: 256, height: 192))
        let texts = Dictionary(PNGText.read(bytes).map { ($0.keyword, String(decoding: $0.bytes, as: UTF8.self)) }) {
            first, _ in first
        }
        // As GLib writes it (`gio info`).
        let uri = "file://\(fixture.path)/M%C3%B6we%20&%20Co%20(1)%20%23x%25%3B,.jpg"
        #expect(texts["Thumb::URI"] == uri)
        let date =
            try FileManager.default.attributesOfItem(atPath: "\(fixture.path)/\(name)")[.modificationDate] as? Date
        #expect(texts["Thumb::MTime"] == date.map { "\(Int64($0.timeIntervalSince1970.rounded(.down)))" })
        #expect(fixture.folder.names(in: "thumbnails/large") == [MD5.hex(of: Array(uri.utf8)) + ".png"])
        #expect(MD5.hex(of: Array("abc".utf8)) == "900150983cd24fb0d6963f7d28e17f72")
        #expect(try await library.thumbnail(of: name) == bytes)
        #expect(
            try Still(await library.thumbnail(of: name, size: .normal)).picture.size
                == PixelSize(width: 128, height: 96))
    }

    @Test func aChangedFileHasANewThumbnail() async throws {
        let fixture = try LibraryFixture()
        try fixture.photo("library/1.jpg", gray: 10)
        let library = try await fixture.open()
        let dark = try await library.thumbnail(of: "1.jpg")
        try fixture.photo("library/1.jpg", gray: 250)
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: fixture.path + "/1.jpg")
        let light = try await library.thumbnail(of: "1.jpg")
        #expect(light != dark)
        // Edits are visible in the library only: a file manager shows the file.
        try await library.setRecipe(StillRecipe([.rotate(.right)]), of: "1.jpg")
        let turned = try await library.thumbnail(of: "1.jpg")
        #expect(try Still(turned).picture.size == PixelSize(width: 32, height: 48))
        #expect(fixture.folder.names(in: "thumbnails/large").count == 1)
        #expect(fixture.folder.names(in: "cache/thumbnails/large").count == 1)
        try await library.setRecipe(nil, of: "1.jpg")
        #expect(try await library.thumbnail(of: "1.jpg") == light)
    }

    @Test func moviesAndDamagedFiles() async throws {
        let fixture = try LibraryFixture()
        try Tool.run("cp", [TestMovies.h264(), fixture.path + "/film.mp4"])
        _ = try fixture.folder.write("library/text.jpg", "no photo")
        let library = try await fixture.open()
        #expect(
            try Still(await library.thumbnail(of: "film.mp4", size: .normal)).picture.size
                == PixelSize(width: 128, height: 72))
        #expect(await code { _ = try await library.thumbnail(of: "text.jpg") } == .unreadable)
        #expect(await code { _ = try await library.thumbnail(of: "missing.jpg") } == .notFound)
    }
}
