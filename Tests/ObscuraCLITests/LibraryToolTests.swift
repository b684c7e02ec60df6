// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if Library

import Foundation
import Obscura
import TestSupport
import Testing

@testable import ObscuraCLI

/// `obscura library`, as its users run it.
@Suite(.hangLimit) struct LibraryToolTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for number in 1...3 {
            var picture = try PixelBuffer(format: .gray8, width: 64, height: 48)
            try picture.withMutableBytes(ofPlane: 0) { bytes in
                for offset in 0..<bytes.byteCount {
                    bytes.storeBytes(of: UInt8(number * 40), toByteOffset: offset, as: UInt8.self)
                }
            }
            var metadata = Metadata()
            metadata.title = "Photo \(number)"
            metadata.date = WallTime(nanosecondsSince1970: 1_790_000_000_000_000_000 + Int64(number) * 1_000_000_000)
            let card = folder.url.appending(path: "card")
            try FileManager.default.createDirectory(at: card, withIntermediateDirectories: true)
            try Data(Still(picture, metadata: metadata).encoded()).write(to: card.appending(path: "\(number).jpg"))
        }
    }

    /// Runs `obscura library` with its index in the folder of the test.
    private func library(_ arguments: String...) async throws -> ObscuraCLITests.Tool.Outcome {
        let settings = ["/usr/bin/env", "XDG_CACHE_HOME=\(folder("cache"))", "TZ=UTC"]
        return try await ObscuraCLITests.Tool.run(
            settings + [ObscuraCLITests.Tool.path, "library"] + arguments + ["--library", folder("lib")], in: folder)
    }

    @Test func `a card is imported, organized and exported`() async throws {
        let first = try await library("import", "card")
        #expect(first.code == 0)
        #expect(first.errors.hasSuffix("lib: 3 imported, 0 skipped as duplicates, 0 failed\n"), "\(first.errors)")
        let again = try await library("import", "card", "--json")
        #expect(again.text.split(separator: "\n").count == 3)
        #expect(again.text.contains(#""isDuplicate":true"#))
        let list = try await library("list", "--order", "oldest")
        #expect(
            list.text == """
                2026-09-21 14:13:21  ---  64x48      2026/09/1.jpg
                2026-09-21 14:13:22  ---  64x48      2026/09/2.jpg
                2026-09-21 14:13:23  ---  64x48      2026/09/3.jpg

                """)
        #expect(try await library("tag", "2026/09/2.jpg", "--favorite", "--add-keyword", "Sea").code == 0)
        let found = try await library("search", "sea", "--json")
        #expect(found.text.contains(#""isFavorite":true"#) && found.text.contains(#""path":"2026/09/2.jpg""#))
        #expect(try await library("list", "--favorites", "--count").text == "1\n")
        #expect(try await library("list", "--since", "2026-09-22", "--count").text == "0\n")
        #expect(try await library("albums", "create", "Best").code == 0)
        #expect(try await library("albums", "add", "best", "2026/09/3.jpg", "2026/09/1.jpg").code == 0)
        #expect(try await library("albums").text == "Best  2\n")
        #expect(try await library("export", "--album", "Best", "out", "--quiet").code == 0)
        #expect(folder.names(in: "out") == ["1.jpg", "3.jpg"])
        #expect(try await library("move", "lib/2026/09/1.jpg", "first.jpg").code == 0)
        #expect(try await library("move", "first.jpg", "new/").code == 0)
        #expect(try await library("move", folder("lib/new/first.jpg"), "first.jpg").code == 0)
        let spelled = try await library("tag", "2026/09/2.jpg", "--remove-keyword", "Sea", "--add-keyword", "sea")
        #expect(spelled.code == 0, "\(spelled.errors)")
        #expect(try await library("tag", "2026/09/2.jpg", "--remove-keyword", "sea").code == 0)
        #expect(try await library("search", "sea", "--count").text == "0\n")
        #expect(try await library("list", "--album", "Best").text.contains("first.jpg"))
        #expect(try await library("trash", "put", "first.jpg").text.hasSuffix("  first.jpg\n"))
        let trash = try await library("trash").text
        #expect(trash.hasSuffix("  first.jpg\n"))
        let id = String(trash.split(separator: " ")[0])
        #expect(try await library("trash", "restore", id).text == "first.jpg\n")
        #expect(try await library("trash", "put", "first.jpg").code == 0)
        #expect(try await library("trash", "restore", "first.jpg").code == 0)
        #expect(try await library("trash", "put", "first.jpg").code == 0)
        #expect(try await library("trash", "empty").errors == "1 item deleted\n")
        let verified = try await library("verify")
        #expect(verified.code == 0)
        #expect(verified.text == "2 items, 0 in the trash, 0 problems\n")
        #expect(try await library("rebuild").errors.hasSuffix("lib: 2 items\n"))
        #expect(try await library("list", "--count").text == "2\n")
        #expect(try await library("import", "lib/2026/09/2.jpg").code == 1)
        #expect(try await library("duplicates").text == "")
    }

    @Test func `errors name the remedy`() async throws {
        let missing = try await library("list")
        #expect(missing.code == 1)
        #expect(missing.errors.contains("there is no such folder. Specify the folder with --library"))
        #expect(try await library("import", "nothing.jpg").code == 1)
        let album = try await library("list", "--album", "Best")
        #expect(album.code == 1)
        #expect(album.errors.contains("there is no such album. List the albums with: obscura library albums."))
        #expect(try await library("list", "--since", "yesterday").code == 64)
        #expect(try await library("list", "--radius", "5").code == 64)
        #expect(try await library("tag", "a.jpg").code == 64)
        #expect(try await library("export", "out").code == 64)
        let tag = try await library("tag", "../a.jpg", "--favorite")
        #expect(tag.code == 1)
        #expect(tag.errors.contains("begins with a dot"))
        _ = try folder.write("lib/text.jpg", "no photo")
        let verified = try await library("verify", "--json")
        #expect(verified.code == 1)
        #expect(verified.text.contains(#""kind" : "damaged""#))
        #expect(try await library("verify", "--no-refresh").code == 1)
        #expect(try await library("search", "?").code == 64)
        #expect(try await library("list", "--near", "-33.9,151.2").code == 0)
        let full = try await ObscuraCLITests.Tool.run(
            [
                "/bin/sh", "-c",
                "XDG_CACHE_HOME=cache \(ObscuraCLITests.Tool.path) library list --library lib > /dev/full",
            ],
            in: folder)
        #expect(full.code == 1)
        #expect(full.errors.contains("cannot write to standard output"))
    }
}

#endif
