// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraCapture
import Testing

@testable import ObscuraDevices

@Suite("A video node")
struct V4L2DeviceTests {
    @Test("A node that does not exist is no such device")
    func missing() {
        let error = #expect(throws: CaptureError.self) { try V4L2Device(path: "/dev/video-that-is-not-there") }
        #expect(error?.code == .noSuchDevice)
    }

    @Test("A device that is no camera says so")
    func otherDevice() {
        let error = #expect(throws: CaptureError.self) { try V4L2Device(path: "/dev/null") }
        #expect(error?.code == .noSuchDevice)
        #expect(error?.reason == "it is not a video device")
    }
}
