// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraCapture
import ObscuraMedia
import Testing

/// The modes of the built-in camera.
@Suite struct PatternModesTests {
    @Test func `The best mode without a size is 1280x720 at 30`() throws {
        let formats = PatternDriver().formats
        #expect(formats.count == 8)
        #expect(formats.allSatisfy { $0.width <= 1280 && $0.height <= 720 })
        let best = try #require(CaptureSession.Preset.high.choose(from: formats))
        #expect(best == formats.first)
        #expect(best.size == PixelSize(width: 1280, height: 720))
        #expect(best.frameRate == FrameRate(30))
    }

    @Test func `A rate that is asked for holds without a size too`() {
        let formats = PatternDriver(frameRate: FrameRate(25)).formats
        #expect(formats.count == 4)
        #expect(formats.allSatisfy { $0.frameRate == FrameRate(25) })
    }

    @Test func `A larger mode is named`() throws {
        let device = try #require(try PatternDeviceProvider().device(named: "pattern:3840x2160@30"))
        #expect(device.formats.map(\.size) == [PixelSize(width: 3840, height: 2160)])
        #expect(device.uniqueID == "pattern:3840x2160@30")
    }
}
