// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraMedia

/// When a movie of the built-in camera's pictures flashes and when it beeps, in seconds, as `ffmpeg` decodes it.
package struct FlashesAndBeeps {
    /// A flash and its beep.
    package struct Pair {
        /// When the first frame of the flash is shown.
        package let flash: Double
        /// The same if no frames were missing before it.
        package let earliest: Double
        package let beep: Double

        /// By how much the beep is before or after the flash, which may have begun in a missing frame.
        package var error: Double { max(earliest - beep, beep - flash) }
    }

    /// When the upper right corner of the picture becomes light, and when it may have become so.
    private let flashes: [(time: Double, earliest: Double)]
    /// When it becomes loud.
    private let beeps: [Double]

    /// Sound and pictures that are closer belong together.
    private static let farthest = 0.3
    private static let sampleRate = 8000

    package init(_ path: String) throws {
        flashes = try Self.flashes(path)
        beeps = try Self.beeps(path)
    }

    /// The flashes that have a beep; one that was cut off at an end of the movie has none.
    package var pairs: [Pair] {
        flashes.compactMap { time, earliest in
            beeps.min { abs($0 - time) < abs($1 - time) }
                .flatMap { abs($0 - time) < Self.farthest ? Pair(flash: time, earliest: earliest, beep: $0) : nil }
        }
    }

    private static func flashes(_ path: String) throws -> [(time: Double, earliest: Double)] {
        let times = try Probe(path).frames.compactMap { frame in frame.time?.seconds }
        // The flash is an eighth of the shorter side; a byte is left of each picture.
        let corner = "crop='min(iw,ih)/12':'min(iw,ih)/12':'iw-min(iw,ih)/10':'min(iw,ih)/50',scale=1:1:flags=area"
        let lights = try Tool.run(
            "ffmpeg",
            [
                "-v", "error", "-i", path, "-an", "-fps_mode", "passthrough", "-vf", corner, "-pix_fmt", "gray",
                "-f", "rawvideo", "-",
            ])
        guard lights.count == times.count else {
            throw Tool.Failure(description: "\(path) has \(times.count) pictures, and \(lights.count) are decoded")
        }
        let isLight = lights.map { $0 > 127 }
        let steps = zip(times, times.dropFirst()).map { $1 - $0 }.sorted()
        guard let step = steps.dropFirst(steps.count / 2).first else { return [] }
        return times.indices.dropFirst().compactMap { index in
            guard isLight[index], !isLight[index - 1] else { return nil }
            return (times[index], min(times[index], times[index - 1] + step))
        }
    }

    private static func beeps(_ path: String) throws -> [Double] {
        // Sound that begins later than the movie, or has a hole, has silence there, as in a player.
        let bytes = try Tool.run(
            "ffmpeg",
            [
                "-v", "error", "-i", path, "-vn", "-af", "aresample=\(sampleRate):async=1:first_pts=0,pan=mono|c0=c0",
                "-f", "f32le", "-",
            ])
        let samples = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        var (beeps, lastLoud): ([Double], Int) = ([], -sampleRate)
        for (index, sample) in samples.enumerated() where abs(sample) > 0.1 {
            if index - lastLoud > sampleRate / 2 { beeps.append(Double(index) / Double(sampleRate)) }
            lastLoud = index
        }
        // One that is under way at the beginning has begun before the movie.
        return beeps.filter { $0 > 0.05 }
    }
}

extension Tool {
    /// What `ffmpeg` complains of when it plays a movie; empty where it is content.
    package static func complaints(playing path: String) throws -> String {
        // Else ffmpeg puts the pictures on a grid of its own, and complains of two that fall on one place.
        let outcome = try spawn(["ffmpeg", "-v", "error", "-i", path, "-fps_mode", "vfr", "-f", "null", "-"])
        return outcome.code == 0 ? outcome.errors : "it ended with \(outcome.code): \(outcome.errors)"
    }
}
