// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Obscura
import TestSupport
import Testing

@testable import ObscuraStudio

@Suite struct LibraryPictureTests {
    @Test func aHundredRequestsForOnePictureMakeItOnce() async throws {
        let library = try TestLibrary()
        try library.put("x.jpg", try Quarters.jpeg(width: 640, height: 480))
        let size = PixelSize(width: 160, height: 160)
        let pictures = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<100 {
                group.addTask { try await library.folder.picture(of: "x.jpg", fitting: size) }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(pictures.count == 1 && library.folder.pictures.madeCount == 1)
        #expect(try Quarters.colors(of: try #require(pictures.first)).size == PixelSize(width: 160, height: 120))
        _ = try await library.folder.picture(of: "x.jpg", fitting: PixelSize(width: 80, height: 160))
        #expect(library.folder.pictures.madeCount == 2)
    }

    @Test(arguments: [
        (PixelSize(width: 32, height: 1000), PixelSize(width: 32, height: 24)),
        (PixelSize(width: 1000, height: 24), PixelSize(width: 32, height: 24)),
        (PixelSize(width: 64, height: 48), PixelSize(width: 64, height: 48)),
        (PixelSize(width: .max, height: .max), PixelSize(width: 64, height: 48)),
        (PixelSize(width: 1, height: 1), PixelSize(width: 1, height: 1)),
    ])
    func aPictureIsFittedAndNeverEnlarged(wanted: PixelSize, expected: PixelSize) async throws {
        let library = try TestLibrary()
        try library.put("x.jpg", try Quarters.jpeg())
        let picture = try await library.folder.picture(of: "x.jpg", fitting: wanted)
        #expect(try StillInfo(picture).size == expected)
    }

    @Test(arguments: [
        PixelSize(width: 0, height: 1), PixelSize(width: 1, height: -1), PixelSize(width: .min, height: 5),
    ])
    func aSizeThatIsNoneIsRefused(size: PixelSize) async throws {
        let library = try TestLibrary()
        try library.put("x.jpg", try Quarters.jpeg())
        let code = await TestLibrary.code { _ = try await library.folder.picture(of: "x.jpg", fitting: size) }
        #expect(code == .invalidRequest)
    }

    @Test func aPictureIsUprightAndSaysNothingOfItself() async throws {
        let library = try TestLibrary()
        var properties = StillProperties()
        properties.orientation = .right
        properties.metadata.location = try GeographicLocation(latitude: 1, longitude: 2)
        properties.metadata.author = "Ada"
        try library.put("x.jpg", try Quarters.jpeg(properties))
        let picture = try await library.folder.picture(of: "x.jpg")
        let shown = try Quarters.colors(of: picture)
        #expect(shown.colors == [.blue, .red, .white, .green] && shown.size == PixelSize(width: 48, height: 64))
        let info = try StillInfo(picture)
        #expect(info.metadata == Metadata() && info.orientation == .up && info.thumbnail == nil)
    }

    @Test func aNewFileARecipeAndATouchMakeANewPicture() async throws {
        let library = try TestLibrary()
        try library.put("x.jpg", try Quarters.jpeg())
        let first = try await library.folder.picture(of: "x.jpg")
        #expect(try await library.folder.picture(of: "x.jpg") == first && library.folder.pictures.madeCount == 1)
        _ = try await library.folder.setRecipe(StillRecipe([.mirror]), of: "x.jpg")
        let mirrored = try await library.folder.picture(of: "x.jpg")
        #expect(try Quarters.colors(of: mirrored).colors == [.green, .red, .white, .blue])
        #expect(try await library.folder.picture(of: "x.jpg", original: true) == first)
        #expect(library.folder.pictures.madeCount == 2)
        _ = try await library.folder.setRecipe(nil, of: "x.jpg")
        #expect(try await library.folder.picture(of: "x.jpg") == first && library.folder.pictures.madeCount == 2)
        try library.put("x.jpg", try Quarters.jpeg(width: 32, height: 32))
        #expect(try StillInfo(try await library.folder.picture(of: "x.jpg")).size == PixelSize(width: 32, height: 32))
    }

    @Test(arguments: ["mp4", "mkv", "mov"]) func aMovieShowsItsFirstPicture(ending: String) async throws {
        let library = try TestLibrary()
        let path = ending == "mp4" ? try TestMovies.h264() : try TestMovies.h264(in: ending)
        try library.put("x.\(ending)", Array(try Data(contentsOf: URL(fileURLWithPath: path))))
        #expect(
            try StillInfo(try await library.folder.picture(of: "x.\(ending)")).size == PixelSize(width: 160, height: 90)
        )
        let small = try await library.folder.picture(of: "x.\(ending)", fitting: PixelSize(width: 80, height: 80))
        #expect(try StillInfo(small).size == PixelSize(width: 80, height: 45))
        let item = try await library.folder.item(named: "x.\(ending)")
        #expect(item.width == 160 && abs((item.duration ?? 0) - 2) < 0.2)
    }

    @Test func aMovieThatIsTurnedIsShownUpright() async throws {
        let library = try TestLibrary()
        let path = try TestMovies.path(
            "turned.mp4", ["-i", try TestMovies.h264(), "-map", "0:v", "-c", "copy", "-metadata:s:v", "rotate=90"])
        try library.put("x.mp4", Array(try Data(contentsOf: URL(fileURLWithPath: path))))
        let item = try await library.folder.item(named: "x.mp4")
        #expect(item.width == 90 && item.height == 160)
        #expect(try StillInfo(try await library.folder.picture(of: "x.mp4")).size == PixelSize(width: 90, height: 160))
    }

    @Test(.hangLimit, arguments: [0.02, 0.3, 0.5, 0.7, 0.9])
    func aMovieThatIsCutShowsAPictureOrAnError(part: Double) async throws {
        let library = try TestLibrary()
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: TestMovies.h264())))
        try library.put("x.mp4", Array(bytes.prefix(Int(Double(bytes.count) * part))))
        let code = await TestLibrary.code {
            let size = try StillInfo(try await library.folder.picture(of: "x.mp4")).size
            #expect(size.width == 160)
        }
        #expect(code == nil || code == .failed)
    }

    @Test func aFailureIsToldToAllWhoWaitAndNotKept() async throws {
        let cache = PictureCache(limit: 1000)
        let library = try TestLibrary()
        try library.put("x.jpg", [1])
        let key = PictureCache.Key(
            name: "x.jpg", status: try #require(library.folder.directory.status(of: "x.jpg")), recipe: nil, box: nil)
        let codes = await withTaskGroup(of: ObscuraError.Code?.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    await TestLibrary.code { _ = try await cache.picture(key) { throw ObscuraError.noSuchItem("x") } }
                }
            }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(codes == [.noSuchItem])
        #expect(try await cache.picture(key) { [7] } == [7])
        #expect(try await cache.picture(key) { [8] } == [7])
    }

    @Test func aCacheKeepsWhatIsUsedAndNeverMoreThanItsLimit() {
        var cache = BoundedCache<Int, Int>(limit: 100)
        for number in 0..<10_000 {
            cache.insert(number, cost: 1 + number % 7, for: number)
            #expect(cache.cost <= 100)
            cache.insert(-1, cost: 3, for: -1)
            #expect(cache.value(for: -1) == -1 && cache.value(for: number) == number)
        }
        #expect(cache.value(for: 0) == nil && cache.value(for: 9_999) == 9_999)
        cache.insert(1, cost: 51, for: 1)
        #expect(cache.value(for: 1) == nil)
        for _ in 0..<1000 { cache.insert(5, cost: 10, for: 5) }
        #expect(cache.value(for: 9_999) == 9_999 && cache.cost <= 100)
    }
}
