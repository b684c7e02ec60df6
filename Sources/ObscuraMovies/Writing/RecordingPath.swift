// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase
internal import ObscuraFFmpeg
package import ObscuraMedia

/// The paths of a movie while it is recorded.
///
/// `movie.mp4` is recorded as `movie.recording.mp4`, which plays; at the end it is rewritten as `.movie.mp4.finishing`,
/// which is then renamed. A file of the movie's own name is always complete.
package struct RecordingPath: Sendable, Hashable {
    package let target: String

    private static let mark = ".recording"

    /// The file that is recorded.
    package var partial: String { "\(folder)\(stem)\(Self.mark)\(suffix)" }
    /// The file that is rewritten.
    package var finishing: String { "\(folder).\(stem)\(suffix).finishing" }

    package init(_ target: String) {
        self.target = target
    }

    /// The movie of the partial file `path`; nil for other names.
    package init?(partial path: String) {
        let parts = RecordingPath(path)
        guard parts.stem.hasSuffix(Self.mark), parts.stem.count > Self.mark.count else { return nil }
        target = parts.folder + parts.stem.dropLast(Self.mark.count) + parts.suffix
    }

    /// With its slash; empty for the current folder.
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

    /// Creates the folder of the movie, and those above it, where they are missing.
    package func makeFolder() throws(ObscuraError) {
        try ObscuraError.writing(target) { () throws(SystemError) in try OpenFolder.make(PathParts(target).folder) }
    }

    /// Throws for a name that is too long during the recording: that would be noticed only at the end.
    package func checkLength() throws(ObscuraError) {
        let added = ".\(name).finishing".utf8.count - name.utf8.count
        guard name.utf8.count + added > Int(NAME_MAX) else { return }
        throw ObscuraError(
            .recording, .notWritable, subject: target,
            reason: "its name has \(name.utf8.count) bytes; \(added) more are needed while it is recorded, and a file "
                + "system takes \(NAME_MAX)",
            advice: "Give a name of at most \(Int(NAME_MAX) - added) bytes.", errno: ENAMETOOLONG)
    }

    /// Throws for the path of a folder, which no file replaces.
    package static func checkIsNoFolder(_ path: String) throws(ObscuraError) {
        guard (try? FileStatus(path: path))?.kind == .folder else { return }
        throw ObscuraError(SystemError(EISDIR), writing: path)
    }
}

// The partial file. It is locked (flock(2)) while it is open, so that no other process recovers a recording that still
// runs. An unlocked one without a frame was left by a killed process, and is replaced.
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

    /// Whether there is no partial file, or one that is replaced.
    var canCreatePartial: Bool {
        let parts = PathParts(partial)
        guard let folder = try? OpenFolder(path: parts.folder) else { return true }
        return folder.canCreateLocked(parts.name, replacing: RecordingExtent.isEmpty)
    }

    /// Renames the partial file to the movie's own name. After a power loss one of the two exists.
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
