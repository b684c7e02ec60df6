// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraCapture
import ObscuraMedia
import Testing

/// Which mode a preset takes of a camera that offers the same size in several formats.
@Suite struct ModeChoiceTests {
    private static func mode(_ format: PixelFormat, _ width: Int, _ height: Int, _ rate: Int32) -> VideoFormat {
        VideoFormat(pixelFormat: format, width: width, height: height, frameRate: FrameRate(rate))
    }

    /// A webcam on USB 2: uncompressed pictures are slow when they are large.
    private static let webcam = [
        mode(.mjpeg, 1920, 1080, 30), mode(.mjpeg, 1280, 720, 30), mode(.mjpeg, 640, 480, 30),
        mode(.h264, 1920, 1080, 30), mode(.h264, 640, 480, 30), mode(.yuyv, 640, 480, 30),
        mode(.yuyv, 1280, 720, 10), mode(.yuyv, 1920, 1080, 5), mode(.yuyv, 640, 480, 15),
    ]

    @Test func `Uncompressed pictures are taken where they are quick enough`() throws {
        let choice = try #require(ModeChoice(.vga640x480, from: Self.webcam))
        #expect(choice.format == Self.mode(.yuyv, 640, 480, 30))
        #expect(choice.reason == "640x480 is the size of the preset; yuyv at 30 is uncompressed and fast enough.")
    }

    @Test(arguments: [(CaptureSession.Preset.high, 1080, "5"), (.hd1280x720, 720, "10")])
    func `Else JPEGs are taken, and it is said why`(
        preset: CaptureSession.Preset, height: Int, slow: String
    ) throws {
        let choice = try #require(ModeChoice(preset, from: Self.webcam))
        #expect(choice.format.pixelFormat == .mjpeg)
        #expect(choice.format.height == height)
        #expect(choice.reason.hasSuffix("since uncompressed yuyv reaches only \(slow) frames per second."))
    }

    @Test func `A rate nearer to 30 from below counts more than a format`() {
        let formats = [Self.mode(.yuyv, 640, 480, 20), Self.mode(.mjpeg, 640, 480, 25)]
        #expect(CaptureSession.Preset.high.choose(from: formats)?.pixelFormat == .mjpeg)
    }

    @Test func `The 29.97 of television is quick enough to stay uncompressed`() throws {
        let television = VideoFormat(
            pixelFormat: .yuyv, width: 640, height: 480, frameRate: FrameRate(30000, per: 1001))
        let formats = [Self.mode(.mjpeg, 640, 480, 30), television]
        let choice = try #require(ModeChoice(.high, from: formats))
        #expect(choice.format == television)
        #expect(choice.reason.hasSuffix("is uncompressed and fast enough."))
        let both = [television, Self.mode(.yuyv, 640, 480, 30)]
        #expect(ModeChoice(.high, from: both)?.format.frameRate == FrameRate(30))
    }

    @Test func `Of quick rates the one nearest to 30 is taken`() {
        let formats = [Self.mode(.nv12, 640, 480, 120), Self.mode(.nv12, 640, 480, 50), Self.mode(.nv12, 640, 480, 60)]
        #expect(CaptureSession.Preset.high.choose(from: formats)?.frameRate == FrameRate(50))
    }

    @Test func `JPEG is taken rather than H.264, which needs all frames before`() throws {
        let formats = [Self.mode(.h264, 640, 480, 30), Self.mode(.mjpeg, 640, 480, 30)]
        let choice = try #require(ModeChoice(.medium, from: formats))
        #expect(choice.format.pixelFormat == .mjpeg)
        #expect(choice.reason.hasSuffix("mjpeg at 30 costs the least to decode."))
    }
}
