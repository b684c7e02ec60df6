// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// The path of a file or a folder, relative to the folder of the library.
///
/// It cannot lead out of the folder: no component is empty, hidden, `.` or `..`. Hidden names belong to the library
/// itself and to other programs.
struct LibraryPath: Sendable, Hashable {
    /// The limits of file systems, in bytes.
    static let longestName = 255
    private static let longest = 4000

    let text: String

    /// - Throws: ``ObscuraError/Code/invalidPath``.
    init(_ text: String) throws(ObscuraError) {
        guard !text.isEmpty, text.utf8.count <= Self.longest else {
            throw .invalidPath(String(text.prefix(80)), "it must have 1 to \(Self.longest) bytes")
        }
        for name in text.pathNames {
            guard !name.isEmpty else {
                throw .invalidPath(text, "it begins or ends with a slash, or contains two slashes in a row")
            }
            guard name.utf8.first != UInt8(ascii: ".") else {
                throw .invalidPath(text, "a folder or file name in it begins with a dot")
            }
            guard name.utf8.count <= Self.longestName else {
                throw .invalidPath(text, "a folder or file name in it is longer than \(Self.longestName) bytes")
            }
            guard !name.utf8.contains(0) else { throw .invalidPath(text, "it contains a zero byte") }
        }
        self.text = text
    }

    /// The path of a file in a folder; nil for a name that no item can have.
    init?(name: String, in folder: String) {
        guard let path = try? LibraryPath(name), !name.utf8.contains(UInt8(ascii: "/")) else { return nil }
        text = folder.isEmpty ? path.text : "\(folder)/\(path.text)"
        guard text.utf8.count <= Self.longest else { return nil }
    }

    static func == (first: LibraryPath, second: LibraryPath) -> Bool { PathKey(first.text) == PathKey(second.text) }

    func hash(into hasher: inout Hasher) {
        hasher.combine(PathKey(text))
    }

    /// The path of the enclosing folder; empty for the folder of the library.
    var folder: String {
        let folder = PathParts(text).folder
        return folder == "." ? "" : folder
    }

    /// The last component.
    var name: String { PathParts(text).name }

    /// The name without the extension, and the extension.
    var nameParts: (stem: String, ending: String) {
        let name = name
        guard let dot = name.lastIndex(of: ".") else { return (name, "") }
        return (String(name[..<dot]), String(name[name.index(after: dot)...]))
    }

    /// The type of the item; nil if the file is none. A movie in recording (`NAME.recording.mp4`) is no item yet.
    var type: MediaFileType? {
        let (stem, ending) = nameParts
        guard !stem.isEmpty, !stem.hasSuffix(Self.recordingMark) else { return nil }
        return MediaFileType(ending: ending)
    }

    private static let recordingMark = ".recording"

    /// Whether this is the file of a movie that is being recorded, or whose recording was interrupted.
    var isRecording: Bool {
        let (stem, ending) = nameParts
        return stem.hasSuffix(Self.recordingMark) && MediaFileType(ending: ending)?.kind == .movie
    }
}
