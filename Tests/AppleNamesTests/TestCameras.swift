// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Glibc

/// The cameras of the tests, which are those of `OBSCURA_CAMERAS`: read once, when a test first looks for a device.
enum TestCameras {
    static let front = (width: 640, height: 480)
    static let back = (width: 320, height: 240)

    /// Sets the variables; to be called before a device is looked for.
    static let prepare: Void = {
        setenv("OBSCURA_CAMERAS", "front=pattern:640x480@30;back=pattern:320x240@30;back=pattern:160x120@60", 1)
        setenv("OBSCURA_MICROPHONES", "tone:440@-6", 1)
    }()
}
