// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Glibc
import Obscura
import Testing

@testable import ObscuraStudio

@Suite struct LibraryNamesTests {
    /// Each of these would lead out, hide, or break something if it were believed.
    static let illegal = [
        "", ".", "..", "../secret.jpg", "a/../../secret.jpg", "/etc/passwd.jpg", "/secret.jpg", "./x.jpg", "x.jpg/",
        "....//secret.jpg", "..%2fsecret.jpg", "..\\secret.jpg", ".hidden.jpg", ".jpg", "x.jpg.", "x.jpg ", "x.jpg..",
        "x", "x.txt", "x.jpg.recipe.json", "x.jpg\0", "x\0.jpg", "\0", "x\n.jpg", "x\u{7f}.jpg", "\u{85}x.jpg",
        "x.html", "x.jpg/..", "x.jp\u{200b}g", String(repeating: "a", count: 252) + ".jpg",
        String(repeating: "é", count: 126) + ".jpg", String(repeating: "../", count: 2000) + "secret.jpg",
        // Overlong UTF-8 of two dots and a slash, as a decoder leaves it.
        String(decoding: [0xc0, 0xae, 0xc0, 0xae, 0xc0, 0xaf] + Array("x.jpg/x".utf8), as: UTF8.self),
    ]

    @Test(arguments: illegal)
    func whatIsNoNameIsRefusedByEverything(name: String) async throws {
        let library = try TestLibrary()
        let folder = library.folder
        #expect(throws: ObscuraError.self) { try MediaName(name) }
        let calls: [() async throws -> Void] = [
            { _ = try await folder.item(named: name) }, { _ = try await folder.open(name) },
            { try await folder.delete(name) }, { _ = try await folder.recipe(of: name) },
            { _ = try await folder.setRecipe(StillRecipe([.mirror]), of: name) },
            { _ = try await folder.export(name) }, { _ = try await folder.picture(of: name) },
        ]
        for call in calls { #expect(await TestLibrary.code(call) == .invalidName) }
        #expect(try library.names.isEmpty)
        #expect(try Data(contentsOf: URL(fileURLWithPath: library.secretPath)) == Data(TestLibrary.secret))
    }

    /// Strange, but names of one level: they name nothing that is there.
    @Test(arguments: [
        "%2e%2e%2fsecret.jpg", "a\\..\\..\\secret.jpg", "..%c0%af.jpg".replacing("..", with: "_"), "~.jpg", "-rf.jpg",
        "C:secret.jpg", " x.jpg", "%00.jpg", "\u{fffd}\u{fffd}.jpg", "x;y.jpg", "$(x).jpg", "file:x.jpg", "x.jpg.mp4",
    ])
    func strangeNamesAreOnlyNames(name: String) async throws {
        let library = try TestLibrary()
        #expect(await TestLibrary.code { _ = try await library.folder.open(name) } == .noSuchItem)
        try library.put(name, try Quarters.jpeg())
        #expect(try await library.folder.open(name).name == name)
        #expect(try await library.folder.items().items.map(\.name) == [name])
    }

    @Test(arguments: ["x.jpg", "x.JPEG", "x.Png", "x.mp4", "X.MOV", "x.mkv", "x.webm", "x.m4v", "…日本.jpg", "a b.c.jpg"])
    func endingsAreKnownInAnyCase(name: String) throws {
        #expect(try MediaName(name).text == name)
    }

    @Test func theMessageOfARefusedNameIsShortAndOneLine() throws {
        let name = String(repeating: "a\n\u{1b}[2J", count: 1000)
        let error = #expect(throws: ObscuraError.self) { try MediaName(name) }
        let message = try #require(error).description
        #expect(message.count < 300 && !message.contains("\n") && !message.contains("\u{1b}"))
    }

    @Test func aNameThatIsNotUTF8IsNotListedAndHarmsNobody() async throws {
        let library = try TestLibrary()
        try library.put("x.jpg", try Quarters.jpeg())
        let bytes = Array(library.path.utf8) + Array("/bad".utf8) + [0xff, 0xfe] + Array(".jpg".utf8) + [0]
        let descriptor = bytes.withUnsafeBytes { bytes -> Int32 in
            guard let base = bytes.baseAddress else { return -1 }
            return open(base.assumingMemoryBound(to: CChar.self), O_WRONLY | O_CREAT, 0o600)
        }
        try #require(descriptor >= 0)
        close(descriptor)
        let list = try await library.folder.items()
        #expect(list.items.map(\.name) == ["x.jpg"] && list.total == 1)
    }

    @Test func freshNamesOfABurstAreUnique() async throws {
        let library = try TestLibrary()
        let date = WallTime(nanosecondsSince1970: 1_795_291_530_123_000_000)
        let names = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<50 {
                group.addTask { try await library.folder.freshPath(prefix: "photo", ending: "jpg", at: date).name }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(names).count == 50)
        #expect(
            names.contains("photo-2026-11-21-200530.123.jpg") && names.contains("photo-2026-11-21-200530.123-50.jpg"))
    }

    @Test func aFreshNameIsNeverThatOfAFileARecipeOrARecordingThatIsThere() async throws {
        let library = try TestLibrary()
        let date = WallTime(nanosecondsSince1970: 0)
        let stem = "movie-1970-01-01-000000.000"
        try library.put("\(stem).mp4", [1])
        try library.put("\(stem)-2.recording.mp4", [1])
        try library.put("\(stem)-3.mp4.recipe.json", [1])
        try FileManager.default.createSymbolicLink(
            atPath: library.path(of: "\(stem)-4.mp4"), withDestinationPath: "/nowhere")
        let fresh = try await library.folder.freshPath(prefix: "movie", ending: "mp4", at: date)
        #expect(fresh.name == "\(stem)-5.mp4" && fresh.path == "\(library.folder.path)/\(fresh.name)")
    }

    @Test func whatIsTakenUnderAFreshPathIsInTheList() async throws {
        let library = try TestLibrary()
        let fresh = try await library.folder.freshPath(prefix: "photo", ending: "jpg")
        try await Still(try Quarters.picture()).write(to: fresh.path)
        #expect(try await library.folder.items().items.map(\.name) == [fresh.name])
    }

    @Test func aMovieThatIsBeingRecordedIsNotListedYet() async throws {
        let library = try TestLibrary()
        let fresh = try await library.folder.freshPath(prefix: "movie", ending: "mp4")
        let growing = fresh.name.replacing(".mp4", with: ".recording.mp4")
        try library.putMovie(growing)
        #expect(try await library.folder.items().total == 0)
        #expect(await TestLibrary.code { try await library.folder.delete(growing) } == .noSuchItem)
        // One that a crash left is of nobody who is recording now.
        try library.putMovie("old.recording.mp4")
        #expect(try await library.folder.items().items.map(\.name) == ["old.recording.mp4"])
    }
}
