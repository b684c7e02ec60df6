// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Glibc
import Obscura
import TestSupport
import Testing

/// Run as a user who is in no group; see `Tests/Lab/run-tests`.
@Suite("A user without the group video", .unprivilegedGuest)
struct UnprivilegedTests {
    @Test("He sees the camera and may not open it", arguments: [O_RDONLY, O_RDWR])
    func refused(flags: Int32) {
        #expect(access("/dev/video0", F_OK) == 0)
        let descriptor = open("/dev/video0", flags)
        let reason = errno
        if descriptor >= 0 { close(descriptor) }
        #expect(descriptor < 0)
        #expect(reason == EACCES)
    }

    @Test("He is told that he may not, and which group he lacks")
    func denied() throws {
        #expect(CaptureDevice.authorizationStatus(for: .video) == .denied)
        let device = try #require(CaptureDevice.default(for: .video))
        #expect(device.authorizationStatus == .denied)
        let error = #expect(throws: ObscuraError.self) { try CaptureDeviceInput(device: device) }
        #expect(error?.code == .notAuthorized)
        #expect(error?.remedy == .joinGroup("video"))
        let outcome = try Tool.spawn([
            Tool.product("obscura"), "extract", "camera", "--count", "1", "-o", "/tmp/frames/%d.jpg",
        ])
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains("usermod -aG video"), "\(outcome.errors)")
    }

    @Test("He asks in vain")
    func asking() async {
        #expect(await CaptureDevice.requestAccess(for: .video) == false)
    }
}
