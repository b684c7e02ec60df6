// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Glibc
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
}
