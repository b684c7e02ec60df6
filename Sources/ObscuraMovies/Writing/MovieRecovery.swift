// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import FoundationEssentials
internal import Glibc

/// Makes ordinary movies of the partial files that a crash or a power cut has left.
///
/// While `movie.mp4` is recorded, it is `movie.recording.mp4`, which plays; recovering it copies its packets, without
/// encoding anything anew, into an ordinary file of its own name, and only then takes the partial one away.
public enum MovieRecovery {
    /// What became of a partial file.
    public struct Outcome: Sendable, Hashable {
        /// The partial file.
        public let source: String
        /// The movie that was made of it, or why none was.
        public let result: Result<MovieContents, RecordingError>
    }

    /// Recovers a partial file, and takes it away. Blocks for as long as copying it takes.
    ///
    /// - Parameters:
    ///   - path: of the partial file.
    ///   - target: of the movie; nil takes the name under which it was recorded.
    ///   - overwrites: whether a file of that name may be replaced.
    /// - Throws: ``RecordingError``: `stillRecording`, `notRecoverable`, `fileExists`, `diskFull`, `notWritable`. The
    ///   partial file is then left as it is.
    @discardableResult
    public static func recover(
        _ path: String, to target: String? = nil, overwrites: Bool = false
    ) throws(RecordingError) -> MovieContents {
        guard let target = target ?? RecordingPath(partial: path)?.target else {
            throw RecordingError(
                .notRecoverable, subject: path, reason: "it has not the name of a partial file (NAME.recording.mp4)",
                advice: "If it is one nevertheless, say how the movie shall be called (--output).")
        }
        guard let container = MovieContainer(path: target) else {
            throw .invalidSettings(target, "its name does not say what kind of movie it is")
        }
        let lock = open(path, O_RDONLY | O_CLOEXEC)
        guard lock >= 0 else {
            let words = String(cString: strerror(errno)).lowercased()
            throw RecordingError(
                .notRecoverable, subject: path, reason: "it cannot be opened: \(words)", errno: errno)
        }
        defer { close(lock) }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
            throw RecordingError(
                .stillRecording, subject: path, reason: "it is being recorded at this moment",
                advice: "End the recording; it then becomes an ordinary file by itself.")
        }
        if !overwrites, RecordingPath.isTaken(target) { throw .fileExists(target) }
        let draft = RecordingPath(target).finishing
        _ = try MovieRemuxer.rewrite(path, as: draft, container: container)
        do throws(RecordingError) {
            try RecordingPath.give(target, to: draft, overwrites: overwrites)
        } catch {
            unlink(draft)
            throw error
        }
        if !isSame(path, target) { unlink(path) }
        do throws(MovieError) {
            return try MovieContents.read(target)
        } catch {
            throw RecordingError(.notRecoverable, subject: target, reason: error.reason)
        }
    }

    /// Recovers all partial files of a folder, but not of those in it.
    ///
    /// - Returns: what became of each, by name; empty if there is none.
    /// - Throws: ``RecordingError/Code/notRecoverable`` if the folder cannot be read.
    public static func recover(
        folder: String, overwrites: Bool = false
    ) throws(RecordingError) -> [Outcome] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw RecordingError(.notRecoverable, subject: folder, reason: "the folder cannot be read")
        }
        let base = folder.hasSuffix("/") ? folder : folder + "/"
        return names.sorted().map { base + $0 }
            .filter { RecordingPath(partial: $0) != nil && MovieContainer(path: $0) != nil }
            .map { path in
                do throws(RecordingError) {
                    return Outcome(source: path, result: .success(try recover(path, overwrites: overwrites)))
                } catch {
                    return Outcome(source: path, result: .failure(error))
                }
            }
    }

    private static func isSame(_ path: String, _ other: String) -> Bool {
        var (first, second) = (stat(), stat())
        return stat(path, &first) == 0 && stat(other, &second) == 0 && first.st_ino == second.st_ino
            && first.st_dev == second.st_dev
    }
}
