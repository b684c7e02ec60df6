// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
package import ObscuraMedia

/// The names under which a movie grows.
///
/// While it is recorded, `movie.mp4` is `movie.recording.mp4`, which plays; when it ends, it is rewritten as
/// `.movie.mp4.finishing`, which then gets the name. A file of the movie's own name is always whole.
package struct RecordingPath: Sendable, Hashable {
    package let target: String

    private static let mark = ".recording"

    /// Where it grows.
    package var partial: String { "\(folder)\(stem)\(Self.mark)\(suffix)" }
    /// Where it is rewritten.
    package var finishing: String { "\(folder).\(stem)\(suffix).finishing" }

    package init(_ target: String) {
        self.target = target
    }

    /// The movie of which `path` is the part; nil for another name.
    package init?(partial path: String) {
        let parts = RecordingPath(path)
        guard parts.stem.hasSuffix(Self.mark), parts.stem.count > Self.mark.count else { return nil }
        target = parts.folder + parts.stem.dropLast(Self.mark.count) + parts.suffix
    }

    /// With its slash; empty for the present one.
    package var folder: String {
        target.lastIndex(of: "/").map { String(target[...$0]) } ?? ""
    }

    private var name: Substring {
        target.lastIndex(of: "/").map { target[target.index(after: $0)...] } ?? target[...]
    }

    private var stem: String { String(dot.map { name[..<$0] } ?? name) }
    private var suffix: String { String(dot.map { name[$0...] } ?? "") }

    private var dot: String.Index? {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        return dot
    }

    /// Makes the folder of the movie, and those above it, where they are missing.
    package func makeFolder() throws(ObscuraError) {
        let folder = self.folder
        guard !folder.isEmpty else { return }
        do throws(ObscuraError) {
            try OutputFile.makeFolder(folder)
        } catch {
            guard let number = error.errno else {
                throw error.about(target)
            }
            throw ObscuraError(system: number, path: target)
        }
    }

    /// Refuses a name that is too long while the movie grows: that would be noticed only at its end.
    package func checkLength() throws(ObscuraError) {
        let added = ".\(name).finishing".utf8.count - name.utf8.count
        guard name.utf8.count + added > Int(NAME_MAX) else { return }
        throw ObscuraError(
            .recording, .notWritable, subject: target,
            reason: "its name has \(name.utf8.count) bytes; \(added) more are needed while it is recorded, and a file "
                + "system takes \(NAME_MAX)",
            advice: "Give a name of at most \(Int(NAME_MAX) - added) bytes.", errno: ENAMETOOLONG)
    }

    /// Whether something has this name.
    package static func isTaken(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Refuses a name that a folder has: no file takes its place.
    package static func checkIsNoFolder(_ path: String) throws(ObscuraError) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return }
        throw ObscuraError(system: EISDIR, path: path)
    }

    /// Gives the file at `draft` its name, for good: after a power cut it is there, or the draft is. Without
    /// `overwrites` it takes nobody else's.
    package static func give(_ name: String, to draft: String, overwrites: Bool) throws(ObscuraError) {
        var status = -1 as Int32
        if overwrites {
            status = rename(draft, name)
        } else if link(draft, name) == 0 {
            unlink(draft)
            status = 0
        } else if errno != EEXIST {
            // No hard links here (FAT, some network file systems): look first.
            guard !isTaken(name) else { throw .fileExists(name) }
            status = rename(draft, name)
        }
        guard status == 0 else { throw ObscuraError(system: errno, path: name) }
        let folder = RecordingPath(name).folder
        let descriptor = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor >= 0 {
            fsync(descriptor)
            close(descriptor)
        }
    }
}
