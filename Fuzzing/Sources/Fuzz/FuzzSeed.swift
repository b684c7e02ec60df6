// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation

/// A valid input, with which fuzzing of a parser starts.
struct FuzzSeed: Sendable {
    private let make: @Sendable () throws -> [UInt8]

    static func text(_ text: String) -> FuzzSeed { .bytes(Array(text.utf8)) }

    static func bytes(_ bytes: [UInt8]) -> FuzzSeed { FuzzSeed { bytes } }

    /// Half a second of a small movie with sound.
    static func movie(_ suffix: String, _ options: String...) -> FuzzSeed {
        FuzzSeed {
            try encoded(
                suffix,
                ["-i", "testsrc=size=64x48:rate=10:duration=0.5", "-f", "lavfi", "-i", "sine=duration=0.5"] + options)
        }
    }

    static func picture(_ suffix: String) -> FuzzSeed {
        FuzzSeed { try encoded(suffix, ["-i", "testsrc=size=64x48", "-frames:v", "1"]) }
    }

    /// Returns the input; needs `ffmpeg` for movies and pictures.
    func bytes() throws -> [UInt8] { try make() }

    private static func encoded(_ suffix: String, _ options: [String]) throws -> [UInt8] {
        let file = FileManager.default.temporaryDirectory.appending(path: "obscura-fuzz-\(UUID()).\(suffix)")
        defer { try? FileManager.default.removeItem(at: file) }
        // Not `Process` of Foundation, which loses memory: the address sanitizer would report it.
        let words = ["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi"] + options + [file.path]
        let ffmpeg = popen(words.map { "'\($0)'" }.joined(separator: " "), "r")
        if let ffmpeg { pclose(ffmpeg) }
        return try [UInt8](Data(contentsOf: file))
    }
}
