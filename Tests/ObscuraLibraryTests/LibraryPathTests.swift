// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import Testing

@testable import ObscuraLibrary

/// Paths from users, programs and other people's files.
@Suite struct LibraryPathTests {
    @Test(arguments: [
        "", "/etc/passwd", "../a.jpg", "a/../b.jpg", "a//b.jpg", "a/", "./a.jpg", ".hidden.jpg", "a/.obscura/b.jpg",
        "a\0.jpg", String(repeating: "a", count: 256), String(repeating: "a/", count: 2001) + "b",
    ])
    func pathsThatLeadElsewhereAreRejected(text: String) {
        #expect { try LibraryPath(text) } throws: { ($0 as? ObscuraError)?.code == .invalidPath }
        if !text.contains("/") { #expect(LibraryPath(name: text, in: "a") == nil) }
    }

    @Test func aPathHasAFolderAndAName() throws {
        let path = try LibraryPath("2026/11/Möwe am\nStrand.JPG")
        #expect(path.folder == "2026/11")
        #expect(path.name == "Möwe am\nStrand.JPG")
        #expect(path.type == .jpeg)
        #expect(try LibraryPath("a.mov").folder == "")
    }

    @Test(arguments: [("a.jpg", true), ("a.recording.mp4", false), ("a.txt", false), ("jpg", false), ("a.webm", true)])
    func itemsHaveAKnownExtension(name: String, isItem: Bool) throws {
        #expect((try LibraryPath(name).type != nil) == isItem)
    }

    @Test func sidecarsBelongToAnItem() {
        #expect(Sidecar.owner(of: "a.jpg.recipe.json") == "a.jpg")
        #expect(Sidecar.owner(of: "a.jpg.library.json") == "a.jpg")
        #expect(Sidecar.owner(of: "a.jpg") == nil)
    }
}
