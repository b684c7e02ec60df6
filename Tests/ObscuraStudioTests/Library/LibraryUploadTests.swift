// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Glibc
import Obscura
import TestSupport
import Testing

@testable import ObscuraStudio

@Suite struct LibraryUploadTests {
    private static let maximum: Int64 = 10 << 20

    private func upload(
        _ bytes: [UInt8], as name: String, to library: TestLibrary, maximum: Int64 = maximum
    ) async throws -> MediaItem {
        let upload = try await library.folder.store(name: name, maximum: maximum)
        for start in stride(from: 0, to: bytes.count, by: 1000) {
            try await upload.write(Array(bytes[start..<min(bytes.count, start + 1000)]))
        }
        return try await upload.finish()
    }

    @Test func aPhotoAndAMovieComeWhole() async throws {
        let library = try TestLibrary()
        let photo = try Quarters.jpeg(width: 320, height: 240)
        let movie = Array(try Data(contentsOf: URL(fileURLWithPath: TestMovies.h264())))
        let item = try await upload(photo, as: "holiday.JPG", to: library)
        #expect(item.name == "holiday.jpg" && item.kind == .photo && item.width == 320)
        #expect(try await upload(movie, as: "film.mov", to: library).name == "film.mov")
        #expect(try library.bytes(of: "holiday.jpg") == photo)
        #expect(try library.bytes(of: "film.mov") == movie)
        #expect(try library.names == ["film.mov", "holiday.jpg"])
    }

    @Test(arguments: [
        ("../../x.jpg", "x.jpg"), ("/etc/passwd", "passwd.jpg"), ("..\\..\\x.jpg", "x.jpg"), ("C:\\a\\x.jpg", "x.jpg"),
        ("", "upload.jpg"), ("...", "upload.jpg"), ("/", "upload.jpg"), (".jpg", "upload.jpg"),
        (".hidden.jpg", "hidden.jpg"),
        ("x.jpg\0.exe", "x.jpg_.exe.jpg"), ("a\nb.jpg", "a_b.jpg"), ("x.png", "x.jpg"), ("x.mp4", "x.jpg"),
        ("x", "x.jpg"), ("x.jpg.recipe.json", "x.jpg.recipe.json.jpg"), ("日本 1.jpeg", "日本 1.jpeg"),
        ("<script>.jpg", "_script_.jpg"), ("x..jpg", "x.jpg"), ("a/.jpg", "upload.jpg"),
        ("x \u{202e}gpj.jpg", "x _gpj.jpg"),
        (String(repeating: "a", count: 100_000) + ".jpg", String(repeating: "a", count: 200) + ".jpg"),
    ])
    func theNameIsMadeHarmless(name: String, expected: String) async throws {
        let library = try TestLibrary()
        let item = try await upload(try Quarters.jpeg(), as: name, to: library)
        #expect(item.name == expected)
        #expect(try library.names == [expected])
    }

    @Test func nothingIsReplaced() async throws {
        let library = try TestLibrary()
        try library.put("x.jpg", [1, 2, 3])
        #expect(try await upload(try Quarters.jpeg(), as: "x.jpg", to: library).name == "x-2.jpg")
        #expect(try await upload(try Quarters.jpeg(), as: "x.jpg", to: library).name == "x-3.jpg")
        #expect(try library.bytes(of: "x.jpg") == [1, 2, 3])
    }

    static let lies: [[UInt8]] = [
        Array("just text".utf8), [], [0xff, 0xd8, 0xff], Array("<html><script>alert(1)</script>".utf8),
        Array("#EXTM3U\n/etc/passwd\n".utf8), Array("ffconcat version 1.0\nfile /etc/passwd\n".utf8),
        [UInt8](repeating: 0, count: 5000), Array("GIF89a".utf8) + [UInt8](repeating: 0, count: 100),
        Array("RIFF....WAVEfmt ".utf8),
    ]

    @Test(arguments: lies) func whatIsNeitherPhotoNorMovieIsRefusedAndNothingIsLeft(bytes: [UInt8]) async throws {
        let library = try TestLibrary()
        for name in ["x.jpg", "x.mp4"] {
            let code = await TestLibrary.code { _ = try await upload(bytes, as: name, to: library) }
            #expect(code == .invalidRequest)
            #expect(try library.names.isEmpty)
        }
    }

    @Test func soundAloneOtherMoviesAndAMovieWithoutItsIndexAreRefused() async throws {
        let library = try TestLibrary()
        let movie = Array(try Data(contentsOf: URL(fileURLWithPath: TestMovies.h264())))
        let sound = try TestMovies.path("alone.mp4", ["-f", "lavfi", "-i", "sine=d=1", "-c:a", "aac"])
        // A movie, but of a kind that no browser plays.
        let avi = try TestMovies.path("other.avi", ["-i", try TestMovies.h264(), "-map", "0:v", "-c:v", "mpeg4"])
        let files = try [sound, avi].map { Array(try Data(contentsOf: URL(fileURLWithPath: $0))) }
        for bytes in files + [Array(movie.prefix(100))] {
            let code = await TestLibrary.code { _ = try await upload(bytes, as: "x.mp4", to: library) }
            #expect(code == .invalidRequest)
        }
        #expect(try library.names.isEmpty)
    }

    @Test func moreThanTheLimitIsRefusedAndNothingIsLeft() async throws {
        let library = try TestLibrary()
        let photo = try Quarters.jpeg(width: 320, height: 240)
        let limit = Int64(photo.count)
        let tooMuch = await TestLibrary.code {
            _ = try await upload(photo, as: "x.jpg", to: library, maximum: limit - 1)
        }
        #expect(tooMuch == .tooMuch)
        #expect(try library.names.isEmpty)
        #expect(try await upload(photo, as: "x.jpg", to: library, maximum: limit).size == limit)
    }

    @Test func whatIsAbortedOrForgottenLeavesNothing() async throws {
        let library = try TestLibrary()
        let upload = try await library.folder.store(name: "x.jpg", maximum: Self.maximum)
        try await upload.write(try Quarters.jpeg())
        #expect(try library.names.count == 1 && library.names[0].hasPrefix("."))
        #expect(try await library.folder.items().total == 0)
        await upload.abort()
        #expect(try library.names.isEmpty)
        #expect(await TestLibrary.code { try await upload.write([1]) } == .wrongState)
        #expect(await TestLibrary.code { _ = try await upload.finish() } == .wrongState)
        await upload.abort()
        // Those that nobody ends count no more.
        for _ in 0..<30 { _ = try await library.folder.store(name: "x.jpg", maximum: 1) }
        _ = try await library.folder.store(name: "y.jpg", maximum: 1)
    }

    @Test func onlySomeUploadsGoOnAtOnce() async throws {
        let library = try TestLibrary()
        var uploads: [MediaUpload] = []
        for _ in 0..<8 { uploads.append(try await library.folder.store(name: "x.jpg", maximum: 10)) }
        let another = { _ = try await library.folder.store(name: "x.jpg", maximum: 10) }
        #expect(await TestLibrary.code(another) == .tooMuch)
        await uploads[0].abort()
        #expect(await TestLibrary.code(another) == nil)
        for upload in uploads { await upload.abort() }
    }

    @Test func uploadsAtOnceOfOneNameAllArrive() async throws {
        let library = try TestLibrary()
        let names = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 1...8 {
                group.addTask { try await upload(try Quarters.jpeg(width: 16 * number), as: "x.jpg", to: library).name }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(names.count == 8)
        #expect(Set(try await library.folder.items().items.map(\.width)).count == 8)
    }

    @Test func whatAKilledStudioLeftIsTakenAwayAndWhatAnotherOneWritesIsNot() async throws {
        let library = try TestLibrary()
        try library.put(".obscura-studio-1.part", [1])
        try library.put(".obscura-studio-mine", [1])
        try FileManager.default.createSymbolicLink(
            atPath: library.path(of: ".obscura-studio-2.part"), withDestinationPath: library.secretPath)
        let upload = try await library.folder.store(name: "x.jpg", maximum: Self.maximum)
        try await upload.write(try Quarters.jpeg())
        let growing = try library.names.filter { $0.hasSuffix(".part") && !$0.contains("-1.") && !$0.contains("-2.") }
        #expect(growing.count == 1)
        _ = try MediaFolder(path: library.path)
        #expect(try Set(library.names) == Set(growing + [".obscura-studio-mine", ".obscura-studio-2.part"]))
        #expect(try await upload.finish().name == "x.jpg")
        #expect(try Data(contentsOf: URL(fileURLWithPath: library.secretPath)) == Data(TestLibrary.secret))
    }

    /// As a disk that is full but for what must be left.
    @Test func onAFullDiskNothingIsWrittenAndNothingIsLeft() async throws {
        let library = try TestLibrary()
        try library.put("x.jpg", try Quarters.jpeg())
        let folder = try MediaFolder(path: library.path, freeSpaceFloor: .max / 2)
        let upload = try await folder.store(name: "y.jpg", maximum: 10)
        let calls: [() async throws -> Void] = [
            { try await upload.write([1]) }, { _ = try await folder.export("x.jpg") },
            { _ = try await folder.setRecipe(StillRecipe([.mirror]), of: "x.jpg") },
            { _ = try await folder.freshPath(prefix: "photo", ending: "jpg") },
        ]
        for (number, call) in calls.enumerated() {
            #expect(await TestLibrary.code(call) == .diskFull, "call \(number)")
        }
        #expect(try library.names == ["x.jpg"])
        // What needs no room goes on.
        #expect(try await folder.picture(of: "x.jpg").count > 0)
        try await folder.delete("x.jpg")
    }
}
