// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase
internal import ObscuraFFmpeg
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
    private var folder: String {
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
        try ObscuraError.writing(target) { () throws(SystemError) in try OpenFolder.make(PathParts(target).folder) }
    }

    /// Throws if the temporary names would be too long, which would otherwise be noticed only at the end.
    package func checkLength() throws(ObscuraError) {
        let added = ".\(name).finishing".utf8.count - name.utf8.count
        guard name.utf8.count + added > Int(NAME_MAX) else { return }
        throw ObscuraError(
            .recording, .notWritable, subject: target,
            reason: "the file name is too long: \(name.utf8.count) bytes, plus \(added) that are added during the "
                + "recording, exceed the limit of \(NAME_MAX)",
            advice: "Use a name of at most \(Int(NAME_MAX) - added) bytes.", errno: ENAMETOOLONG)
    }

    /// Throws if the path is a folder, which a file cannot replace.
    package static func checkIsNoFolder(_ path: String) throws(ObscuraError) {
        guard (try? FileStatus(path: path))?.kind == .folder else { return }
        throw ObscuraError(SystemError(EISDIR), writing: path)
    }
}

// The partial file is locked (flock(2)) while it is open, so that no other process recovers a running recording. An
// unlocked one without frames is the leftover of a killed process, and is replaced.
extension RecordingPath {
    /// Creates the partial file.
    ///
    /// - Throws: ``ObscuraError/Code/fileExists`` if it is in use, or has frames.
    func createPartial() throws(ObscuraError) -> OutputBytes {
        let parts = PathParts(partial)
        let file = try ObscuraError.writing(partial) { () throws(SystemError) in
            try OpenFolder(path: parts.folder).createLocked(parts.name, replacing: RecordingExtent.isEmpty)
        }
        return try OutputBytes(path: partial, file: file)
    }

    /// Whether the partial file does not exist, or can be replaced.
    var canCreatePartial: Bool {
        let parts = PathParts(partial)
        guard let folder = try? OpenFolder(path: parts.folder) else { return true }
        return folder.canCreateLocked(parts.name, replacing: RecordingExtent.isEmpty)
    }

    /// Renames the partial file durably: after a power loss either the movie or the partial file exists.
    ///
    /// - Throws: ``ObscuraError/Code/fileExists`` if the name is taken and must not be overwritten.
    func renamePartial(overwrites: Bool) throws(ObscuraError) {
        let parts = PathParts(target)
        try ObscuraError.writing(target) { () throws(SystemError) in
            try OpenFolder(path: parts.folder).rename(
                PathParts(partial).name, to: parts.name, overwrites: overwrites, isSynced: true)
        }
    }
}

extension RecordingExtent {
    /// Whether an open file has no frames.
    static func isEmpty(_ file: FileDescriptor) -> Bool {
        guard let size = (try? FileStatus(of: file))?.size else { return false }
        return RecordingExtent(size: size) { (try? file.read(at: $0, count: $1)) ?? [] }.isEmpty
    }
}
