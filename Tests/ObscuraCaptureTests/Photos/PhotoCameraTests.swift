// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraImaging
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraCapture

/// Photos for which the camera is changed: its mode, its LED.
@Suite(.hangLimit) struct PhotoCameraTests {
    private static let both = [PhotoStage.small, PhotoStage.large]

    private var largest: PhotoSettings {
        var settings = PhotoSettings()
        settings.size = .largest
        return settings
    }

    private func runs(_ stage: PhotoStage, in formats: [VideoFormat]) async -> Bool {
        await becomes { stage.camera.modes == formats && stage.camera.sink != nil }
    }

    @Test func `the largest photo switches the mode and back, and the other outputs live on`() async throws {
        let stage = try await PhotoStage(formats: Self.both)
        let video = VideoDataOutput(latePolicy: .bounded(20))
        try await stage.session.configure { try $0.addOutput(video) }
        var frames = video.frames.makeAsyncIterator()
        try await stage.give(0..<2)
        #expect(try await frames.next()?.sequence == 0)
        async let taking = stage.output.capture(largest)
        #expect(await runs(stage, in: Self.both))
        #expect(await stage.waits())
        // Two settle, the third is the photo.
        try await stage.give(5..<8)
        #expect(await runs(stage, in: Self.both + [PhotoStage.small]))
        try await stage.give(13..<14)
        let photo = try await taking
        #expect(photo.size == PhotoStage.large.size && photo.sequence == 7)
        #expect(try PhotoStage.number(of: photo) == 7)
        let change = try #require(photo.modeSwitch)
        #expect(change.format == PhotoStage.large && change.returnFailure == nil)
        let frame = MediaTime(value: 1, timescale: 30)
        #expect(abs(try #require(change.gapBefore).wholeNanoseconds - (frame * 4).nanoseconds) < 10)
        #expect(abs(try #require(change.gapAfter).wholeNanoseconds - (frame * 6).nanoseconds) < 10)
        let input = try #require(stage.session.inputs.first)
        #expect(stage.session.activeFormat(of: input) == PhotoStage.small)
        // The loop has seen both, and is still there.
        var sizes: [Int] = []
        while let next = try await frames.next() {
            sizes.append(next.buffer.width)
            if next.sequence == 13 { break }
        }
        #expect(sizes.last == 320)
        await stage.stop()
    }

    @Test func `a camera that runs in its largest mode is not switched`() async throws {
        let stage = try await PhotoStage(formats: [PhotoStage.large, PhotoStage.small])
        try await stage.give(0..<2)
        let photo = try await stage.output.capture(largest)
        #expect(photo.size == PhotoStage.large.size && photo.modeSwitch == nil && stage.camera.modes.count == 1)
        await stage.stop()
    }

    @Test func `a larger mode that the camera refuses is an error, and it goes on as it was`() async throws {
        let stage = try await PhotoStage(formats: Self.both)
        try await stage.give(0..<1)
        let isFirst = Lock(true)
        stage.camera.refusals.withLock { refusals in
            refusals = { format in
                guard format == PhotoStage.large, isFirst.withLock({ $0 }) else { return nil }
                return ObscuraError(.capture, .deviceFailed, subject: "stage", reason: "it will not")
            }
        }
        let settings = largest
        #expect(await PhotoStage.failure { try await stage.output.capture(settings) } == .deviceFailed)
        #expect(stage.session.isRunning)
        try await stage.give(1..<2)
        #expect(try await stage.output.capture(pressedAt: stage.moment(of: 1)).size == PhotoStage.small.size)
        await stage.stop()
    }

    @Test func `a cancelled capture gives the mode back`() async throws {
        let stage = try await PhotoStage(formats: Self.both)
        try await stage.give(0..<1)
        let settings = largest
        let task = Task { await PhotoStage.failure { try await stage.output.capture(settings) } }
        #expect(await runs(stage, in: Self.both))
        #expect(await stage.waits())
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(stage.camera.modes == Self.both + [PhotoStage.small])
        await stage.stop()
    }

    @Test func `two captures that change the camera take turns`() async throws {
        let stage = try await PhotoStage(formats: Self.both)
        try await stage.give(0..<1)
        let settings = largest
        async let first = stage.output.capture(settings)
        #expect(await runs(stage, in: Self.both))
        #expect(await stage.waits())
        async let second = stage.output.capture(settings)
        try await stage.give(1..<4)
        #expect(await runs(stage, in: Self.both + [PhotoStage.small]))
        try await stage.give(4..<5)
        #expect(try await first.sequence == 3)
        #expect(await runs(stage, in: Self.both + Self.both))
        #expect(await stage.waits())
        try await stage.give(5..<8)
        #expect(await runs(stage, in: Self.both + Self.both + [PhotoStage.small]))
        try await stage.give(8..<9)
        #expect(try await second.sequence == 7)
        await stage.stop()
    }

    @Test func `a burst in the largest mode goes back when it is over`() async throws {
        let stage = try await PhotoStage(formats: Self.both)
        try await stage.give(0..<1)
        let burst = try await stage.output.captureBurst(count: 2, interval: .zero, settings: largest)
        try await stage.give(1..<5)
        var photos: [Photo] = []
        for try await photo in burst { photos.append(photo) }
        #expect(photos.map(\.sequence) == [3, 4] && photos.allSatisfy { $0.size == PhotoStage.large.size })
        #expect(photos.first?.modeSwitch?.format == PhotoStage.large)
        #expect(await runs(stage, in: Self.both + [PhotoStage.small]))
        await stage.stop()
    }

    // MARK: Flash

    @Test func `the flash fires for the photo, and the LED is as before`() async throws {
        let table = ControlTable.phone()
        table.change("led_mode", to: 2)
        let stage = try await PhotoStage(table: table)
        try await stage.give(0..<1)
        var settings = PhotoSettings()
        settings.flash = .on
        async let photo = stage.output.capture(settings)
        #expect(await stage.waits())
        #expect(table.writes == ["led_mode=1", "strobe=1"])
        // One that was taken before the flash and comes after it, and one in its light.
        try await stage.give(1..<2)
        try stage.camera.give(2, at: .now)
        #expect(try await photo.sequence == 2)
        #expect(try await photo.metadata.exposure?.flashFired == true)
        #expect(table.writes == ["led_mode=1", "strobe=1", "led_mode=2"])
        await stage.stop()
    }

    @Test(arguments: [true, false]) func `by itself the flash fires only in the dark`(isDark: Bool) async throws {
        let table = ControlTable.phone()
        let stage = try await PhotoStage(table: table)
        stage.camera.isDark.withLock { $0 = isDark }
        try await stage.give(0..<1)
        var settings = PhotoSettings()
        settings.flash = .auto
        async let photo = stage.output.capture(settings)
        if isDark {
            #expect(await becomes { table.writes.count == 2 })
            #expect(await stage.waits())
            try stage.camera.give(1, at: .now)
        }
        #expect(try await photo.metadata.exposure?.flashFired == isDark)
        #expect(table.writes == (isDark ? ["led_mode=1", "strobe=1", "led_mode=0"] : []))
        await stage.stop()
    }

    @Test func `a flash on a camera without one is an error, unless it is left to itself`() async throws {
        let stage = try await PhotoStage(table: .webcam())
        try await stage.give(0..<1)
        var settings = PhotoSettings()
        settings.flash = .on
        let forced = settings
        #expect(await PhotoStage.failure { try await stage.output.capture(forced) } == .unsupportedControl)
        settings.flash = .auto
        #expect(try await stage.output.capture(settings).sequence == 0)
        await stage.stop()
    }
}
