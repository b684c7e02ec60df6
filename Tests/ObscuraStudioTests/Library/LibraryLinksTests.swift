// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Glibc
import Obscura
import ObscuraBase
import ObscuraLibrary
import TestSupport
import Testing

@testable import ObscuraStudio

@Suite struct LibraryLinksTests {
    /// Everything that a name could stand for and that is no file.
    enum Trap: CaseIterable {
        case linkToFile, linkToFolder, danglingLink, linkToItself, linkInside, pipe, socket, folder, device

        func set(at path: String, _ library: TestLibrary) throws {
            func link(_ target: String) throws {
                try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
            }
            switch self {
            case .linkToFile: try link(library.secretPath)
            case .linkToFolder: try link("/etc")
            case .danglingLink: try link("/nowhere/x.jpg")
            case .linkToItself: try link(path)
            case .linkInside:
                try library.put("real.jpg", try Quarters.jpeg())
                try link("real.jpg")
            case .pipe: #expect(mkfifo(path, 0o600) == 0)
            case .socket: #expect(mknod(path, S_IFSOCK | 0o600, 0) == 0)
            case .folder: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            case .device:
                // Where devices may not be made, a link to one.
                if mknod(path, S_IFCHR | 0o600, 0x103) != 0 { try link("/dev/zero") }
            }
        }
    }

    @Test(.hangLimit, arguments: Trap.allCases)
    func whatIsNoFileIsNeitherListedNorOpened(trap: Trap) async throws {
        let library = try TestLibrary()
        let folder = library.folder
        try trap.set(at: library.path(of: "x.jpg"), library)
        #expect(try await folder.items().items.map(\.name) == (trap == .linkInside ? ["real.jpg"] : []))
        let calls: [() async throws -> Void] = [
            { _ = try await folder.item(named: "x.jpg") },
            { _ = try await folder.item(named: "x.jpg", withMetadata: true) },
            { _ = try await folder.open("x.jpg") }, { _ = try await folder.recipe(of: "x.jpg") },
            { _ = try await folder.setRecipe(StillRecipe([.mirror]), of: "x.jpg") },
            { _ = try await folder.export("x.jpg") }, { _ = try await folder.picture(of: "x.jpg") },
            { try await folder.delete("x.jpg") },
        ]
        for (number, call) in calls.enumerated() {
            #expect(await TestLibrary.code(call) == .noSuchItem, "call \(number)")
        }
        #expect(try library.names.contains("x.jpg"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: library.secretPath)) == Data(TestLibrary.secret))
    }

    /// Another hand changes the name between a photo and a link, as fast as it can.
    @Test(.hangLimit) func aLinkThatIsSwappedInNeverLeadsOut() async throws {
        let library = try TestLibrary()
        let photo = try Quarters.jpeg()
        let isOver = Lock(false)
        let swapper = WorkerPool(name: "swapper", threads: 1)
        let directory = library.folder.directory
        let (path, spare, secret) = (library.path(of: "x.jpg"), library.path(of: "spare"), library.secretPath)
        async let swapping: Void = swapper.run {
            while !isOver.withLock({ $0 }) {
                symlink(secret, spare)
                rename(spare, path)
                try? Data(photo).write(to: URL(fileURLWithPath: spare))
                rename(spare, path)
            }
        }
        let (opened, refused, leaked) = await WorkerPool(name: "reader", threads: 1).run {
            var (opened, refused, leaked) = (0, 0, 0)
            for _ in 0..<1_000_000 where opened < 200 || refused < 200 {
                guard leaked == 0 else { break }
                if let file = try? directory.open("x.jpg") {
                    opened += 1
                    let bytes = (try? file.read(at: 0, count: 64)) ?? []
                    if bytes.starts(with: TestLibrary.secret.prefix(10)) { leaked += 1 }
                } else {
                    refused += 1
                }
            }
            return (opened, refused, leaked)
        }
        isOver.withLock { $0 = true }
        await swapping
        #expect(leaked == 0 && opened >= 200 && refused >= 200)
    }

    /// Who comes second finds the name taken, also when it was free a moment ago.
    @Test func aNewFileNeverTakesTheNameOfAnother() throws {
        let library = try TestLibrary()
        let directory = library.folder.directory
        try library.put("x.jpg", [1, 2, 3])
        try FileManager.default.createSymbolicLink(
            atPath: library.path(of: "y.jpg"), withDestinationPath: library.secretPath)
        let draft = try directory.makeDraft()
        try directory.append([4, 5], to: draft, for: "x.jpg")
        #expect(try !directory.give("x.jpg", to: draft))
        #expect(try !directory.give("y.jpg", to: draft))
        #expect(try directory.give("z.jpg", to: draft))
        #expect(try library.bytes(of: "x.jpg") == [1, 2, 3])
        #expect(try library.bytes(of: "z.jpg") == [4, 5])
        #expect(try Data(contentsOf: URL(fileURLWithPath: library.secretPath)) == Data(TestLibrary.secret))
        #expect(try library.names == ["x.jpg", "y.jpg", "z.jpg"])
    }

    @Test func aHardLinkIsAFileLikeAnyOther() async throws {
        let library = try TestLibrary()
        try library.put("x.jpg", try Quarters.jpeg())
        try FileManager.default.linkItem(atPath: library.path(of: "x.jpg"), toPath: library.path(of: "y.jpg"))
        #expect(Set(try await library.folder.items().items.map(\.name)) == ["x.jpg", "y.jpg"])
        try await library.folder.delete("x.jpg")
        #expect(try await library.folder.picture(of: "y.jpg").count > 0)
    }

    @Test func anOpenFileIsReadToItsEndAlsoWhenItsNameGoesToAnother() async throws {
        let library = try TestLibrary()
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try library.put("x.mp4", bytes)
        let file = try await library.folder.open("x.mp4")
        try FileManager.default.removeItem(atPath: library.path(of: "x.mp4"))
        try FileManager.default.createSymbolicLink(
            atPath: library.path(of: "x.mp4"), withDestinationPath: library.secretPath)
        #expect(file.size == 100_000 && file.type == .mp4)
        #expect(try file.read(at: 0, count: 200_000) == bytes)
        #expect(try file.read(at: 99_990, count: 100) == bytes.suffix(10))
        #expect(try file.read(at: 100_000, count: 1).isEmpty)
        #expect(try file.read(at: .max, count: .max).isEmpty)
        #expect(try file.read(at: -1, count: 10).isEmpty)
        #expect(try file.read(at: 10, count: -1).isEmpty)
        #expect(try file.read(at: 5, count: 3) == [bytes[5], bytes[6], bytes[7]])
        #expect(try Array(Data(contentsOf: URL(fileURLWithPath: file.path))) == bytes)
    }

    @Test func aRecipeThatIsALinkCountsAsNone() async throws {
        let library = try TestLibrary()
        try library.put("x.jpg", try Quarters.jpeg())
        let outside = library.secretPath + ".json"
        try Data(StillRecipe([.mirror]).json()).write(to: URL(fileURLWithPath: outside))
        try FileManager.default.createSymbolicLink(
            atPath: library.path(of: "x.jpg.recipe.json"), withDestinationPath: outside)
        #expect(try await library.folder.recipe(of: "x.jpg") == nil)
        // A recipe of ours takes the place of the link, and not of what it leads to.
        _ = try await library.folder.setRecipe(StillRecipe([.rotate(.down)]), of: "x.jpg")
        #expect(try await library.folder.recipe(of: "x.jpg") == StillRecipe([.rotate(.down)]))
        #expect(StillRecipe(json: Array(try Data(contentsOf: URL(fileURLWithPath: outside)))) == StillRecipe([.mirror]))
    }

    @Test func aFolderThatIsAFileIsRefusedWithAdvice() throws {
        let library = try TestLibrary()
        for path in [library.secretPath, library.secretPath + "/below", "", "x\0y", "/proc/nothing/here"] {
            let error = #expect(throws: ObscuraError.self) { try MediaFolder(path: path) }
            #expect(error?.code == .unusableFolder && error?.advice != nil, "\(path)")
        }
    }

    @Test func aFolderThatWasGivenAsALinkIsKnownByItsOwnPath() async throws {
        let library = try TestLibrary()
        let link = library.secretPath + "-link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: library.path)
        let folder = try MediaFolder(path: link)
        #expect(folder.path == library.folder.path)
        // The link goes elsewhere; the folder does not.
        try FileManager.default.removeItem(atPath: link)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/etc")
        #expect(try await folder.freshPath(prefix: "photo", ending: "jpg").path.hasPrefix(library.folder.path + "/"))
    }

    @Test func aFolderIsMadeWithThoseAboveIt() async throws {
        let library = try TestLibrary()
        let folder = try MediaFolder(path: library.path + "/a/./b/../c//d")
        #expect(folder.path == library.folder.path + "/a/c/d")
        #expect(try await folder.items().total == 0)
    }

    @Test func aFolderThatIsRenamedGoesOnListingItselfAndGivesNoPathIntoAnother() async throws {
        let library = try TestLibrary()
        try library.put("x.jpg", try Quarters.jpeg())
        try FileManager.default.moveItem(atPath: library.path, toPath: library.path + "-moved")
        #expect(try await library.folder.items().items.map(\.name) == ["x.jpg"])
        #expect(try await library.folder.picture(of: "x.jpg").count > 0)
        let freshPath = { _ = try await library.folder.freshPath(prefix: "photo", ending: "jpg") }
        #expect(await TestLibrary.code(freshPath) == .unusableFolder)
        try FileManager.default.createDirectory(atPath: library.path, withIntermediateDirectories: false)
        #expect(await TestLibrary.code(freshPath) == .unusableFolder)
    }

    @Test func aFolderThatIsDeletedIsAnErrorAndNoTrap() async throws {
        let library = try TestLibrary()
        let folder = library.folder
        try library.put("x.jpg", try Quarters.jpeg())
        try FileManager.default.removeItem(atPath: library.path)
        #expect(await TestLibrary.code { _ = try await folder.items() } == .unusableFolder)
        #expect(await TestLibrary.code { _ = try await folder.open("x.jpg") } == .noSuchItem)
        #expect(await TestLibrary.code { _ = try await folder.store(name: "x.jpg", maximum: 9) } == .unusableFolder)
        #expect(await TestLibrary.code { try await folder.delete("x.jpg") } == .noSuchItem)
    }
}
