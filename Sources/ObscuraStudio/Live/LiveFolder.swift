// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Foundation
internal import Glibc

/// The folder of the segments: a new one, for this user alone.
struct LiveFolder: Sendable {
    /// So much memory must be free for segments to lie there: some hundred of them.
    private static let room: UInt64 = 256 << 20

    let path: String
    let directory: MediaDirectory

    /// Makes the folder.
    ///
    /// - Throws: ``StudioError/Code/unusableFolder``, also if anything has this name.
    init(path: String) throws(StudioError) {
        // At once with its rights: nobody gets in between.
        guard mkdir(path, 0o700) == 0 else {
            throw StudioError(
                .unusableFolder, subject: path, reason: String(cString: strerror(errno)).lowercased(),
                advice: "Set TMPDIR to a folder in which this user may make others.")
        }
        self.path = path
        directory = try MediaDirectory(path: path, freeSpaceFloor: 0)
    }

    /// Takes the folder away, with all that is in it.
    func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of a folder that is not there yet: in memory if there is room, else among the temporary files.
    static func freshPath() -> String {
        let shared = "/dev/shm"
        let isRoomy = freeBytes(at: shared) >= room && access(shared, W_OK | X_OK) == 0
        let parent = isRoomy ? shared : FileManager.default.temporaryDirectory.path
        return "\(parent)/obscura-hls-\(UUID().uuidString.lowercased())"
    }

    /// Bytes that are free for this user.
    private static func freeBytes(at path: String) -> UInt64 {
        var facts = statvfs()
        return statvfs(path, &facts) == 0 ? UInt64(facts.f_bavail) * UInt64(facts.f_frsize) : 0
    }
}
