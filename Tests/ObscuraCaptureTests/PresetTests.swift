// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraCapture
import ObscuraMedia
import TestSupport
import Testing

@Suite struct PresetTests {
    private typealias Preset = CaptureSession.Preset

    private static func mode(_ width: Int, _ height: Int, _ rate: Int32?) -> VideoFormat {
        VideoFormat(pixelFormat: .yuyv, width: width, height: height, frameRate: rate.map { FrameRate($0) })
    }

    /// A webcam's usual list, in no order.
    private static let webcam = [
        mode(1280, 720, 10), mode(1280, 720, 30), mode(640, 480, 30), mode(640, 480, 60), mode(1920, 1080, 5),
        mode(160, 120, 30), mode(320, 240, 30), mode(3840, 2160, 1), mode(480, 320, 25),
    ]

    @Test(
        arguments: [
            (.low, mode(320, 240, 30)), (.medium, mode(480, 320, 25)), (.high, mode(1280, 720, 30)),
            (.photo, mode(3840, 2160, 1)), (.vga640x480, mode(640, 480, 30)), (.hd1280x720, mode(1280, 720, 30)),
            (.hd1920x1080, mode(1920, 1080, 5)), (.hd4K3840x2160, mode(3840, 2160, 1)),
            (.inputPriority, mode(1280, 720, 10)),
        ] as [(CaptureSession.Preset, VideoFormat)])
    func `Each preset takes the best of a webcam's modes`(preset: CaptureSession.Preset, expected: VideoFormat) {
        #expect(preset.choose(from: Self.webcam) == expected)
    }

    @Test(arguments: Preset.allCases) func `Of no modes none is taken`(preset: CaptureSession.Preset) {
        #expect(preset.choose(from: []) == nil)
    }

    @Test func `A size that is not there is not replaced by another`() {
        let modes = [Self.mode(640, 480, 30)]
        #expect(Preset.hd1280x720.choose(from: modes) == nil)
        #expect(Preset.high.choose(from: modes) == modes[0])
    }

    @Test func `A camera that is slow in all modes gives its quickest for high, a tiny one its smallest for low`() {
        let slow = [Self.mode(1920, 1080, 5), Self.mode(640, 480, 15), Self.mode(320, 240, 10)]
        #expect(Preset.high.choose(from: slow) == slow[1])
        let tiny = [Self.mode(128, 96, 30), Self.mode(64, 48, 30)]
        #expect(Preset.low.choose(from: tiny) == tiny[1])
        #expect(Preset.high.choose(from: [Self.mode(640, 480, nil)]) == Self.mode(640, 480, nil))
    }

    @Test(.hangLimit) func `A preset chooses the mode in which each camera really runs`() async throws {
        let camera = HandCamera(formats: Self.webcam)
        let single = HandCamera("single", formats: [Self.mode(160, 120, 15)])
        let session = CaptureSession()
        let inputs = [try CaptureDeviceInput(device: camera.device), try CaptureDeviceInput(device: single.device)]
        try await session.configure {
            for input in inputs { try $0.addInput(input) }
            $0.preset = .vga640x480
        }
        try await session.start()
        #expect(session.activeFormat(of: inputs[0]) == Self.mode(640, 480, 30))
        // A source with one mode keeps it.
        #expect(session.activeFormat(of: inputs[1]) == Self.mode(160, 120, 15))
        try await session.configure { $0.preset = .photo }
        #expect(session.activeFormat(of: inputs[0]) == Self.mode(3840, 2160, 1))
        #expect(single.runs.count == 1)
        try await session.configure { try $0.setFormat(Self.mode(320, 240, 30), for: inputs[0]) }
        #expect(session.activeFormat(of: inputs[0]) == Self.mode(320, 240, 30))
        await session.stop()
        #expect(session.activeFormat(of: inputs[0]) == nil)

        let small = HandCamera("small", formats: [Self.mode(320, 240, 30), Self.mode(640, 480, 30)])
        let refusal = await #expect(throws: ObscuraError.self) {
            try await session.configure {
                for input in inputs { $0.removeInput(input) }
                try $0.addInput(CaptureDeviceInput(device: small.device))
                $0.preset = .hd1920x1080
            }
        }
        #expect(refusal?.code == .unsupportedFormat)
        #expect(refusal?.advice?.contains("640x480") == true)
        #expect(session.inputs == inputs)
    }
}
