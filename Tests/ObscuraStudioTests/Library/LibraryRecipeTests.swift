// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Glibc
import Obscura
import ObscuraLibrary
import TestSupport
import Testing

@testable import ObscuraStudio

@Suite struct LibraryRecipeTests {
    private static let half = UnitRect(x: 0, y: 0, width: 0.5, height: 1)

    @Test func aRecipeIsKeptBesideThePhotoWhichStaysAsItIs() async throws {
        let library = try TestLibrary()
        let bytes = try Quarters.jpeg()
        try library.put("x.jpg", bytes)
        let recipe = StillRecipe([.rotate(.right), .crop(Self.half), .mirror])
        let item = try await library.folder.setRecipe(recipe, of: "x.jpg")
        #expect(item.recipe == recipe && item.width == 24 && item.height == 64)
        #expect(try library.names == ["x.jpg", "x.jpg.recipe.json"])
        #expect(try library.bytes(of: "x.jpg") == bytes)
        // Another process reads it.
        let other = try MediaFolder(path: library.path)
        #expect(try await other.recipe(of: "x.jpg") == recipe)
        #expect(try await other.items().items.first == item)
        #expect(try await other.setRecipe(StillRecipe(), of: "x.jpg").recipe == nil)
        #expect(try library.names == ["x.jpg"])
        #expect(try await other.setRecipe(nil, of: "x.jpg").recipe == nil)
    }

    static let senseless: [StillRecipe] =
        [
            .nan, .infinity, -.infinity, 1e308, -1e308, -0.5, 1.5,
        ].flatMap { value -> [StillEdit] in
            [
                .crop(UnitRect(x: value, y: 0, width: 0.5, height: 0.5)),
                .crop(UnitRect(x: 0, y: value, width: 0.5, height: 0.5)),
                .crop(UnitRect(x: 0, y: 0, width: value, height: 0.5)),
                .redEye([half, UnitRect(x: 0, y: 0, width: 0.5, height: value)]),
            ]
        }.map { StillRecipe([$0]) }
        + [
            .rotate(.up), .straighten(degrees: .nan), .straighten(degrees: .infinity), .straighten(degrees: 45.5),
            .straighten(degrees: -1e308), .crop(UnitRect(x: 0.6, y: 0, width: 0.5, height: 1)),
            .crop(UnitRect(x: 0, y: 0, width: 0, height: 1)), .redEye([UnitRect](repeating: half, count: 65)),
        ].map { StillRecipe([$0]) }
        + [
            StillRecipe(.init(repeating: .mirror, count: 65)), StillRecipe(.init(repeating: .autoEnhance, count: 5)),
            StillRecipe(.init(repeating: .redEye([half, half]), count: 33)),
        ]

    @Test(arguments: senseless) func aRecipeThatMakesNoSenseIsRefused(recipe: StillRecipe) async throws {
        let library = try TestLibrary()
        try library.put("x.jpg", try Quarters.jpeg())
        let kept = StillRecipe([.mirror])
        _ = try await library.folder.setRecipe(kept, of: "x.jpg")
        let refused = { _ = try await library.folder.setRecipe(recipe, of: "x.jpg") }
        #expect(await TestLibrary.code(refused) == .invalidRequest)
        #expect(try await library.folder.recipe(of: "x.jpg") == kept)
    }

    @Test func theLargestRecipeThatMakesSenseIsKept() async throws {
        let library = try TestLibrary()
        try library.put("x.jpg", try Quarters.jpeg())
        let part = UnitRect(x: 0.123456789012345678, y: 1.0 / 3, width: 2.0 / 3, height: 0.1 + 0.2)
        var recipe = StillRecipe([.redEye(.init(repeating: part, count: 64))])
        recipe.edits += Array(repeating: .crop(part), count: 59) + Array(repeating: .autoEnhance, count: 4)
        #expect(try await library.folder.setRecipe(recipe, of: "x.jpg").recipe == recipe)
        #expect(try await library.folder.recipe(of: "x.jpg") == recipe)
        #expect(try await library.folder.picture(of: "x.jpg").count > 0)
    }

    @Test func moviesHaveNoRecipe() async throws {
        let library = try TestLibrary()
        try library.putMovie()
        let edit = { _ = try await library.folder.setRecipe(StillRecipe([.mirror]), of: "movie.mp4") }
        #expect(await TestLibrary.code(edit) == .invalidRequest)
        #expect(await TestLibrary.code { _ = try await library.folder.export("movie.mp4") } == .invalidRequest)
        #expect(try await library.folder.recipe(of: "movie.mp4") == nil)
        #expect(try library.names == ["movie.mp4"])
    }

    @Test func aRecipeForNothingIsRefusedAndNotKept() async throws {
        let library = try TestLibrary()
        let edit = { _ = try await library.folder.setRecipe(StillRecipe([.mirror]), of: "x.jpg") }
        #expect(await TestLibrary.code(edit) == .noSuchItem)
        let long = String(repeating: "a", count: 250) + ".jpg"
        try library.put(long, try Quarters.jpeg())
        let tooLong = { _ = try await library.folder.setRecipe(StillRecipe([.mirror]), of: long) }
        #expect(await TestLibrary.code(tooLong) == .invalidRequest)
        #expect(try library.names == [long])
    }

    @Test(arguments: [
        "", "{", "null", "[]", "{}", #"{"edits":[{"kind":"paint"}]}"#,
        #"{"edits":[{"kind":"straighten","degrees":1e999}]}"#,
        #"{"edits":[{"kind":"straighten","degrees":NaN}]}"#, #"{"edits":[{"kind":"straighten","degrees":90}]}"#,
        #"{"edits":[{"kind":"rotate","turn":"up"}]}"#,
        #"{"edits":[{"kind":"crop","x":0,"y":0,"width":1e308,"height":1}]}"#, "\u{0}\u{0}",
        #"{"edits":[{"kind":"mirror"}]}"# + String(repeating: " ", count: 100_000),
        String(repeating: "[", count: 50_000),
    ])
    func aBrokenRecipeCountsAsNone(text: String) async throws {
        let library = try TestLibrary()
        try library.put("x.jpg", try Quarters.jpeg())
        try library.put("x.jpg.recipe.json", Array(text.utf8))
        #expect(try await library.folder.recipe(of: "x.jpg") == nil)
        #expect(try await library.folder.items().items.first?.recipe == nil)
        let shown = try Quarters.colors(of: try await library.folder.picture(of: "x.jpg"))
        #expect(shown.colors == [.red, .green, .blue, .white])
        // A good one takes its place.
        let recipe = StillRecipe([.mirror])
        #expect(try await library.folder.setRecipe(recipe, of: "x.jpg").recipe == recipe)
    }

    @Test(.hangLimit, arguments: [true, false])
    func aRecipeThatIsHugeOrAPipeCountsAsNone(isPipe: Bool) async throws {
        let library = try TestLibrary()
        try library.put("x.jpg", try Quarters.jpeg())
        let path = library.path(of: "x.jpg.recipe.json")
        if isPipe {
            #expect(mkfifo(path, 0o600) == 0)
        } else {
            try library.put("x.jpg.recipe.json", [])
            #expect(truncate(path, 1 << 40) == 0)
        }
        #expect(try await library.folder.item(named: "x.jpg").recipe == nil)
        #expect(try await library.folder.items().items.count == 1)
    }

    @Test(
        arguments: [
            ([.rotate(.right)], [.blue, .red, .white, .green], PixelSize(width: 48, height: 64)),
            ([.rotate(.left)], [.green, .white, .red, .blue], PixelSize(width: 48, height: 64)),
            ([.rotate(.down)], [.white, .blue, .green, .red], PixelSize(width: 64, height: 48)),
            ([.mirror], [.green, .red, .white, .blue], PixelSize(width: 64, height: 48)),
            ([.crop(half)], [.red, .red, .blue, .blue], PixelSize(width: 32, height: 48)),
            // In order: what is left after the turn.
            ([.rotate(.right), .crop(half)], [.blue, .blue, .white, .white], PixelSize(width: 24, height: 64)),
            ([.crop(half), .rotate(.right)], [.blue, .red, .blue, .red], PixelSize(width: 48, height: 32)),
            (
                [.straighten(degrees: 0), .autoEnhance],
                [.red, .green, .blue, .white], PixelSize(width: 64, height: 48)
            ),
        ] as [([StillEdit], [Quarters.Color], PixelSize)])
    func editsAreAppliedInTheirOrder(edits: [StillEdit], colors: [Quarters.Color], size: PixelSize) async throws {
        let library = try TestLibrary()
        try library.put("x.jpg", try Quarters.jpeg())
        let item = try await library.folder.setRecipe(StillRecipe(edits), of: "x.jpg")
        #expect(item.width == size.width && item.height == size.height)
        let shown = try Quarters.colors(of: try await library.folder.picture(of: "x.jpg"))
        #expect(shown.colors == colors && shown.size == size)
        let original = try Quarters.colors(of: try await library.folder.picture(of: "x.jpg", original: true))
        #expect(original.colors == [.red, .green, .blue, .white])
    }

    /// The Studio and `MediaLibrary` share a folder: its files, edits and notes.
    @Test func theFolderIsThatOfAMediaLibrary() async throws {
        let studio = try TestLibrary()
        try studio.put("x.jpg", try Quarters.jpeg())
        try studio.put("y.jpg", try Quarters.jpeg())
        let recipe = StillRecipe([.rotate(.right), .crop(Self.half)])
        let shown = try await studio.folder.setRecipe(recipe, of: "x.jpg")
        var options = MediaLibrary.Options()
        options.cacheFolder = studio.path + "-cache"
        let library = try await MediaLibrary(path: studio.path, options: options)
        #expect(try await library.refresh().added == 2)
        #expect(try await library.recipe(of: "x.jpg") == recipe)
        #expect(try await library.item(at: "x.jpg").size?.width == shown.width)
        try await library.setRecipe(StillRecipe([.mirror]), of: "y.jpg")
        try await library.setFavorite(true, for: ["y.jpg"])
        #expect(try await studio.folder.recipe(of: "y.jpg") == StillRecipe([.mirror]))
        #expect(try await studio.folder.items().total == 2)
        // Nothing of an item is left.
        try await studio.folder.delete("y.jpg")
        try await studio.folder.delete("x.jpg")
        #expect(try studio.names == [".obscura"])
        #expect(try await library.refresh().removed == 2)
        #expect(try await library.verify().problems.isEmpty)
    }

    @Test func anEnhancementIsThatOfTheLibraryForWhatIsLeftOfThePicture() throws {
        // Dull light with a tint, and a bright frame that is cut off.
        var picture = try PixelBuffer(format: .bgra, width: 96, height: 96, colorSpace: nil)
        let stride = picture.bytesPerRow(ofPlane: 0)
        try picture.withMutableBytes(ofPlane: 0) { bytes in
            for y in 0..<96 {
                for x in 0..<96 {
                    let level = x < 48 ? UInt32(60 + x / 2 + y / 4) : 250
                    bytes.storeBytes(
                        of: 0xff00_0000 | level << 16 | (level * 3 / 4) << 8 | level / 2,
                        toByteOffset: y * stride + 4 * x,
                        as: UInt32.self)
                }
            }
        }
        let left = try StillRecipe([.crop(Self.half)]).apply(to: picture)
        let expected = try StillRecipe([.crop(Self.half), .enhance(try .automatic(for: left))]).apply(to: picture)
        let recipe = StillRecipe([.crop(Self.half), .autoEnhance])
        #expect(try recipe.apply(to: picture).packedBytes() == expected.packedBytes())
        #expect(try recipe.apply(to: picture).packedBytes() != left.packedBytes())
    }
}
