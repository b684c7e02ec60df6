// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Glibc
import Obscura
import ObscuraLibrary
import TestSupport
import Testing

@testable import ObscuraStudio

/// The trash of the Studio is that of the library.
@Suite struct LibraryTrashTests {
    private let library: TestLibrary
    private var folder: MediaFolder { library.folder }

    init() throws { library = try TestLibrary() }

    @Test("A deleted photo comes back with its edits")
    func restoring() async throws {
        let bytes = try Quarters.jpeg()
        try library.put("x.jpg", bytes)
        let before = try await folder.setRecipe(StillRecipe([.mirror]), of: "x.jpg")
        let deleted = try await folder.moveToTrash("x.jpg")
        #expect(deleted.path == "x.jpg")
        #expect(try library.names == [".obscura"])
        #expect(await TestLibrary.code { _ = try await folder.moveToTrash("x.jpg") } == .noSuchItem)
        #expect(try await folder.trashedItems() == [deleted])
        let picture = try await folder.picture(ofTrashed: deleted.id, fitting: PixelSize(width: 32, height: 32))
        let shown = try Quarters.colors(of: picture)
        #expect(shown.colors == [.green, .red, .white, .blue] && shown.size == PixelSize(width: 32, height: 24))
        #expect(try await folder.restore(deleted.id) == before)
        #expect(try library.bytes(of: "x.jpg") == bytes)
        #expect(try await folder.trashedItems().isEmpty)
        for id in [deleted.id, "", "..", "../..", "x"] {
            #expect(await TestLibrary.code { _ = try await folder.restore(id) } == .noSuchItem)
            #expect(await TestLibrary.code { try await folder.deleteTrashed(id) } == .noSuchItem)
            let size = PixelSize(width: 1, height: 1)
            #expect(
                await TestLibrary.code { _ = try await folder.picture(ofTrashed: id, fitting: size) } == .noSuchItem)
        }
    }

    @Test("A photo whose name is taken by now comes back with a similar one")
    func takenName() async throws {
        try library.put("x.jpg", try Quarters.jpeg())
        let deleted = try await folder.moveToTrash("x.jpg")
        try library.put("x.jpg", try Quarters.jpeg(width: 32, height: 32))
        #expect(try await folder.restore(deleted.id).name == "x-2.jpg")
        #expect(try await folder.items().total == 2)
    }

    @Test("Emptying the trash deletes what is listed for good, and not what was deleted in a subfolder")
    func emptying() async throws {
        try library.put("x.jpg", try Quarters.jpeg())
        try library.put("y.jpg", try Quarters.jpeg())
        try library.put("z.jpg", try Quarters.jpeg())
        let index = library.path + "-index"
        var options = MediaLibrary.Options()
        options.cacheFolder = index
        let whole = try await MediaLibrary(path: library.path, options: options)
        try await whole.refresh()
        try await whole.move("z.jpg", to: "trip/z.jpg")
        try await whole.trash(["trip/z.jpg"])
        let (x, y) = (try await folder.moveToTrash("x.jpg"), try await folder.moveToTrash("y.jpg"))
        #expect(try await folder.trashedItems().map(\.path) == ["y.jpg", "x.jpg"])
        try await folder.deleteTrashed(x.id)
        #expect(try await folder.trashedItems() == [y])
        #expect(try await folder.emptyTrash() == [y.id])
        #expect(try await folder.emptyTrash().isEmpty)
        #expect(try await whole.trashedItems().map(\.path) == ["trip/z.jpg"])
        #expect(await TestLibrary.code { _ = try await folder.restore(y.id) } == .noSuchItem)
    }

    @Test("A name that is too long for a number comes back as it was") func longName() async throws {
        let name = String(repeating: "ß", count: 110) + ".jpg"
        try library.put(name, try Quarters.jpeg())
        let deleted = try await folder.moveToTrash(name)
        #expect(try await folder.restore(deleted.id).name == name)
    }

    @Test("Two pages delete one photo: the second learns that it is gone") func twoPages() async throws {
        for _ in 0..<20 {
            try library.put("x.jpg", try Quarters.jpeg())
            let codes = await withTaskGroup(of: ObscuraError.Code?.self) { group in
                for _ in 0..<4 {
                    group.addTask { [folder] in
                        await TestLibrary.code { _ = try await folder.moveToTrash("x.jpg") }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.count { $0 == nil } == 1 && codes.count { $0 == .noSuchItem } == 3, "\(codes)")
        }
    }

    @Test("The index learns of it") func index() async throws {
        try library.put("x.jpg", try Quarters.jpeg())
        var options = MediaLibrary.Options()
        options.cacheFolder = library.path + "-index"
        let whole = try await MediaLibrary(path: library.path, options: options)
        try await whole.refresh()
        let deleted = try await folder.moveToTrash("x.jpg")
        try await whole.refresh()
        #expect(try await whole.count() == 0)
        #expect(try await whole.trashedItems() == [deleted])
        #expect(try await whole.restore(deleted.id).path == "x.jpg")
    }

    @Test("A movie that is being recorded is not deleted, and neither is what is no photo or movie")
    func refused() async throws {
        try library.put("x.recording.mp4", [1, 2, 3])
        let descriptor = open(library.path(of: "x.recording.mp4"), O_RDONLY)
        try #require(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        #expect(await TestLibrary.code { _ = try await folder.moveToTrash("x.recording.mp4") } == .wrongState)
        close(descriptor)
        let interrupted = try await folder.moveToTrash("x.recording.mp4")
        #expect(try await folder.restore(interrupted.id).name == "x.recording.mp4")
        for name in ["../secret.jpg", ".hidden.jpg", "x.txt", ""] {
            #expect(await TestLibrary.code { _ = try await folder.moveToTrash(name) } == .invalidName)
        }
        symlink(library.secretPath, library.path(of: "link.jpg"))
        #expect(await TestLibrary.code { _ = try await folder.moveToTrash("link.jpg") } == .noSuchItem)
    }
}
