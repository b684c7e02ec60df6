// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// What a command takes that was given no source: the machine's own device, else the built-in one, and says so.
enum DefaultSource {
    static func camera(unless given: String?) -> String {
        given ?? find(.video, "camera", builtIn: "pattern")
    }

    static func microphone(unless given: String?) -> String {
        given ?? find(.audio, "microphone", builtIn: "tone")
    }

    private static func find(_ mediaType: MediaType, _ kind: String, builtIn: String) -> String {
        if CaptureDevice.default(for: mediaType) != nil { return kind }
        Terminal.complain("this machine has no \(kind); the built-in \(builtIn) is used.")
        return builtIn
    }
}
