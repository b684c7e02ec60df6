// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import Foundation
import Glibc
import ObscuraBase
import ObscuraMedia

/// Small movies, made by `ffmpeg` when a test first asks for them, in a folder that goes with the process.
package enum TestMovies {
    /// Where all files of this run lie.
    package static let folder: URL = {
        let folder = FileManager.default.temporaryDirectory.appending(path: "obscura-movies-\(getpid())")
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(at: TestMovies.folder) }
        return folder
    }()

    private static let made = Lock<Set<String>>([])

    /// The path of the movie `name`, made by `ffmpeg` with the arguments if it is not there yet.
    package static func path(_ name: String, _ arguments: [String]) throws -> String {
        let path = folder.appending(path: name).path
        try made.withLock { made in
            guard !made.contains(name) else { return }
            try Tool.run("ffmpeg", ["-v", "error", "-y"] + arguments + [path])
            made.insert(name)
        }
        return path
    }

    /// A new file with these bytes.
    package static func file(_ name: String, _ bytes: Data) throws -> String {
        let path = folder.appending(path: name)
        try bytes.write(to: path)
        return path.path
    }

    /// The first part of the file at `path`.
    package static func cut(_ path: String, to fraction: Double) throws -> String {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        let name = "cut-\(Int(fraction * 1000))-\(URL(fileURLWithPath: path).lastPathComponent)"
        return try file(name, data.prefix(Int(Double(data.count) * fraction)))
    }

    package static func source(_ size: String = "160x90", rate: String = "25", seconds: String = "2") -> [String] {
        ["-f", "lavfi", "-i", "testsrc2=s=\(size):r=\(rate):d=\(seconds)"]
    }

    /// 50 frames of H.264 with B-frames and a key frame at each 12th, and sound; the index in front.
    package static func h264(_ name: String = "plain.mp4") throws -> String {
        try path(
            name,
            source() + [
                "-f", "lavfi", "-i", "sine=d=2", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-bf", "3", "-g", "12",
                "-c:a", "aac", "-movflags", "+faststart",
            ])
    }

    /// The pictures of ``h264(_:)`` in another container.
    package static func h264(in container: String) throws -> String {
        try path("plain.\(container)", ["-i", try h264(), "-map", "0:v", "-c", "copy"])
    }
}
