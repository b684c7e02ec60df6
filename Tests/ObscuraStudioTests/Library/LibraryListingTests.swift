// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Glibc
import Obscura
import ObscuraBase
import TestSupport
import Testing

@testable import ObscuraStudio
@testable import ObscuraWeb

@Suite struct LibraryListingTests {
    private static let day = Date(timeIntervalSince1970: 1_700_000_000)

    @Test func theNewestComesFirstAndPagesFitTogether() async throws {
        let library = try TestLibrary()
        let jpeg = try Quarters.jpeg()
        let order = [3, 0, 4, 1, 2].map { ($0, "p\($0).jpg") }
        for (age, name) in order { try library.put(name, jpeg, modified: Self.day.addingTimeInterval(Double(-age))) }
        for name in ["notes.txt", ".hidden.jpg", "p0.jpg.recipe.json", "q.jpg.part"] { try library.put(name, [1]) }
        let names = (0..<5).map { "p\($0).jpg" }
        #expect(try await library.folder.items().items.map(\.name) == names)
        var pages: [String] = []
        for offset in stride(from: 0, to: 6, by: 2) {
            let page = try await library.folder.items(offset: offset, limit: 2)
            #expect(page.total == 5)
            pages += page.items.map(\.name)
        }
        #expect(pages == names)
        #expect(try await library.folder.items(offset: 5, limit: 10).items.isEmpty)
        #expect(try await library.folder.items(offset: .max, limit: .max).items.isEmpty)
        #expect(try await library.folder.items(offset: 0, limit: 0).total == 5)
    }

    @Test(arguments: [(-1, 1), (0, -1), (.min, .min)])
    func aPageBeforeTheBeginningIsRefused(offset: Int, limit: Int) async throws {
        let folder = try TestLibrary().folder
        #expect(
            await TestLibrary.code { _ = try await folder.items(offset: offset, limit: limit) } == .invalidRequest)
    }

    @Test func anItemSaysWhatThePictureIsUprightAndWhenAndWhereItWasTaken() async throws {
        let library = try TestLibrary()
        var properties = StillProperties()
        properties.orientation = .right
        properties.metadata.date = WallTime(nanosecondsSince1970: 1_600_000_000_250_000_000, secondsFromUTC: 3600)
        properties.metadata.location = try GeographicLocation(latitude: 52.5, longitude: -4.25, altitude: 12)
        try library.put("x.jpg", try Quarters.jpeg(properties))
        try library.put("y.png", try Quarters.png(), modified: Self.day)
        try library.putMovie("z.mp4")
        let items = try await library.folder.items().items
        let photo = try #require(items.first { $0.name == "x.jpg" })
        #expect(photo.kind == .photo && photo.width == 48 && photo.height == 64)
        #expect(photo.date == "2020-09-13T13:26:40.250+01:00")
        #expect(photo.place?.latitude == 52.5 && photo.place?.longitude == -4.25 && photo.place?.altitude == 12)
        #expect(photo.size == Int64(try library.bytes(of: "x.jpg").count))
        #expect(photo.metadata == nil && photo.recipe == nil && photo.duration == nil)
        let png = try #require(items.first { $0.name == "y.png" })
        #expect(png.width == 64 && png.height == 48 && png.date.hasPrefix("2023-11-1"))
        let movie = try #require(items.first { $0.name == "z.mp4" })
        #expect(movie.kind == .movie && movie.width == 160 && movie.height == 90)
        #expect(abs((movie.duration ?? 0) - 2) < 0.1)
    }

    @Test func whatIsBrokenIsListedWithoutASize() async throws {
        let library = try TestLibrary()
        let jpeg = try Quarters.jpeg()
        try library.putMovie("whole.mp4")
        let movie = try library.bytes(of: "whole.mp4")
        let broken: [(String, [UInt8])] = [
            ("empty.jpg", []), ("empty.mp4", []), ("cut.jpg", Array(jpeg.prefix(20))),
            ("text.jpg", Array("hello".utf8)),
            ("text.mp4", Array("hello".utf8)), ("cut.mp4", Array(movie.prefix(40))), ("photo.mp4", jpeg),
            ("movie.jpg", movie), ("cut.png", Array(try Quarters.png().prefix(12))),
            ("list.mp4", Array("#EXTM3U\n#EXTINF:1,\n/etc/passwd\n".utf8)),
            ("concat.mkv", Array("ffconcat version 1.0\nfile /etc/passwd\n".utf8)),
            ("sound.mp4", Array(try Data(contentsOf: URL(fileURLWithPath: Self.sound())))),
        ]
        for (name, bytes) in broken { try library.put(name, bytes) }
        let list = try await library.folder.items()
        #expect(list.total == broken.count + 1)
        for item in list.items where item.name != "whole.mp4" {
            #expect(item.width == nil && item.height == nil && item.duration == nil, "\(item.name)")
            #expect(try await library.folder.item(named: item.name, withMetadata: true).metadata == [])
            let code = await TestLibrary.code { _ = try await library.folder.picture(of: item.name) }
            #expect(code == .failed, "\(item.name)")
        }
    }

    private static func sound() throws -> String {
        try TestMovies.path("sound.mp4", ["-f", "lavfi", "-i", "sine=d=1", "-c:a", "aac"])
    }

    @Test func aPNGThatIsCalledJPEGIsReadByWhatItIs() async throws {
        let library = try TestLibrary()
        try library.put("x.jpg", try Quarters.png())
        #expect(try await library.folder.item(named: "x.jpg").width == 64)
        let shown = try Quarters.colors(of: try await library.folder.picture(of: "x.jpg"))
        #expect(shown.colors == [.red, .green, .blue, .white])
    }

    @Test(.hangLimit) func aHugeFileThatIsEmptyInsideIsNotReadWhole() async throws {
        let library = try TestLibrary()
        for name in ["x.jpg", "x.mp4"] {
            try library.put(name, [])
            try #require(truncate(library.path(of: name), 1 << 40) == 0)
        }
        // One that begins like a photo.
        try library.put("y.jpg", try Quarters.jpeg())
        try #require(truncate(library.path(of: "y.jpg"), 1 << 40) == 0)
        let items = try await library.folder.items().items
        #expect(items.allSatisfy { $0.size == 1 << 40 })
        #expect(items.filter { $0.width != nil }.map(\.name) == ["y.jpg"])
        #expect(await TestLibrary.code { _ = try await library.folder.picture(of: "y.jpg") } == .tooMuch)
        #expect(await TestLibrary.code { _ = try await library.folder.export("x.jpg") } == .failed)
        #expect(await TestLibrary.code { _ = try await library.folder.picture(of: "x.mp4") } == .failed)
    }

    @Test func aPhotoThatClaimsMorePixelsThanMemoryIsRefusedBeforeItIsDecoded() async throws {
        let library = try TestLibrary()
        var png = try Quarters.png()
        // The width and the height in the head: 16384 each.
        png.replaceSubrange(16..<24, with: [0, 0, 0x40, 0, 0, 0, 0x40, 0])
        try library.put("x.png", png)
        #expect(await TestLibrary.code { _ = try await library.folder.picture(of: "x.png") } == .tooMuch)
    }

    /// What was read is kept, so the bytes are exchanged under an unchanged name, size and time.
    @Test func whatWasReadIsKeptUntilTheFileChanges() async throws {
        let library = try TestLibrary()
        let wide = try Quarters.jpeg(width: 64, height: 48)
        try library.put("x.jpg", wide, modified: Self.day)
        #expect(try await library.folder.items().items.first?.width == 64)
        try library.erase("x.jpg", Self.day)
        #expect(try await library.folder.items().items.first?.width == 64)
        #expect(try await library.folder.item(named: "x.jpg").width == 64)
        try library.touch("x.jpg", Self.day.addingTimeInterval(1))
        #expect(try await library.folder.items().items.first?.width == nil)
        // Another file, of the same time and another size.
        try library.put("x.jpg", try Quarters.jpeg(width: 32, height: 64), modified: Self.day)
        #expect(try await library.folder.items().items.first?.width == 32)
    }

    @Test func fiveThousandFilesAreListedFromMemoryTheSecondTime() async throws {
        let library = try TestLibrary()
        try library.put("0.jpg", try Quarters.jpeg(), modified: Self.day)
        for number in 1..<5000 { link(library.path(of: "0.jpg"), library.path(of: "\(number).jpg")) }
        func all() async throws -> [MediaItem] {
            var items: [MediaItem] = []
            for offset in stride(from: 0, to: 5000, by: 1000) {
                items += try await library.folder.items(offset: offset).items
            }
            return items
        }
        let first = try await all()
        #expect(Set(first.map(\.name)).count == 5000 && first.allSatisfy { $0.width == 64 })
        // All names are one file. A second reading would find no photo in it.
        try library.erase("0.jpg", Self.day)
        #expect(try await all() == first)
    }

    @Test func theItemsOfTheRibbonAreThoseThatAreThereStill() async throws {
        let library = try TestLibrary()
        for name in ["a.jpg", "b.jpg", "c.jpg"] { try library.put(name, try Quarters.jpeg()) }
        try await library.folder.delete("b.jpg")
        let items = try await library.folder.items(named: ["c.jpg", "b.jpg", "../secret.jpg", "a.jpg", ""])
        #expect(items.map(\.name) == ["c.jpg", "a.jpg"] && items.allSatisfy { $0.width == 64 })
    }

    @Test(.hangLimit) func tooManyCallsAtOnceAreRefusedAndTheOthersServed() async throws {
        let folder = try TestLibrary().folder
        let isOpen = Lock(false)
        let refused = await withTaskGroup(of: ObscuraError.Code?.self) { group in
            for _ in 0..<2100 {
                group.addTask {
                    await TestLibrary.code {
                        try await folder.run(about: "test") { _ = isOpen.wait { $0 ? true : nil } }
                    }
                }
            }
            var refused = 0
            for await code in group where code == .tooMuch {
                refused += 1
                // Nobody else can end before this.
                if refused == 52 { isOpen.withLockSignalling { $0 = true } }
            }
            return refused
        }
        #expect(refused == 52)
        #expect(try await folder.items().total == 0)
    }

    @Test func deletingTakesTheFileAndItsRecipe() async throws {
        let library = try TestLibrary()
        try library.put("x.jpg", try Quarters.jpeg())
        try library.put("x.jpg.jpg", try Quarters.jpeg())
        _ = try await library.folder.setRecipe(StillRecipe([.mirror]), of: "x.jpg")
        try await library.folder.delete("x.jpg")
        #expect(try library.names == ["x.jpg.jpg"])
        #expect(await TestLibrary.code { try await library.folder.delete("x.jpg") } == .noSuchItem)
    }

    @Test func aFileThatIsBeingRecordedIsNotDeleted() async throws {
        let library = try TestLibrary()
        try library.put("x.recording.mp4", [1, 2, 3])
        let descriptor = open(library.path(of: "x.recording.mp4"), O_RDONLY)
        try #require(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        #expect(await TestLibrary.code { try await library.folder.delete("x.recording.mp4") } == .wrongState)
        #expect(try library.names == ["x.recording.mp4"])
        close(descriptor)
        try await library.folder.delete("x.recording.mp4")
        #expect(try library.names.isEmpty)
    }

    @Test(.enabled(if: geteuid() != 0)) func aFileThatMayNotBeReadIsAnErrorWithAdvice() async throws {
        let library = try TestLibrary()
        try library.put("x.jpg", try Quarters.jpeg())
        chmod(library.path(of: "x.jpg"), 0)
        #expect(await TestLibrary.code { _ = try await library.folder.open("x.jpg") } == .unusableFolder)
        #expect(try await library.folder.items().items.first?.width == nil)
    }

    @Test func entityTagsTellStatesOfAFileApart() async throws {
        let library = try TestLibrary()
        try library.put("x.jpg", [1, 2, 3], modified: Self.day)
        let first = EntityTag.of(try await library.folder.open("x.jpg").file)
        #expect(EntityTag.of(try await library.folder.open("x.jpg").file) == first)
        #expect(first.hasPrefix("\"") && first.hasSuffix("\"") && !first.dropFirst().dropLast().contains("\""))
        #expect(!first.contains(" "))
        try library.touch("x.jpg", Self.day.addingTimeInterval(0.001))
        #expect(EntityTag.of(try await library.folder.open("x.jpg").file) != first)
        #expect(try await library.folder.open("x.jpg").modified.nanosecondsSince1970 == 1_700_000_000_001_000_000)
    }

    @Test func freeSpaceIsThatOfTheDisk() async throws {
        let library = try TestLibrary()
        let values = try FileManager.default.attributesOfFileSystem(forPath: library.path)
        let free = try #require((values[.systemFreeSize] as? NSNumber)?.int64Value)
        #expect(abs(library.folder.freeSpace - free) < 8 << 30 && library.folder.freeSpace > 0)
    }
}
