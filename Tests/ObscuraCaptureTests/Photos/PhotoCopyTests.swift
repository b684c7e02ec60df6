// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraImaging
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraCapture

/// Photos that are the compressed frames of a camera, and when they are not.
@Suite(.hangLimit) struct PhotoCopyTests {
    private static let size = PixelSize(width: 320, height: 240)

    /// A stage whose camera delivers JPEG.
    private func stage(colorSpace: ColorSpace? = nil, name: String = #function) async throws -> PhotoStage {
        let stage = try await PhotoStage(colorSpace: colorSpace, name: name)
        stage.camera.isCompressed.withLock { $0 = true }
        return stage
    }

    @Test(arguments: [false, true])
    func `a photo of an MJPEG camera is the camera's bytes with our metadata`(isMotion: Bool) async throws {
        let stage = try await stage()
        let sent = Lock<[UInt8]>([])
        stage.camera.change.withLock { change in
            change = { file in
                let frame = isMotion ? CameraJPEG.motion(file) : file
                sent.withLock { $0 = frame }
                return frame
            }
        }
        try await stage.give(0..<3)
        var settings = PhotoSettings()
        settings.keepsFrame = true
        settings.metadata.title = "Copy"
        let photo = try await stage.output.capture(settings)
        #expect(photo.isCopied && photo.sequence == 2 && photo.size == Self.size)
        let frame = sent.withLock { $0 }
        #expect(try #require(CameraJPEG.scans(of: photo.data)) == #require(CameraJPEG.scans(of: frame)))
        let expected = try #require(photo.frame).buffer
        #expect(try Still(photo.data).picture.packedBytes() == expected.packedBytes())
        let info = try StillInfo(photo.data)
        #expect(info.size == Self.size && info.orientation == .up && info.thumbnail != nil)
        #expect(info.metadata == photo.metadata && info.metadata.title == "Copy" && info.metadata.model == "Stage")
        await stage.stop()
    }

    private static let changes: [@Sendable (inout PhotoSettings) -> Void] = [
        { $0.format = .jpeg(quality: 90) }, { $0.format = .png() }, { $0.orientation = .right },
        { $0.isMirrored = true },
        { $0.effects = [.sepia] }, { $0.size = .pixels(PixelSize(width: 160, height: 120)) },
        {
            $0.effects = [.sepia]
            $0.orientationPlacement = .exif
        },
        {
            $0.orientation = .right
            $0.size = .pixels(PhotoCopyTests.size)
            $0.orientationPlacement = .exif
        },
    ]

    @Test(arguments: changes.indices)
    func `a setting that changes the image makes a photo that is encoded`(change: Int) async throws {
        let stage = try await stage()
        try await stage.give(0..<1)
        var settings = PhotoSettings()
        Self.changes[change](&settings)
        #expect(try await !stage.output.capture(settings).isCopied)
        await stage.stop()
    }

    @Test func `a setting that leaves the image as it is makes a copy`() async throws {
        let stage = try await stage()
        try await stage.give(0..<1)
        var settings = PhotoSettings()
        settings.size = .pixels(Self.size)
        settings.fit = .stretch
        settings.effects = []
        settings.thumbnailSide = nil
        settings.fillsMetadata = false
        #expect(try await stage.output.capture(settings).isCopied)
        settings.size = .largest
        #expect(try await stage.output.capture(settings).isCopied)
        await stage.stop()
    }

    @Test func `the turn of a connection counts`() async throws {
        let stage = try await stage()
        stage.output.connection.orientation = .down
        try await stage.give(0..<1)
        #expect(try await !stage.output.capture().isCopied)
        var settings = PhotoSettings()
        settings.orientation = .up
        #expect(try await stage.output.capture(settings).isCopied)
        await stage.stop()
    }

    @Test(arguments: Orientation.allCases, [false, true])
    func `a turn in EXIF is beside the camera's bytes`(turn: Orientation, isMirrored: Bool) async throws {
        let stage = try await stage()
        stage.camera.attachments.withLock { $0.uprightTurn = .right }
        try await stage.give(0..<1)
        var settings = PhotoSettings()
        settings.orientation = turn
        settings.isMirrored = isMirrored
        #expect(try await stage.output.capture(settings).isCopied == (turn == .left && !isMirrored))
        settings.orientationPlacement = .exif
        let photo = try await stage.output.capture(settings)
        #expect(photo.isCopied && photo.size == Self.size)
        let info = try StillInfo(photo.data)
        #expect(info.orientation == Orientation.right.followed(by: turn) && info.isMirrored == isMirrored)
        await stage.stop()
    }

    @Test func `a colour space of the input is applied by encoding`() async throws {
        let stage = try await stage(colorSpace: .bt709)
        try await stage.give(0..<1)
        #expect(try await !stage.output.capture().isCopied)
        await stage.stop()
        let same = try await self.stage(colorSpace: .jpeg, name: "\(#function) same")
        try await same.give(0..<1)
        #expect(try await same.output.capture().isCopied)
        await same.stop()
    }

    @Test func `a camera without compression has nothing to copy`() async throws {
        let stage = try await PhotoStage()
        try await stage.give(0..<1)
        #expect(try await !stage.output.capture().isCopied)
        await stage.stop()
    }

    @Test func `a burst is copied`() async throws {
        let stage = try await stage()
        let burst = try await stage.output.captureBurst(count: 3, interval: .zero)
        #expect(await stage.waits())
        try await stage.give(0..<3)
        var numbers: [UInt64?] = []
        for try await photo in burst {
            #expect(photo.isCopied)
            numbers.append(try PhotoStage.number(of: photo))
        }
        #expect(numbers == [0, 1, 2])
        await stage.stop()
    }

    // MARK: Damage

    private static let damages: [@Sendable ([UInt8]) -> [UInt8]] = [
        // The half, no end marker, a part of the samples missing.
        { Array($0.prefix($0.count / 2)) }, { Array($0.dropLast(2)) },
        { Array($0[..<($0.count / 2)] + $0[($0.count / 2 + 200)...]) },
        // Two images, with and without padding between them.
        { $0 + $0 }, { $0 + [0, 0, 0] + $0 }, { $0 + [0xff, 0xff] + $0 },
        // Another size than that of the mode: an image of 24x16.
        { _ in CameraJPEG.progressive }, { _ in [] },
    ]

    @Test(arguments: damages.indices, [StillFormat.jpeg(), .png()])
    func `a damaged frame is an error and no photo, and the next frame is one`(
        damage: Int, format: StillFormat
    ) async throws {
        let stage = try await stage()
        stage.camera.change.withLock { $0 = Self.damages[damage] }
        try await stage.give(0..<1)
        var settings = PhotoSettings()
        settings.format = format
        #expect(await PhotoStage.failure { try await stage.output.capture(settings) } == .damaged)
        stage.camera.change.withLock { $0 = { file in file + [0, 0xff, 0] } }
        try await stage.give(1..<2)
        #expect(try await PhotoStage.number(of: stage.output.capture(settings)) == 1)
        await stage.stop()
    }
}
