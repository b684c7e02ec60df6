// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Obscura
import TestSupport
import Testing

@testable import ObscuraStudio

@Suite struct LibraryExportTests {
    @Test func anExportIsANewPhotoWithTheEditsAndTheMetadata() async throws {
        let library = try TestLibrary()
        var properties = StillProperties()
        properties.orientation = .left
        properties.metadata.title = "Grüße"
        properties.metadata.model = "Camera 7"
        properties.metadata.location = try GeographicLocation(latitude: 1.5, longitude: 2.5)
        let bytes = try Quarters.jpeg(properties)
        try library.put("x.JPG", bytes)
        _ = try await library.folder.setRecipe(StillRecipe([.mirror]), of: "x.JPG")
        let item = try await library.folder.export("x.JPG")
        #expect(item.name == "x-edited.jpg" && item.recipe == nil && item.width == 48 && item.height == 64)
        #expect(item.place?.latitude == 1.5)
        let edited = try library.bytes(of: "x-edited.jpg")
        let metadata = try StillInfo(edited).metadata
        #expect(metadata.title == "Grüße" && metadata.model == "Camera 7")
        // Turned left, then mirrored.
        #expect(try Quarters.colors(of: edited).colors == [.white, .green, .blue, .red])
        #expect(try library.bytes(of: "x.JPG") == bytes)
        #expect(try library.names == ["x-edited.jpg", "x.JPG", "x.JPG.recipe.json"])
    }

    @Test func theKindIsThatOfThePhotoUnlessAsked() async throws {
        let library = try TestLibrary()
        try library.put("x.png", try Quarters.png())
        #expect(try await library.folder.export("x.png").name == "x-edited.png")
        #expect(try await library.folder.export("x.png", as: .jpeg).name == "x-edited.jpg")
        #expect(StillInfo.kind(of: try library.bytes(of: "x-edited.png")) == .png)
        #expect(StillInfo.kind(of: try library.bytes(of: "x-edited.jpg")) == .jpeg)
    }

    @Test func exportsAtOnceGetNamesOfTheirOwnAndReplaceNothing() async throws {
        let library = try TestLibrary()
        try library.put("x.jpg", try Quarters.jpeg())
        try library.put("x-edited-2.jpg", [1, 2, 3])
        let other = try MediaFolder(path: library.path)
        let names = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<10 {
                group.addTask {
                    // As two processes on one folder would.
                    try await (number % 2 == 0 ? library.folder : other).export("x.jpg").name
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(names).count == 10 && !names.contains("x-edited-2.jpg"))
        #expect(try library.bytes(of: "x-edited-2.jpg") == [1, 2, 3])
        #expect(try library.names.count == 12)
        for name in names { #expect(try Quarters.colors(of: library.bytes(of: name)).size.width == 64) }
    }

    @Test func anExportOfALongNameHasAShorterOne() async throws {
        let library = try TestLibrary()
        let name = String(repeating: "é", count: 125) + ".jpg"
        try library.put(name, try Quarters.jpeg())
        for _ in 0..<3 {
            let item = try await library.folder.export(name)
            #expect(item.name.utf8.count <= 243 && item.name != name)
            // There is room for edits beside it.
            _ = try await library.folder.setRecipe(StillRecipe([.mirror]), of: item.name)
        }
    }

    @Test func whatCannotBeDecodedIsNotExportedAndNothingIsLeft() async throws {
        let library = try TestLibrary()
        let jpeg = try Quarters.jpeg(width: 640, height: 480)
        try library.put("cut.jpg", Array(jpeg.prefix(jpeg.count * 3 / 4)))
        try library.put("text.jpg", Array("hello".utf8))
        for name in ["cut.jpg", "text.jpg"] {
            #expect(await TestLibrary.code { _ = try await library.folder.export(name) } == .failed)
            #expect(await TestLibrary.code { _ = try await library.folder.picture(of: name) } == .failed)
        }
        #expect(try library.names == ["cut.jpg", "text.jpg"])
    }
}
