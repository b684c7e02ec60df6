// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import TestSupport

/// Files of sound, and films with it. What sounds is noise: no two stretches of it are the same.
enum SoundFiles {
    static func noise(
        _ seconds: String = "3", rate: Int = 48_000, channels: String = "stereo"
    ) -> [String] {
        // Each channel is louder than the one before, so that none can be taken for another.
        let count = ["mono": 1, "stereo": 2, "5.1": 6][channels] ?? 1
        let expressions = (0..<count).map { "(random(\($0))-0.5)*0.\($0 + 2)" }.joined(separator: "|")
        return ["-f", "lavfi", "-i", "aevalsrc=\(expressions):s=\(rate):c=\(channels):d=\(seconds)"]
    }

    /// A film of 3 s with 75 pictures and the sound of the codec.
    static func film(_ name: String = "noise.mp4", _ codec: [String] = ["-c:a", "aac"]) throws -> String {
        try TestMovies.path(
            name,
            TestMovies.source(seconds: "3") + noise() + [
                "-c:v", name.hasSuffix("webm") ? "libvpx" : "libx264", "-pix_fmt", "yuv420p", "-g", "12",
            ] + codec)
    }

    static func sound(_ name: String, _ codec: [String], _ noise: [String] = noise()) throws -> String {
        try TestMovies.path(name, noise + codec)
    }
}
