// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import ObscuraBase
import ObscuraLibrary
import TestSupport
import Testing

@testable import ObscuraStudio

@Suite struct PictureCostTests {
    private static let mebibyte = 1 << 20

    /// What a JPEG of 4:2:0 says of itself, with this size in its head.
    private static func info(_ width: Int, _ height: Int) throws -> StillInfo {
        var file = try Quarters.jpeg()
        // The first frame is that of the thumbnail.
        let marker = try #require((0..<file.count - 9).last { file[$0] == 0xff && file[$0 + 1] == 0xc0 })
        let sides = [height >> 8, height & 255, width >> 8, width & 255].map { UInt8($0) }
        file.replaceSubrange((marker + 5)..<(marker + 9), with: sides)
        return try StillInfo(file)
    }

    @Test func aSmallFileWithAHugePictureIsShownSmallAndNotWhole() throws {
        let info = try Self.info(16384, 8192)
        let whole = PictureCost(of: info, fileSize: 786_000, recipe: nil, fitting: nil)
        #expect(throws: ObscuraError.self) { try whole.check("x.jpg") }
        let small = PictureCost(of: info, fileSize: 786_000, recipe: nil, fitting: PixelSize(width: 320, height: 320))
        try small.check("x.jpg")
        #expect(small.byteCount < 8 * Self.mebibyte && small.decodingBox == PixelSize(width: 320, height: 160))
        let edited = PictureCost(
            of: info, fileSize: 786_000, recipe: StillRecipe([.straighten(degrees: 2)]),
            fitting: PixelSize(width: 320, height: 320))
        try edited.check("x.jpg")
        #expect(edited.byteCount < 64 * Self.mebibyte)
    }

    /// A gray JPEG of 4:2:0 in which each block takes two bits: 786 KB for 16384x8192.
    static func flat(width: Int, height: Int) -> [UInt8] {
        func segment(_ marker: UInt8, _ bytes: [UInt8]) -> [UInt8] {
            [0xff, marker, UInt8((bytes.count + 2) >> 8), UInt8((bytes.count + 2) & 255)] + bytes
        }
        // One code of one bit: no difference from the block before, or the end of the block.
        func codes(_ table: UInt8) -> [UInt8] { [table, 1] + [UInt8](repeating: 0, count: 15) + [0] }
        let sides = [height >> 8, height & 255, width >> 8, width & 255].map { UInt8($0) }
        let units = ((width + 15) / 16) * ((height + 15) / 16)
        return [0xff, 0xd8] + segment(0xdb, [0] + [UInt8](repeating: 1, count: 64))
            + segment(0xc0, [8] + sides + [3, 1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0])
            + segment(0xc4, codes(0x00) + codes(0x10)) + segment(0xda, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0])
            + [UInt8](repeating: 0, count: (units * 12 + 7) / 8) + [0xff, 0xd9]
    }

    /// Memory is that of the whole process, so this one has its own.
    @Test(.hangLimit) func aSmallFileWithAHugePictureTakesLittleMemory() async {
        await #expect(processExitsWith: .success) {
            let library = try TestLibrary()
            let file = PictureCostTests.flat(width: 16384, height: 8192)
            #expect(file.count < 800_000)
            try library.put("x.jpg", file)
            try library.put("y.jpg", file)
            _ = try await library.folder.setRecipe(StillRecipe([.straighten(degrees: 2)]), of: "y.jpg")
            let peak = MemoryPeak()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for name in ["x.jpg", "y.jpg"] {
                    for side in [160, 320, 2000] {
                        group.addTask {
                            let box = PixelSize(width: side, height: side)
                            let picture = try await library.folder.picture(of: name, fitting: box)
                            #expect(try abs(StillInfo(picture).size.width - side) <= 2)
                        }
                    }
                }
                try await group.waitForAll()
            }
            let whole = await TestLibrary.code { _ = try await library.folder.picture(of: "x.jpg") }
            #expect(whole == .tooMuch)
            // Reduced to half of its sides.
            let exported = try await library.folder.export("y.jpg")
            #expect((4000...8192).contains(exported.width ?? 0))
            #expect(peak.growthKilobytes < 512 << 10, "\(peak.growthKilobytes >> 10) MiB")
        }
    }

    @Test func aPartThatIsCutOutIsDecodedAsLargeAsItIsShown() throws {
        let recipe = StillRecipe([.crop(UnitRect(x: 0.25, y: 0.25, width: 0.25, height: 0.25))])
        let cost = PictureCost(
            of: try Self.info(8000, 6000), fileSize: 12_000_000, recipe: recipe,
            fitting: PixelSize(width: 500, height: 500))
        #expect(cost.decodingBox == PixelSize(width: 2000, height: 1500))
    }

    @Test func aPhotoOfALargeCameraIsEditedAtItsFullSize() throws {
        let recipe = StillRecipe([.straighten(degrees: 2), .autoEnhance])
        let cost = PictureCost(of: try Self.info(8160, 6120), fileSize: 12_000_000, recipe: recipe, fitting: nil)
        try cost.check("x.jpg")
        // It runs alone.
        #expect(cost.byteCount > MemoryBudget.pictures.byteCount)
        let claimed = PictureCost(of: try Self.info(8160, 6120), fileSize: 500_000, recipe: recipe, fitting: nil)
        #expect(throws: ObscuraError.self) { try claimed.check("x.jpg") }
    }

    @Test func aMovieOfAnySizeAndAFileOfHolesOverflowNothing() throws {
        try PictureCost(of: PixelSize(width: 7680, height: 4320), fileSize: 1000).check("x.mp4")
        let large = PictureCost(of: PixelSize(width: 8192, height: 8192), fileSize: 1000)
        #expect(throws: ObscuraError.self) { try large.check("x.mp4") }
        _ = PictureCost(of: try Self.info(16384, 16384), fileSize: .max, recipe: nil, fitting: nil)
    }

    @Test func manyPicturesAtOnceAreMadeWithinTheBudget() async throws {
        let library = try TestLibrary()
        try library.put("x.jpg", try Quarters.jpeg(width: 2000, height: 1500))
        let sizes = try await withThrowingTaskGroup(of: PixelSize.self) { group in
            for side in 1...40 {
                group.addTask {
                    let box = PixelSize(width: 20 * side, height: 20 * side)
                    return try StillInfo(try await library.folder.picture(of: "x.jpg", fitting: box)).size
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(sizes == Set((1...40).map { PixelSize(width: 20 * $0, height: 15 * $0) }))
    }
}
