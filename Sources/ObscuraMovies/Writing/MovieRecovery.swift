// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import FoundationEssentials
internal import Glibc
internal import ObscuraBase
internal import ObscuraFFmpeg
public import ObscuraMedia

/// The recovery of movies from the partial files that remain after a crash or a power loss.
///
/// While `movie.mp4` is recorded, it is written to `movie.recording.mp4`, which is playable. Recovery copies the
/// packets of this partial file, without re-encoding, to an unfragmented file under the final name. The partial file is
/// deleted only if all complete data is in the movie; damaged files are kept for other recovery tools.
public enum MovieRecovery {
    /// A movie recovered from a partial file.
    public struct Recovery: Sendable, Hashable {
        /// The path of the partial file.
        public let source: String
        /// The recovered movie.
        public let movie: MovieContents
        /// Whether the partial file still exists, because another name was chosen for the movie, because some data could
        /// not be read, or because the file system has no locks, so that it may still be recorded.
        public let isSourceKept: Bool
        /// The damaged data, which is missing in the recovered movie; nil if nothing was damaged. The last fragment, which
        /// the crash truncated, does not count as damaged.
        public let loss: Loss?
    }

    /// The data of a damaged file that could not be read.
    public struct Loss: Sendable, Hashable {
        /// The time in the movie up to which all data was read. After this time, frames or audio can be missing.
        public let time: MediaTime
        /// Number of unreadable bytes after ``time``; nil for an unfragmented file, where this number is unknown.
        public let byteCount: Int64?
    }

    /// The result of recovering a partial file.
    public struct Outcome: Sendable, Hashable {
        /// The path of the partial file.
        public let source: String
        /// The recovered movie, or the reason why recovery failed.
        public let result: Result<Recovery, ObscuraError>
    }

    /// Recovers a partial file. Blocks the thread while the data is copied.
    ///
    /// - Parameters:
    ///   - path: path of the partial file.
    ///   - target: path of the movie; nil uses the name under which the movie was recorded. The partial file is
    ///     deleted only if `target` is nil, the file could be locked and all complete data was read.
    ///   - overwrites: whether an existing file at the path of the movie is replaced. The partial file itself is never
    ///     replaced.
    /// - Throws: ``ObscuraError``: `stillRecording`, `notRecoverable`, `invalidSettings` (unknown extension),
    /// `fileExists`, `diskFull`, `notWritable`, `libraryMissing`. The partial file remains unchanged after an error, with one exception:
    /// if `target` is nil, a partial file without recorded data is deleted.
    @discardableResult
    public static func recover(
        _ path: String, to target: String? = nil, overwrites: Bool = false
    ) throws(ObscuraError) -> Recovery {
        try FFmpegLibrary.load()
        let isNamed = target != nil
        guard let target = target ?? RecordingPath(partial: path)?.target else {
            guard FileStatus.exists(path) else { throw .noFile(path) }
            throw ObscuraError(
                .recording, .notRecoverable, subject: path,
                reason: "the file name is not that of a partial file, such as NAME.recording.mp4",
                remedy: .nameMovie)
        }
        guard let container = MovieContainer(path: target) else {
            throw .invalidSettings(
                .recording, target, "the file name has no known movie extension", "Use .mp4, .mov or .mkv.")
        }
        let (file, isLocked) = try openLocked(path)
        defer { withExtendedLifetime(file) {} }
        if isSame(path, target) {
            throw ObscuraError(
                .recording, .fileExists, subject: target,
                reason: "the recovered movie would replace its own partial file",
                advice: "Choose another name.")
        }
        if !overwrites, FileStatus.exists(target) { throw .fileExists(target) }
        // Where files cannot be locked, the recording may have only just started.
        let mustStay = isNamed || !isLocked
        let extent: RecordingExtent
        do throws(ObscuraError) {
            extent = try self.extent(of: path)
        } catch {
            throw isEmpty(path) ? nothingRecorded(in: path, isKept: mustStay) : error
        }
        let copy: MovieRemuxer.Copy
        do throws(ObscuraError) {
            try RecordingPath(target).makeFolder()
            copy = try MovieRemuxer.rewrite(
                path, to: target, overwrites: overwrites, container: container, extent: extent)
        } catch {
            guard error.code == .notRecoverable, extent.payload == 0 else { throw error }
            throw extent.isEmpty ? nothingRecorded(in: path, isKept: mustStay) : .nothingRecorded(path)
        }
        let loss = loss(extent, copy)
        let isKept = mustStay || loss != nil
        if !isKept { unlink(path) }
        do throws(ObscuraError) {
            let input = try MovieLocation.file(path: target).open(
                MovieReadingOptions(), control: ReadControl(), log: FFmpegLog(), indexCap: SampleTables.recordingCap)
            return Recovery(source: path, movie: MovieContents(input), isSourceKept: isKept, loss: loss)
        } catch {
            throw ObscuraError(.recording, .notRecoverable, subject: target, reason: error.reason)
        }
    }

    /// Deletes a partial file without data, which is useless and blocks the next recording.
    private static func nothingRecorded(in path: String, isKept: Bool) -> ObscuraError {
        guard !isKept, unlink(path) == 0 else { return .nothingRecorded(path) }
        return ObscuraError(
            .recording, .notRecoverable, subject: path, reason: "nothing was recorded in it, and the file was deleted")
    }

    /// Opens and locks a partial file.
    ///
    /// - Returns: the file, and whether it could be locked: some file systems have no locks.
    private static func openLocked(_ path: String) throws(ObscuraError) -> (FileDescriptor, isLocked: Bool) {
        let file: FileDescriptor
        do {
            // Non-blocking, since a pipe without a writer would block.
            file = try FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK)
        } catch {
            guard error.number != ENOENT else { throw .noFile(path) }
            throw ObscuraError(
                .recording, .notRecoverable, subject: path, reason: "it cannot be opened: \(error.reason)",
                errno: error.number)
        }
        do {
            return (try file.locked(), true)
        } catch {
            guard error.number == EWOULDBLOCK else { return (file, false) }
            throw ObscuraError(
                .recording, .stillRecording, subject: path, reason: "it is still being recorded",
                advice: "Stop the recording; the movie is then completed automatically.")
        }
    }

    private static func isEmpty(_ path: String) -> Bool {
        guard let status = try? FileStatus(path: path) else { return false }
        return status.kind == .regular && status.size == 0
    }

    private static func extent(of path: String) throws(ObscuraError) -> RecordingExtent {
        do throws(ObscuraError) {
            let bytes = try FileBytes(path: path, control: ReadControl())
            return RecordingExtent(size: bytes.size ?? 0) { bytes.bytes(at: $0, count: $1) }
        } catch {
            throw ObscuraError(.recording, .notRecoverable, subject: path, reason: error.reason, errno: error.errno)
        }
    }

    /// Returns the data that is in the file but not in its copy.
    private static func loss(_ extent: RecordingExtent, _ copy: MovieRemuxer.Copy) -> Loss? {
        guard let payload = extent.payload else {
            return extent.isTailUnfinished && !copy.isBrokenOff ? nil : Loss(time: copy.end, byteCount: nil)
        }
        let unread = max(0, payload - copy.payload)
        if extent.isTailUnfinished, unread == 0 { return nil }
        return Loss(time: copy.end, byteCount: unread + extent.size - extent.whole)
    }

    /// Recovers all partial files in a folder, excluding subfolders.
    ///
    /// - Returns: the result for each file, sorted by name; empty if the folder has no partial files.
    /// - Throws: ``ObscuraError/Code/notRecoverable`` if the folder cannot be read.
    public static func recover(
        folder: String, overwrites: Bool = false
    ) throws(ObscuraError) -> [Outcome] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw ObscuraError(.recording, .notRecoverable, subject: folder, reason: "the folder cannot be read")
        }
        let base = folder.hasSuffix("/") ? folder : folder + "/"
        return names.sorted().map { base + $0 }
            .filter { RecordingPath(partial: $0) != nil && MovieContainer(path: $0) != nil }
            .map { path in
                do throws(ObscuraError) {
                    return Outcome(source: path, result: .success(try recover(path, overwrites: overwrites)))
                } catch {
                    return Outcome(source: path, result: .failure(error))
                }
            }
    }

    private static func isSame(_ path: String, _ other: String) -> Bool {
        guard let status = try? FileStatus(path: path), let other = try? FileStatus(path: other) else { return false }
        return status.isOfSameFile(as: other)
    }
}
