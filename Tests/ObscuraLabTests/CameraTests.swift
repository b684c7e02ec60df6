// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Glibc
import Obscura
import Testing

@Suite("A camera of the kernel", .enabled(if: access("/dev/video0", F_OK) == 0, "there is no camera"))
struct CameraTests {
    @Test("It is listed")
    func listed() {
        #expect(!CaptureDevice.DiscoverySession().devices.isEmpty)
    }
}
