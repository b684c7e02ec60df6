// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraCapture
import ObscuraMedia
import Testing

@testable import ObscuraDevices

@Suite("A video node")
struct V4L2DeviceTests {
    @Test("A node that does not exist is no such device")
    func missing() {
        let error = #expect(throws: ObscuraError.self) { try V4L2Device(path: "/dev/video-that-is-not-there") }
        #expect(error?.code == .noSuchDevice)
    }

    @Test("A device that is no camera says so")
    func otherDevice() {
        let error = #expect(throws: ObscuraError.self) { try V4L2Device(path: "/dev/null") }
        #expect(error?.code == .noSuchDevice)
        #expect(error?.reason == "it is not a video device")
    }

    private static let capture: UInt32 = 0x1
    private static let captureMultiPlanar: UInt32 = 0x1000
    private static let converter: UInt32 = 0x8000
    private static let pipeline: UInt32 = 0x2000_0000

    private func kind(_ flags: UInt32, _ fourCCs: [FourCC]) -> NodeDescription.Kind {
        NodeDescription.Kind(V4L2Capabilities(driver: "d", card: "c", bus: "b", flags: flags), fourCCs: fourCCs)
    }

    @Test("A node of a pipeline that must be set up is a raw sensor's, whatever it lists")
    func pipelineNode() {
        for flags in [Self.capture, Self.captureMultiPlanar] {
            #expect(kind(flags | Self.pipeline, [FourCC("NV12"), FourCC("BA81")]) == .rawSensor)
            #expect(kind(flags, [FourCC("NV12"), FourCC("BA81")]) == .camera)
        }
        #expect(kind(Self.pipeline, []) == .other)
        #expect(kind(Self.capture | Self.converter, [FourCC("NV12")]) == .other)
    }

    @Test("What a node says of itself is one line without control characters")
    func words() {
        let capabilities = V4L2Capabilities(
            driver: "uvc\nvideo", card: "\u{1b}[31mCam\u{7}\t2\r\n", bus: "usb\u{2028}1", flags: 1)
        #expect(capabilities.card == "[31mCam 2")
        #expect(capabilities.driver == "uvc video" && capabilities.bus == "usb 1")
    }

    @Test("A node none of whose layouts is known is no camera, one that lists none yet is one")
    func layouts() {
        #expect(kind(Self.capture, [FourCC("BG10"), FourCC("pBAA")]) == .unknownLayouts(["BG10", "pBAA"]))
        #expect(kind(Self.capture, []) == .camera)
    }
}
