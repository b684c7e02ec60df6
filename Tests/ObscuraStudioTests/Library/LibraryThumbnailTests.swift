// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Obscura
import ObscuraLibrary
import TestSupport
import Testing

@testable import ObscuraStudio

/// Small pictures survive a restart, in the user's thumbnail cache.
@Suite struct LibraryThumbnailTests {
    private static let box = PixelSize(width: 400, height: 400)
    private static let large = PixelSize(width: 1600, height: 1200)

    private let library: TestLibrary
    private let cache: String

    init() throws {
        library = try TestLibrary()
        cache = library.path + "-cache"
    }

    /// The folder as after a restart, with nothing in memory.
    private func folder() throws -> MediaFolder {
        try MediaFolder(path: library.path, thumbnails: ThumbnailCache(in: cache))
    }

    private func thumbnails(_ folder: String = "thumbnails") -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: "\(cache)/\(folder)/x-large").sorted()) ?? []
    }

    private func isStored(_ count: Int, in folder: String = "thumbnails") async -> Bool {
        await becomes { thumbnails(folder).count { $0.hasSuffix(".png") } == count }
    }

    private func put(_ name: String, _ size: PixelSize = large, at date: Date = Date()) throws {
        try library.put(name, try Quarters.jpeg(width: size.width, height: size.height), modified: date)
    }

    @Test("A picture of a file that is not read again comes from its thumbnail")
    func survivesRestart() async throws {
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        try put("x.jpg", at: date)
        let first = try await folder().picture(of: "x.jpg", fitting: Self.box)
        #expect(await isStored(1))
        let later = try folder()
        // The list knows the size of the file.
        _ = try await later.items()
        try library.erase("x.jpg", date)
        let shown = try Quarters.colors(of: try await later.picture(of: "x.jpg", fitting: Self.box))
        #expect(shown.colors == [.red, .green, .blue, .white] && shown.size == PixelSize(width: 400, height: 300))
        #expect(try Quarters.colors(of: first).size == shown.size)
        // As in the ribbon, which limits only the height.
        let low = try await later.picture(of: "x.jpg", fitting: PixelSize(width: .max, height: 180))
        #expect(try Quarters.colors(of: low).size == PixelSize(width: 240, height: 180))
        // Larger pictures need the file.
        let code = await TestLibrary.code {
            _ = try await later.picture(of: "x.jpg", fitting: PixelSize(width: 513, height: 513))
        }
        #expect(code == .failed)
    }

    @Test("A file that has changed has a new picture, also within the same second")
    func changedFile() async throws {
        try put("x.jpg", at: Date(timeIntervalSince1970: 1_700_000_000.25))
        _ = try await folder().picture(of: "x.jpg", fitting: Self.box)
        #expect(await isStored(1))
        try put("x.jpg", PixelSize(width: 1200, height: 1600), at: Date(timeIntervalSince1970: 1_700_000_000.75))
        let picture = try await folder().picture(of: "x.jpg", fitting: Self.box)
        #expect(try Quarters.colors(of: picture).size == PixelSize(width: 300, height: 400))
    }

    @Test("An edited photo has its own thumbnail, which file managers do not see")
    func editedPhoto() async throws {
        try put("x.jpg")
        let first = try folder()
        _ = try await first.setRecipe(StillRecipe([.mirror]), of: "x.jpg")
        _ = try await first.picture(of: "x.jpg", fitting: Self.box)
        #expect(await isStored(1, in: "obscura/library/thumbnails"))
        #expect(thumbnails().isEmpty)
        let mirrored = try await folder().picture(of: "x.jpg", fitting: Self.box)
        #expect(try Quarters.colors(of: mirrored).colors == [.green, .red, .white, .blue])
        let original = try await folder().picture(of: "x.jpg", fitting: Self.box, original: true)
        #expect(try Quarters.colors(of: original).colors == [.red, .green, .blue, .white])
        #expect(await isStored(1))
        _ = try await folder().setRecipe(StillRecipe([.rotate(.right)]), of: "x.jpg")
        let turned = try await folder().picture(of: "x.jpg", fitting: Self.box)
        #expect(try Quarters.colors(of: turned).size == PixelSize(width: 300, height: 400))
    }

    @Test("A thumbnail that is damaged or larger than it may be is created again", arguments: [[1, 2, 3], nil])
    func damagedThumbnail(bytes: [UInt8]?) async throws {
        try put("x.jpg")
        _ = try await folder().picture(of: "x.jpg", fitting: Self.box)
        #expect(await isStored(1))
        let path = "\(cache)/thumbnails/x-large/\(try #require(thumbnails().first))"
        if let bytes {
            try Data(bytes).write(to: URL(fileURLWithPath: path))
        } else {
            // The texts are right, and the picture has another size.
            let key = try #require(try await key(of: "x.jpg"))
            try ThumbnailCache(in: cache).store(Quarters.picture(width: 2000, height: 1500), for: key)
        }
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let picture = try await folder().picture(of: "x.jpg", fitting: Self.box)
        #expect(try Quarters.colors(of: picture).colors == [.red, .green, .blue, .white])
        #expect(await becomes { (try? Data(contentsOf: URL(fileURLWithPath: path))) ?? before != before })
    }

    private func key(of name: String) async throws -> ThumbnailCache.Key? {
        let folder = try folder()
        return try await folder.run(about: name) { try folder.pictureKey(of: name, box: Self.box).thumbnail?.key }
    }

    @Test("A thumbnail of another program is used if it has the right size, and not for a movie")
    func thumbnailsOfOthers() async throws {
        try put("x.jpg")
        try library.putMovie("y.mp4")
        for (name, size, isUsed) in [
            ("x.jpg", PixelSize(width: 512, height: 384), true), ("x.jpg", PixelSize(width: 512, height: 300), false),
            ("y.mp4", PixelSize(width: 160, height: 90), false),
        ] {
            let key = try #require(try await key(of: name))
            var white = try PixelBuffer(format: .bgra, width: size.width, height: size.height)
            try white.withMutableBytes(ofPlane: 0) { bytes in
                for offset in 0..<bytes.byteCount { bytes.storeBytes(of: 0xff, toByteOffset: offset, as: UInt8.self) }
            }
            let bytes = try ThumbnailCache(in: cache).store(white, for: key)
            // As others write it.
            let path = "\(cache)/thumbnails/x-large/"
            let range = try #require(Data(bytes).range(of: Data("Obscura::State".utf8)))
            let file = try #require(
                thumbnails().first { (try? Data(contentsOf: URL(fileURLWithPath: path + $0))) == Data(bytes) })
            try Data(withoutText(at: range.lowerBound - 8, in: bytes)).write(to: URL(fileURLWithPath: path + file))
            let picture = try await folder().picture(of: name, fitting: Self.box)
            let isWhite = try Quarters.colors(of: picture).colors.allSatisfy { $0 == .white }
            #expect(isWhite == isUsed, "\(name) \(size)")
        }
    }

    /// A PNG file without the chunk that begins at this offset.
    private func withoutText(at offset: Int, in bytes: [UInt8]) -> [UInt8] {
        let length = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
        return Array(bytes[..<offset] + bytes[(offset + 12 + length)...])
    }

    @Test("What is deleted for good leaves no thumbnail behind") func deletion() async throws {
        for name in ["x.jpg", "y.jpg"] {
            try put(name)
            let folder = try folder()
            _ = try await folder.picture(of: name, fitting: Self.box)
            #expect(await isStored(1))
            if name == "x.jpg" {
                try await folder.delete(name)
            } else {
                let deleted = try await folder.moveToTrash(name)
                #expect(await isStored(1))
                try await folder.deleteTrashed(deleted.id)
            }
            #expect(await isStored(0))
        }
    }

    @Test("The newest files get thumbnails before anybody asks; small photos need none, and damaged files are omitted")
    func newestFiles() async throws {
        for number in 0..<3 {
            try put("\(number).jpg", at: Date(timeIntervalSince1970: 1_700_000_000 + Double(number)))
        }
        try put("small.jpg", PixelSize(width: 64, height: 48))
        try library.putMovie()
        try library.put("damaged.jpg", [1, 2, 3])
        let folder = try folder()
        await folder.storeThumbnails(count: 5)
        // The three latest, one of which is damaged and one small, and two of the photos.
        #expect(thumbnails().count == 3)
        await folder.storeThumbnails()
        #expect(thumbnails().count == 4)
        #expect(folder.pictures.madeCount == 0)
    }
}
