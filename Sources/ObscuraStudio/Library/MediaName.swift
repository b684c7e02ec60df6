// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The name of a photo or a movie in the folder: one level, not hidden, with an ending that is known.
///
/// What came from a page becomes one of these before a file is touched. It is no path, and cannot become one.
struct MediaName: Sendable, Hashable {
    /// As file systems have it, in bytes.
    static let longest = 255

    let text: String
    let type: MediaFileType

    /// - Throws: ``ObscuraError/Code/invalidName``.
    init(_ text: String) throws(ObscuraError) {
        guard !text.isEmpty, text.utf8.count <= Self.longest else {
            throw .invalidName(text, "it must have 1 to \(Self.longest) bytes")
        }
        guard !text.utf8.contains(UInt8(ascii: "/")) else { throw .invalidName(text, "it has a slash") }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw .invalidName(text, "it has a control character")
        }
        guard text.utf8.first != UInt8(ascii: ".") else { throw .invalidName(text, "it begins with a dot") }
        let parts = Self.split(text)
        guard !parts.stem.isEmpty, let type = MediaFileType(ending: parts.ending) else {
            throw .invalidName(text, "its ending is none of jpg, jpeg, png, mp4, m4v, mov, mkv and webm")
        }
        self.text = text
        self.type = type
    }

    /// What stands before the last dot.
    var stem: String { Self.split(text).stem }
    /// What stands behind the last dot, as it is written.
    var ending: String { Self.split(text).ending }

    /// Where the edits of a photo stand.
    var recipe: String { text + Self.recipeSuffix }
    static let recipeSuffix = ".recipe.json"

    /// The name under which a movie grows that will have this one; see `AssetWriter`.
    var growing: String { "\(stem).recording.\(ending)" }

    /// The name of the movie that may be growing under this one.
    var grown: String? {
        let mark = ".recording"
        let stem = self.stem
        return stem.hasSuffix(mark) ? "\(stem.dropLast(mark.count)).\(ending)" : nil
    }

    private static func split(_ text: String) -> (stem: String, ending: String) {
        guard let dot = text.lastIndex(of: ".") else { return (text, "") }
        return (String(text[..<dot]), String(text[text.index(after: dot)...]))
    }
}
