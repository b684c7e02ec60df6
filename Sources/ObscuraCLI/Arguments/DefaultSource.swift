// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The default source of a command: a device of the system, else the built-in one with a note on standard
/// error.
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
