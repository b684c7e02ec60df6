// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Glibc
import ObscuraCapture
import ObscuraMedia
import Testing

@testable import ObscuraDevices

@Suite("What the kernel's error numbers are told as")
struct SystemErrorTests {
    @Test(
        "A failure that says little by itself comes with advice",
        arguments: [
            (ENOSPC, "another port"), (EPIPE, "media pipeline"), (ENOLINK, "media pipeline"), (EPROTO, "cable"),
            (ETIMEDOUT, "cable"), (EIO, "cable"), (ENOMEM, "smaller size"), (EMFILE, "open files"),
            (ECONNREFUSED, "sound server"),
        ])
    func advice(status: Int32, words: String) {
        let error = ObscuraError.system(status, "/dev/video0", "it does not start")
        #expect(error.code == .deviceFailed && error.errno == status)
        #expect(error.reason.hasPrefix("it does not start: "))
        #expect(error.advice?.contains(words) == true)
        #expect(error.advice?.hasSuffix(".") == true)
    }

    @Test("Where nothing is known, nothing is advised")
    func unknown() {
        #expect(ObscuraError.system(EINVAL, "/dev/video0", "it does not start").advice == nil)
    }
}
