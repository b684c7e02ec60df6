// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
package import ObscuraMedia

/// The temporary names of a growing movie.
///
/// `movie.mp4` is recorded to `movie.recording.mp4`, which is playable. At the end it is rewritten to
/// `.movie.mp4.finishing`, which is then renamed. A file with the movie's final name is always complete.
package struct RecordingPath: Sendable, Hashable {
    package let target: String

    private static let mark = ".recording"

    /// The path of the growing file.
    package var partial: String { "\(folder)\(stem)\(Self.mark)\(suffix)" }
    /// The path of the rewritten file.
    package var finishing: String { "\(folder).\(stem)\(suffix).finishing" }

    package init(_ target: String) {
        self.target = target
    }

    /// The movie to which the partial file `path` belongs; nil for other names.
    package init?(partial path: String) {
        let parts = RecordingPath(path)
        guard parts.stem.hasSuffix(Self.mark), parts.stem.count > Self.mark.count else { return nil }
        target = parts.folder + parts.stem.dropLast(Self.mark.count) + parts.suffix
    }

    /// The folder, with a trailing slash; empty for the current folder.
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

    /// Creates the folder of the movie, and missing parent folders.
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

    /// Throws if the temporary names would be too long, which would otherwise be noticed only at the end.
    package func checkLength() throws(ObscuraError) {
        let added = ".\(name).finishing".utf8.count - name.utf8.count
        guard name.utf8.count + added > Int(NAME_MAX) else { return }
        throw ObscuraError(
            .recording, .notWritable, subject: target,
            reason: "its name has \(name.utf8.count) bytes; \(added) more are needed while it is recorded, and a file "
                + "system takes \(NAME_MAX)",
            advice: "Give a name of at most \(Int(NAME_MAX) - added) bytes.", errno: ENAMETOOLONG)
    }

    /// Whether a file or folder of this name exists.
    package static func isTaken(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Throws if the path is a folder, which a file cannot replace.
    package static func checkIsNoFolder(_ path: String) throws(ObscuraError) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return }
        throw ObscuraError(system: EISDIR, path: path)
    }

    /// Renames durably: after a power loss either the file or the draft exists. Without `overwrites`, existing files
    /// are not replaced.
    package static func give(_ name: String, to draft: String, overwrites: Bool) throws(ObscuraError) {
        var status = -1 as Int32
        if overwrites {
            status = rename(draft, name)
        } else if link(draft, name) == 0 {
            unlink(draft)
            status = 0
        } else if errno != EEXIST {
            // Hard links are not supported here (FAT, some network file systems): check for the file first.
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
